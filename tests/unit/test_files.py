"""Model files: what is read equals what was written, and what is no model file is refused."""

from __future__ import annotations

import json
import pickle
from importlib import resources

import numpy as np
import pytest
from sklearn.datasets import load_iris

from treefront import (
    AllSplits,
    CartSplits,
    DPDTClassifier,
    DPDTRegressor,
    QuantileSplits,
    TopSplits,
    load,
)

IRIS = load_iris()
X, Y = IRIS.data, IRIS.target


def round_trip(model, path):
    model.save(path / "model.json")
    return load(path / "model.json")


def parameters(model):
    """Parameters, generators as text: they have no equality of their own."""
    return {
        name: str(value) if name == "splits" else value
        for name, value in model.get_params(deep=False).items()
    }


def same(a, b):
    assert a.front_ == b.front_
    assert (a.tree_, a.alpha_) == (b.tree_, b.alpha_)
    assert (a.status_, a.n_states_) == (b.status_, b.n_states_)
    assert (a.lower_bound_, a.gap_) == (b.lower_bound_, b.gap_)
    assert (str(a.splits_), a.exact_tail_) == (str(b.splits_), b.exact_tail_)
    assert parameters(a) == parameters(b)
    assert a.classes_.dtype == b.classes_.dtype
    assert (a.predict_proba(X) == b.predict_proba(X)).all()
    assert (a.predict(X) == b.predict(X)).all()
    return True


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"splits": CartSplits(2, criterion="gini"), "exact_tail": 0, "alpha": 0.1},
        {"splits": [TopSplits(4), QuantileSplits(3), AllSplits()], "max_depth": 2},
        {"splits": "all", "max_depth": 1, "complexity": "splits", "memory_limit": "1GB"},
        {"splits": "all", "prove": "front", "alpha": 0.01},
        {"splits": "all", "max_depth": 5, "time_limit": 1e-9},
        {"min_samples_leaf": np.float64(0.1), "max_depth": np.int64(2), "time_limit": 60},
    ],
)
def test_round_trip(tmp_path, params):
    model = DPDTClassifier(**{"max_depth": 3, **params}).fit(X, Y)
    loaded = round_trip(model, tmp_path)
    assert same(model, loaded)
    assert any(tree is loaded.tree_ for tree in loaded.front_)
    assert loaded.select(n_leaves=1).get_n_leaves() == 1


@pytest.mark.parametrize("y", [IRIS.target_names[Y], Y > 0, Y / 2, IRIS.target_names[Y].tolist()])
def test_labels_keep_their_type(tmp_path, y):
    y = np.asarray(y)
    y = y if y.dtype.kind != "f" else np.round(y)
    model = DPDTClassifier(max_depth=2).fit(X, y)
    assert same(model, round_trip(model, tmp_path))


def test_feature_names_and_choice_are_kept(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "ü"])
    model = DPDTClassifier(max_depth=2).fit(frame, Y).select(n_leaves=3)
    loaded = round_trip(model, tmp_path)
    assert loaded.feature_names_in_.tolist() == ["a", "b", "c", "ü"]
    assert loaded.tree_.n_leaves == 3
    assert (loaded.predict(frame) == model.predict(frame)).all()


def test_weights_are_exact(tmp_path):
    weight = np.random.default_rng(0).uniform(size=len(Y))
    model = DPDTClassifier(max_depth=3).fit(X, Y, sample_weight=weight)
    assert same(model, round_trip(model, tmp_path))


def test_the_file_is_strict_json_without_training_rows(tmp_path):
    sizes = []
    for repeats in (1, 20):
        model = DPDTClassifier(max_depth=2).fit(np.repeat(X, repeats, 0), np.repeat(Y, repeats))
        path = tmp_path / "model.json"
        model.save(path)
        json.loads(path.read_text(), parse_constant=pytest.fail)
        sizes.append(path.stat().st_size)
    assert sizes[1] < 1.2 * sizes[0]


def test_a_python_function_cannot_be_written(tmp_path):
    model = DPDTClassifier(max_depth=1, splits=lambda X, y, w: [(0, 5.0)]).fit(X, Y)
    with pytest.raises(ValueError, match=r"splits is <function .* cannot be written"):
        model.save(tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()


def test_an_unfitted_model_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        DPDTClassifier().save(tmp_path / "model.json")


@pytest.fixture
def document(tmp_path):
    DPDTClassifier(max_depth=2).fit(X, Y).save(tmp_path / "good.json")
    return json.loads((tmp_path / "good.json").read_text())


def changed(document, path, value):
    *way, last = path
    part = document
    for key in way:
        part = part[key]
    part[last] = value
    return document


def test_a_file_from_before_there_were_proofs(tmp_path):
    model = DPDTClassifier(max_depth=2, alpha=0.02).fit(X, Y)
    model.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    del document["front"]["proved"], document["params"]["prove"]
    del document["search"]["lower_bound"], document["search"]["gap"]
    (tmp_path / "old.json").write_text(json.dumps(document))
    old = load(tmp_path / "old.json")
    assert same(model, old)
    assert not old.front_.proved.any()
    best = old.front_.index(old.tree_)
    cost = old.front_.loss[best] + 0.02 * old.front_.complexity[best]
    assert (old.prove, old.lower_bound_, old.gap_) == ("tree", 0.0, cost)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ["version"],
            2,
            r"has version 2 of the treefront-model format, written by treefront .* reads version 1",
        ),
        (["format"], "other", "is not a treefront-model file"),
        (["estimator"], "DPDTRanker", "holds a DPDTRanker, which this release"),
        (["params"], {"depth": 3}, "Invalid parameter 'depth'"),
        (["params", "splits"], {"generator": "os.system"}, "damaged"),
        (["chosen"], 99, "damaged: the chosen tree 99 is not one of"),
        (["front", "trees", 1, "left"], [0, 0, 0], "damaged: .* tree"),
        (["front", "loss"], [0.0], "damaged"),
        (["front"], None, "damaged"),
        (["classes"], {"dtype": "O", "values": [[1]]}, "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path, document, path, value, message):
    file = tmp_path / "model.json"
    file.write_text(json.dumps(changed(document, path, value)))
    with pytest.raises(ValueError, match=message):
        load(file)


@pytest.mark.parametrize("text", ["", "[]", "{", "a,b\n1,2\n"])
def test_what_is_no_model(tmp_path, text):
    file = tmp_path / "model.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="is not a treefront-model file"):
        load(file)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "model.json")


# ---- every parameter ----

SETTINGS = {
    "max_depth": 2,
    "splits": CartSplits(2),
    "exact_tail": 1,
    "prove": "front",
    "alpha": 0.01,
    "complexity": "splits",
    "min_samples_leaf": 0.05,
    "min_weight_fraction_leaf": 0.1,
    "thresholds": "midpoint",
    "categorical_features": np.array([1]),
    "class_weight": {0: 1.0, 1: 2.0, 2: 1.5},
    "cost_matrix": np.array([[0.0, 1, 2], [1, 0, 1], [3, 1, 0]]),
    "feature_costs": {0: 2.0, 3: 0.5},
    "feature_costs_once": True,
    "feature_groups": [[0, 2], [1]],
    "monotonic_cst": {0: 0},
    "loss": "absolute_error",
    "time_limit": 60.5,
    "memory_limit": "1GB",
    "n_jobs": 2,
    "on_interrupt": "return",
    "verbose": 0,
}


@pytest.mark.parametrize("estimator", [DPDTClassifier, DPDTRegressor])
@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_every_parameter_is_kept(tmp_path, estimator, name):
    if name not in estimator().get_params(deep=False):
        return
    more = {"feature_costs_once": True} if name == "feature_groups" else {}
    model = estimator(**{"max_depth": 1, name: SETTINGS[name], **more})
    model.fit(np.round(X), Y).save(tmp_path / "model.json")
    restored = load(tmp_path / "model.json").get_params(deep=False)[name]
    given = SETTINGS[name]
    given = given.tolist() if isinstance(given, np.ndarray) else given
    assert str(restored) == str(given)


def test_no_parameter_is_forgotten():
    for estimator in (DPDTClassifier, DPDTRegressor):
        assert set(estimator().get_params(deep=False)) <= set(SETTINGS)


# ---- the schema ----


@pytest.fixture(scope="module")
def schema():
    jsonschema = pytest.importorskip("jsonschema")
    text = (resources.files("treefront") / "model.schema.json").read_text(encoding="utf-8")
    document = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


MIXED = [[np.nan, 0], [1.5, 1], [np.nan, 2], [2.5, 1], [3.5, 0], [np.nan, 2]]


@pytest.mark.parametrize(
    ("model", "rows", "y"),
    [
        (DPDTClassifier(max_depth=3), X, IRIS.target_names[Y]),
        (DPDTClassifier(max_depth=2, splits="all", prove="front"), X, Y > 0),
        (DPDTClassifier(max_depth=3, categorical_features=[1]), MIXED, [0, 1, 0, 1, 1, 0]),
        (DPDTRegressor(max_depth=2, complexity="splits"), X, X[:, :2]),
        (DPDTRegressor(splits=[TopSplits(4), AllSplits()], feature_costs={1: 2.0}), X, X[:, 0]),
    ],
)
def test_files_obey_the_schema(tmp_path, schema, model, rows, y):
    model.fit(rows, y).save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    schema.validate(document)
    # The schema knows every key there is.
    known = schema.schema
    assert set(document) <= set(known["properties"])
    for part in ("search", "front"):
        assert set(document[part]) == set(known["properties"][part]["properties"])
    for tree in document["front"]["trees"]:
        assert set(tree) == set(known["$defs"]["tree"]["properties"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["version"], 2),
        (["front", "trees", 0, "threshold"], ["nan"]),
        (["front", "trees", 0, "feature"], [-2]),
        (["times"], ["local"]),
        (["params", "alpha"], {"python": "function"}),
    ],
)
def test_the_schema_refuses(document, schema, path, value):
    assert schema.is_valid(document)
    assert not schema.is_valid(changed(document, path, value))


# ---- pickles ----


def test_a_pickle_of_another_format_says_by_which_release():
    model = DPDTClassifier(max_depth=1).fit(X, Y)
    state = model.__getstate__() | {"_pickle_format": 99, "_treefront_version": "9.9"}
    with pytest.raises(
        ValueError, match=r"DPDTClassifier was pickled by treefront 9\.9, in a form"
    ):
        DPDTClassifier().__setstate__(state)
    del state["_pickle_format"], state["_treefront_version"]
    with pytest.raises(ValueError, match=r"pickled by treefront \(unknown\)"):
        DPDTClassifier().__setstate__(state)


def test_parts_of_a_pickle_that_are_newer():
    front = DPDTClassifier(max_depth=1).fit(X, Y).front_
    for part in (front, front[0]):
        build, (state,) = part.__reduce__()
        assert build(state) == part
        with pytest.raises(ValueError, match="was pickled by another release of treefront"):
            build({**state, "colour": "green"})


def test_a_parameter_that_is_newer_than_a_pickle_has_its_default():
    model = DPDTClassifier(max_depth=1, thresholds="midpoint").fit(X, Y)
    state = model.__getstate__()
    del state["thresholds"]
    older = DPDTClassifier.__new__(DPDTClassifier)
    older.__setstate__(state)
    assert (older.max_depth, older.thresholds) == (1, "short")
    assert (older.predict(X) == model.predict(X)).all()


def test_a_pickle_does_not_grow_with_the_rows():
    sizes = []
    for repeats in (1, 20):
        model = DPDTClassifier(max_depth=2).fit(np.repeat(X, repeats, 0), np.repeat(Y, repeats))
        sizes.append(len(pickle.dumps(model)))
        assert same(model, pickle.loads(pickle.dumps(model)))
    assert sizes[1] < 1.01 * sizes[0]
