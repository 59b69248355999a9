"""Every kind of array and column: read alike or refused by name, and the same kind in predict."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions

import numpy as np
import pytest
import scipy.sparse

from treefront import DPDTClassifier, DPDTClassifierCV, DPDTRegressor

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

RNG = np.random.default_rng(0)
GRID = RNG.integers(-8, 9, size=(60, 3)) / 4.0  # exact in any float
Y = (GRID[:, 0] + GRID[:, 1] > 0.25).astype(int)
FOUR = [0, 0, 1, 1]
ESTIMATORS = [DPDTClassifier, DPDTRegressor, DPDTClassifierCV]


def mapped(tmp_path, X):
    path = tmp_path / "X.npy"
    np.save(path, X)
    return np.load(path, mmap_mode="r")


def read_only(_, X):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "read-only": read_only,
    "memory-mapped": mapped,
    "Fortran": lambda _, X: np.asfortranarray(X),
    "strided": lambda _, X: np.repeat(np.repeat(X, 2, 0), 3, 1)[::2, ::3],
    "backwards": lambda _, X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "big-endian": lambda _, X: X.astype(">f8"),
    "big-endian integers": lambda _, X: (X * 4).astype(">i4"),
    "float16": lambda _, X: X.astype(np.float16),
    "float32": lambda _, X: X.astype(np.float32),
    "long double": lambda _, X: X.astype(np.longdouble),
    "int8": lambda _, X: (X * 4).astype(np.int8),
    "objects": lambda _, X: X.astype(object),
    "fractions": lambda _, X: np.vectorize(fractions.Fraction, otypes=[object])(X),
    "decimals": lambda _, X: np.vectorize(decimal.Decimal, otypes=[object])(X),
    "numbers as text": lambda _, X: X.astype(str),
    "lists": lambda _, X: X.tolist(),
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_of_every_layout_give_the_same_tree(estimator, layout, tmp_path):
    Z = LAYOUTS[layout](tmp_path, GRID)
    plain = GRID * 4 if "int" in layout else GRID
    before = np.array(Z, copy=True)
    expected = estimator(max_depth=2, thresholds="midpoint").fit(plain, Y)
    model = estimator(max_depth=2, thresholds="midpoint").fit(Z, Y)
    assert model.front_ == expected.front_
    assert (model.predict(Z) == expected.predict(plain)).all()
    assert (model.front_.predict(Z) == expected.front_.predict(plain)).all()
    assert (np.asarray(Z) == before).all()  # nothing was written


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_array"])
def test_sparse_matrices_are_refused_by_name(estimator, form):
    Z = getattr(scipy.sparse, form)(GRID)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        estimator().fit(Z, Y)
    model = estimator(max_depth=2).fit(GRID, Y)
    for ask in (model.predict, model.front_.predict, model.tree_.predict):
        with pytest.raises(TypeError, match=r"[Ss]parse"):
            ask(Z)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_masked_cells_and_na_are_missing(estimator):
    hole = RNG.random(GRID.shape) < 0.2
    with_nan = np.where(hole, np.nan, GRID)
    expected = estimator(max_depth=2).fit(with_nan, Y)
    with_na = GRID.astype(object)
    with_na[hole] = pd.NA
    for Z in (np.ma.array(GRID, mask=hole), with_na):
        model = estimator(max_depth=2).fit(Z, Y)
        assert model.front_ == expected.front_
        assert (model.predict(Z) == expected.predict(with_nan)).all()
        assert (model.tree_.predict(Z) == expected.tree_.predict(with_nan)).all()
    days = np.ma.array(np.arange(60).astype("M8[D]")[:, None], mask=hole[:, :1])
    assert np.isnan(DPDTClassifier(max_depth=1).fit(days, Y).front_[0].threshold[0])


def typed(values, dtype):
    return pd.DataFrame({"a": pd.Series(values, dtype=dtype)})


TEXT, BOOLS, WHOLE = ["x", None, "z", "z"], [True, None, False, False], [1, None, 3, 4]
DAYS = [dt.date(2021, 1, day) for day in (1, 2, 5, 9)]
TENTHS = [decimal.Decimal(text) for text in ("0.1", "0.2", "3.0", "4.0")]
COLUMNS = {
    "a <= 2 or missing": {
        "Int64": typed(WHOLE, "Int64"),
        "Float64": typed(WHOLE, "Float64"),
        "int64[pyarrow]": typed(WHOLE, "int64[pyarrow]"),
        "double[pyarrow]": typed(WHOLE, "double[pyarrow]"),
        "polars Int8": pl.DataFrame({"a": pl.Series(WHOLE, dtype=pl.Int8)}),
        "Arrow": pa.table({"a": WHOLE}),
        "objects": typed([np.int64(1), None, 3, 4.0], object),
    },
    "a is True or missing": {
        "boolean": typed(BOOLS, "boolean"),
        "bool[pyarrow]": typed(BOOLS, "bool[pyarrow]"),
        "objects": typed(BOOLS, object),
        "polars": pl.DataFrame({"a": BOOLS}),
        "Arrow": pa.table({"a": BOOLS}),
    },
    "a is x or missing": {
        "string": typed(TEXT, "string"),
        "string[pyarrow]": typed(TEXT, pd.ArrowDtype(pa.string())),
        "category": typed(TEXT, "category"),
        "objects": typed([np.str_("x"), None, "z", "z"], object),
        "polars Enum": pl.DataFrame({"a": pl.Series(TEXT, dtype=pl.Enum(["z", "x"]))}),
        "large Arrow strings": pa.table({"a": pa.array(TEXT, pa.large_string())}),
        "Arrow dictionary": pa.table({"a": pa.array(TEXT).dictionary_encode()}),
    },
    "a <= 2021-01-03": {
        "date32[pyarrow]": typed(DAYS, "date32[day][pyarrow]"),
        "polars": pl.DataFrame({"a": DAYS}),
        "Arrow": pa.table({"a": DAYS}),
    },
    "a <= 2": {
        "decimals in objects": typed(TENTHS, object),
        "Arrow decimals": pa.table({"a": TENTHS}),
        "polars decimals": pl.DataFrame({"a": TENTHS}),
        "Arrow in chunks": pa.table({"a": pa.chunked_array([[0.1, 0.2], [3.0, 4.0]])}),
    },
}
CASES = [(rule, kind) for rule, of_rule in COLUMNS.items() for kind in of_rule]


@pytest.mark.parametrize(("rule", "kind"), CASES)
def test_columns_of_every_type(rule, kind):
    X = COLUMNS[rule][kind]
    model = DPDTClassifier(max_depth=1).fit(X, FOUR)
    assert f"if {rule}: 0" in str(model.tree_)
    assert model.predict(X).tolist() == FOUR


@pytest.mark.parametrize(
    "X",
    [
        typed([None] * 4, object),
        typed([np.nan] * 4, float),
        pl.DataFrame({"a": [None] * 4}),
        pa.table({"a": pa.nulls(4)}),
    ],
    ids=["objects", "NaN", "polars", "Arrow"],
)
def test_columns_of_nothing(X):
    assert DPDTClassifier().fit(X, FOUR).tree_.n_nodes == 1
    for cells in ([1.0, 2, 3, 4], list("wxyz"), DAYS):
        model = DPDTClassifier(max_depth=1).fit(pl.DataFrame({"a": cells}), FOUR)
        assert len(set(model.predict(X).tolist())) == 1


@pytest.mark.parametrize(
    ("X", "kind"),
    [
        (pd.DataFrame({"a": pd.period_range("2020", periods=4, freq="M")}), r"period\[M\]"),
        (pd.DataFrame({"a": pd.interval_range(0, 4)}), "interval"),
        (typed([0.0, 1, 2, 3], pd.SparseDtype(float, 0)), "Sparse"),
        (typed([0j, 1, 2, 3], complex), "complex128"),
        (pl.DataFrame({"a": [[1], [2], [3], [4]]}), "List"),
        (pl.DataFrame({"a": [dt.time(hour) for hour in range(4)]}), "Time"),
        (pl.DataFrame({"a": [b"x", b"x", b"y", b"y"]}), "Binary"),
    ],
    ids=str,
)
def test_columns_of_other_types_are_refused_by_name(X, kind):
    with pytest.raises(ValueError, match=f"column 'a' holds values of type {kind}.*are supported"):
        DPDTClassifier().fit(X, FOUR)


def test_lazy_frames_are_refused_by_name():
    with pytest.raises(ValueError, match=r"lazy frame.*collect"):
        DPDTClassifier().fit(pl.DataFrame({"a": [1, 2, 3, 4]}).lazy(), FOUR)


# ---- the columns of predict ----

LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": pa.table,
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_in_another_order_renamed_missing_or_twice(library):
    frame = LIBRARIES[library]
    cells = {name: GRID[:, i].tolist() for i, name in enumerate("abc")}
    model = DPDTClassifier(max_depth=2).fit(frame(cells), Y)
    wrong = {
        "order": {name: cells[name] for name in "bac"},
        "renamed": {"a": cells["a"], "b": cells["b"], "d": cells["c"]},
        "missing": {"a": cells["a"], "b": cells["b"]},
        "one more": {**cells, "d": cells["a"]},
    }
    for ask in (model.predict, model.front_.predict, model.tree_.predict):
        for columns in wrong.values():
            with pytest.raises(
                ValueError, match=r"feature names should match|columns of X are not"
            ):
                ask(frame(columns))
    with pytest.raises(ValueError, match="features"):
        model.predict(GRID[:, :2])


def test_a_column_twice():
    model = DPDTClassifier(max_depth=2).fit(pd.DataFrame(GRID[:, :2], columns=["a", "b"]), Y)
    with pytest.raises(ValueError, match="must have different names"):
        model.predict(pd.DataFrame(GRID[:, :2], columns=["a", "a"]))


def as_array(columns):
    return np.array(columns["a"], dtype=object)[:, None]


HOLDERS = {
    "pandas": pd.DataFrame,
    "objects": lambda columns: typed(columns["a"], object),
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "array": as_array,
}
MOMENT = dt.datetime(2021, 1, 1)
KINDS = {
    "numbers": [1.0, 2.0, 3.0, 4.0],
    "text": ["v", "v", "w", "w"],
    "bools": [True, True, False, False],
    "times": [MOMENT + dt.timedelta(days=day) for day in range(4)],
}
LEGAL = {
    "numbers": [[7.5, -1.0], [7, 8], [True, False], ["1", "2.5"]],
    "text": [["w", "unseen"], ["unseen", "1"], ["v", None]],
    "bools": [[True, False], [1, 0], [1.0, 9.0]],
    "times": [[MOMENT, MOMENT - dt.timedelta(hours=3)]],
}
OTHERS = {
    "numbers": [["v", "1"], [MOMENT, MOMENT], [dt.timedelta(1)] * 2],
    "text": [[1.0, 2.0], [1, 2], [True, False], [MOMENT, MOMENT]],
    "bools": [["v", "w"], ["True", "False"], [MOMENT, MOMENT]],
    "times": [[1.0, 2.0], ["2021-01-01", "2021-01-02"], [dt.timedelta(1)] * 2],
}


def model_of(kind, holder):
    chosen = [0] if holder == "array" and kind in ("text", "bools") else "from_dtype"
    model = DPDTClassifier(max_depth=1, categorical_features=chosen)
    return model.fit(HOLDERS[holder]({"a": KINDS[kind]}), FOUR)


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_of_the_kind_of_fit_is_read(kind, holder):
    model = model_of(kind, holder)
    for cells in LEGAL[kind]:
        assert set(model.predict(HOLDERS[holder]({"a": cells})).tolist()) <= {0, 1}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_another_kind_than_in_fit_is_one_clear_error(kind, holder):
    model = model_of(kind, holder)
    for cells in OTHERS[kind]:
        X = HOLDERS[holder]({"a": cells})
        for ask in (model.predict, model.front_.predict, model.tree_.predict):
            with pytest.raises(ValueError, match=r"column ('a'|0).* in fit|values of type Dura"):
                ask(X)


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_are_no_categories(unit):
    X = pd.DataFrame({"a": pd.date_range("2021-01-01", periods=4).astype(f"M8[{unit}]")})
    for Z in (X, X.to_numpy()):
        with pytest.raises(ValueError, match="neither all text nor all numbers"):
            DPDTClassifier(categorical_features=[0]).fit(Z, FOUR)


def test_numbers_that_are_names_do_not_become_text_unnoticed():
    codes = np.array([[3], [3], [7], [7]])
    model = DPDTClassifier(max_depth=1, categorical_features=[0]).fit(codes, FOUR)
    assert model.predict([[7.0], [9.0]]).tolist()[0] == 1
    with pytest.raises(ValueError, match=r"holds text \(one is '3'\), but held numbers .* in fit"):
        model.predict(np.array([["3"], ["7"]]))
