"""What the columns of X are: numbers or categories, present or missing."""

from __future__ import annotations

import numpy as np
import pytest

from treefront import DPDTClassifier, load
from treefront.columns import matrix, of_training

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

NAN = np.nan
CELLS = {
    "color": ["red", None, "blue", "red"],
    "size": [1.5, None, 3.0, 2.0],
    "ok": [True, False, None, True],
}
CATEGORIES = (("blue", "red"), None, (False, True))
CODED = [[1, 1.5, 1], [NAN, NAN, 0], [0, 3, NAN], [1, 2, 1]]
FRAMES = {
    "pandas objects": lambda: pd.DataFrame(CELLS, dtype=object).assign(
        size=pd.Series(CELLS["size"], dtype=float)
    ),
    "pandas nullable": lambda: pd.DataFrame(CELLS).convert_dtypes(),
    "pandas categories": lambda: pd.DataFrame(CELLS).astype(
        {"color": "category", "ok": "category", "size": float}
    ),
    "polars": lambda: pl.DataFrame(CELLS),
    "polars categories": lambda: pl.DataFrame(CELLS).cast({"color": pl.Categorical}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_of_every_data_frame(kind):
    frame = FRAMES[kind]()
    known = of_training(frame, "from_dtype")
    assert known == CATEGORIES
    assert np.array_equal(matrix(frame, known), CODED, equal_nan=True)


def test_categories_not_seen_in_fit_are_known_as_such():
    frame = pd.DataFrame({"color": ["green", "red"], "size": [1.0, 2], "ok": [True, None]})
    assert matrix(frame, CATEGORIES)[:, 0].tolist() == [-1, 1]


def test_arrays_have_categories_where_asked_for():
    X = np.array([[3, 1.0], [7, 2.0], [3, NAN]])
    assert of_training(X, "from_dtype") is None
    for chosen in ([0], [True, False]):
        assert of_training(X, chosen) == ((3.0, 7.0), None)
    words = np.array([["a", 1], ["b", None]], dtype=object)
    known = of_training(words, [0])
    assert np.array_equal(matrix(words, known), [[0, 1], [1, NAN]], equal_nan=True)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("all", "must be 'from_dtype' or a list"),
        (["weight"], "names 'weight', which is no column"),
        ([5], "holds 5; it takes names or numbers of columns from 0 to 2"),
        ([True], "has 1 flags, but X has 3 columns"),
    ],
)
def test_columns_that_are_not_there(chosen, message):
    with pytest.raises(ValueError, match=message):
        DPDTClassifier(categorical_features=chosen).fit(FRAMES["polars"](), [0, 1, 0, 1])


def test_what_is_neither_number_nor_category():
    durations = pl.DataFrame({"wait": pl.Series([1, 2]).cast(pl.Duration)})
    with pytest.raises(ValueError, match="column 'wait' holds values of type Duration"):
        DPDTClassifier().fit(durations, [0, 1])
    mixed = pd.DataFrame({"a": ["x", 1]})
    with pytest.raises(ValueError, match=r"could not convert 'x' to float: column 'a', row 0"):
        DPDTClassifier().fit(mixed, [0, 1])
    with pytest.raises(ValueError, match="neither all text nor all numbers"):
        DPDTClassifier(categorical_features=["a"]).fit(mixed, [0, 1])


def color_model() -> tuple[DPDTClassifier, pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    color = rng.choice(["red", "green", "blue", "black", "white", None], size=300)
    size = np.where(rng.random(300) < 0.2, NAN, rng.normal(size=300))
    frame = pd.DataFrame({"color": color, "size": size})
    y = np.isin(color, ["red", "black"]) ^ np.isnan(size)
    return DPDTClassifier(max_depth=2, splits="all").fit(frame, y), frame, y


def test_rules_say_which_categories_and_what_is_missing():
    model, frame, y = color_model()
    assert model.score(frame, y) == 1.0
    text = str(model.tree_)
    assert "if size is not missing: " in text
    assert "if color is one of {blue, green, white} or missing: " in text


def test_predictions_for_what_was_not_seen_are_those_for_what_is_missing():
    model, frame, _ = color_model()
    unseen = frame.assign(color="violet")
    missing = frame.assign(color=None)
    assert (model.predict(unseen) == model.predict(missing)).all()


def test_a_column_that_was_complete_sends_missing_values_to_the_heavier_side():
    model = DPDTClassifier(max_depth=1).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 1])
    assert model.predict([[NAN]]).tolist() == [1]
    assert "missing" not in str(model.tree_)


def test_categories_survive_a_file(tmp_path):
    model, frame, _ = color_model()
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.tree_ == model.tree_
    assert loaded.categories_ == model.categories_
    assert (loaded.predict(frame) == model.predict(frame)).all()
    assert (loaded.front_.predict(frame) == model.front_.predict(frame)).all()


def test_thousands_of_categories():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5000, size=20_000)
    y = rng.random(5000)[codes] > 0.5
    model = DPDTClassifier(max_depth=2, categorical_features=[0]).fit(codes[:, None], y)
    assert model.score(codes[:, None], y) == 1.0


def test_the_choice_by_validation_rows_reads_categories_once():
    model, frame, y = color_model()
    scores = model.front_.score(frame, y)
    assert model.select(frame, y).tree_ == model.front_[int(np.argmax(scores))]
    assert model.score(frame, y) == scores.max()


def test_a_proof_sees_the_sets_that_only_a_last_test_may_ask_for():
    rng = np.random.default_rng(939)
    n = rng.integers(20, 60)
    X = np.c_[rng.integers(0, 8, n), rng.integers(0, 5, n)].astype(float)
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    params = {"max_depth": 3, "splits": "all", "alpha": 0.03, "categorical_features": [0]}
    tree, front = (DPDTClassifier(prove=prove, **params).fit(X, y) for prove in ("tree", "front"))
    assert tree.lower_bound_ == pytest.approx(front.lower_bound_)


def test_large_ids_stay_apart_as_categories():
    ids = pd.DataFrame({"id": pd.array([2**53, 2**53 + 1, None] * 20, dtype="Int64")})
    y = np.array([0, 1, 0] * 20)
    model = DPDTClassifier(categorical_features=["id"]).fit(ids, y)
    assert model.categories_ == ((2**53, 2**53 + 1),)
    assert model.score(ids, y) == 1.0
    other = pl.DataFrame({"id": pl.Series([2**53, 2**53 + 1], dtype=pl.UInt64)})
    assert model.predict(other).tolist() == [0, 1]


def test_no_categories_may_be_named():
    X = np.array([[0.0, 1.0], [1.0, 0.0]])
    model = DPDTClassifier(categorical_features=[]).fit(X, [0, 1])
    assert model.categories_ == (None, None)


@pytest.mark.parametrize("values", [(False, True), (0.5, 2.5), (-1, 2**62), ("a", "a b")])
def test_categories_of_every_kind_survive_a_file(values, tmp_path):
    cells = np.array([values[0], values[1]] * 10, dtype=object)[:, None]
    y = [0, 1] * 10
    model = DPDTClassifier(categorical_features=[0]).fit(cells, y)
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.categories_ == model.categories_
    assert [type(v) for v in loaded.categories_[0]] == [type(v) for v in model.categories_[0]]
    assert str(loaded.tree_) == str(model.tree_)


def test_frames_without_columns_or_with_names_twice():
    with pytest.raises(ValueError, match="minimum of 1 is required"):
        DPDTClassifier().fit(pd.DataFrame(index=range(4)), [0, 1, 0, 1])
    twice = pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match="must have different names"):
        DPDTClassifier().fit(twice, [0, 1, 0, 1])
