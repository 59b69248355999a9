"""Hard inputs: the right answer, or one clear message."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

from treefront import CartSplits, DPDTClassifier, DPDTRegressor, Tree

NAN, INF = np.nan, np.inf
BOTH = [DPDTClassifier, DPDTRegressor]
LARGEST = 1.7976931348623157e308
SMALLEST = 5e-324


def column(*values) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def separates(model, X, y) -> bool:
    predicted = model.fit(X, y).predict(X)
    return np.allclose(predicted, y, atol=1e-9)


@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize(
    "values",
    [
        (1.0, np.nextafter(1.0, 2.0)),
        (2.0**24, 2.0**24 + 1),
        (LARGEST, -LARGEST),
        (LARGEST, np.nextafter(LARGEST, 0)),
        (0.0, SMALLEST),
        (-SMALLEST, 0.0),
        (-2.0, -1.0),
        (float(np.iinfo(np.int64).min), -1.0),
        (0.0, NAN),
    ],
)
def test_two_values_are_told_apart(estimator, values):
    low, high = values
    X, y = column(low, low, low, high, high), [0, 0, 0, 1, 1]
    for splits in ("auto", "all", CartSplits(1)):
        model = estimator(max_depth=1, splits=splits)
        assert separates(model, X, y)
        assert len(model.tree_.threshold) == 3
        if not np.isnan(high):
            assert np.isfinite(model.tree_.threshold[0])
        assert (model.tree_.n_rows[1:] > 0).all()


def test_beside_a_column_of_nothing():
    X = np.c_[column(0, 0, 0, NAN, NAN), np.full(5, NAN)]
    model = DPDTClassifier()
    assert separates(model, X, [0, 0, 0, 1, 1])
    assert model.tree_.n_nodes == 3
    nothing = DPDTClassifier().fit(X[:, [1]], [0, 0, 0, 1, 1])
    assert nothing.tree_.n_nodes == 1


@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize("value", [INF, -INF])
def test_infinite_values_are_one_clear_error(estimator, value):
    with pytest.raises(ValueError, match=r"infinity \(inf\): column 0, row 1"):
        estimator().fit(column(1, value, 2), [0, 1, 1])
    model = estimator().fit(column(1, 2, 3), [0, 1, 1])
    with pytest.raises(ValueError, match=r"infinity \(inf\): column 0, row 0"):
        model.predict([[value]])


@pytest.mark.parametrize("estimator", BOTH)
def test_missing_only_at_predict(estimator):
    model = estimator().fit(column(0, 1, 2, 3, 4), [0, 0, 1, 1, 1])
    assert model.predict([[NAN]]).tolist() == model.predict([[4.0]]).tolist()


@pytest.mark.parametrize(
    "labels",
    [[-1, 1], [5, 9], [False, True], ["1", "2"], ["no", "yes"], [0.5, 1.5], [-3, 2**40]],
)
def test_labels_of_every_kind(labels):
    y = np.array([labels[0]] * 3 + [labels[1]] * 2)
    if y.dtype.kind == "f":
        with pytest.raises(ValueError, match="continuous"):
            DPDTClassifier().fit(column(0, 1, 2, 3, 4), y)
        return
    model = DPDTClassifier().fit(column(0, 1, 2, 3, 4), y)
    assert model.classes_.tolist() == labels
    assert model.classes_.dtype == y.dtype
    assert model.predict(column(0, 4)).tolist() == labels


@pytest.mark.parametrize("n_classes", [1, 300, 10_000])
def test_numbers_of_classes(n_classes):
    y = np.arange(n_classes).repeat(2)
    model = DPDTClassifier(max_depth=2).fit(y[:, None].astype(float), y)
    assert len(model.classes_) == n_classes
    assert model.score(y[:, None].astype(float), y) == min(4, n_classes) / n_classes


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([-1, 1, 1], "row 0 has -1.0"),
        ([1, NAN, 1], "row 1 has nan"),
        ([0, 0, 0], "zero for every row"),
        ([1, 1], r"shape \(2,\)"),
    ],
)
@pytest.mark.parametrize("estimator", BOTH)
def test_bad_weights(estimator, weight, message):
    with pytest.raises(ValueError, match=message):
        estimator().fit(column(1, 2, 3), [0, 1, 1], weight)


@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize("weight", [1e-300, 1e-12, 1e12, 1e300])
def test_weights_of_any_size(estimator, weight):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int) ^ (rng.random(60) < 0.2)
    plain = estimator(max_depth=2).fit(X, y)
    scaled = estimator(max_depth=2).fit(X, y, np.full(60, weight))
    assert plain.predict(X) == pytest.approx(scaled.predict(X))
    assert scaled.tree_.weight == pytest.approx(weight * plain.tree_.weight)
    assert plain.front_.loss == pytest.approx(scaled.front_.loss)


@pytest.mark.parametrize("max_depth", [None, 1.5, -1, True, "3"])
@pytest.mark.parametrize("estimator", BOTH)
def test_bad_depths(estimator, max_depth):
    with pytest.raises(ValueError, match="max_depth must be an integer of at least 0"):
        estimator(max_depth=max_depth).fit(column(1, 2), [0, 1])


@pytest.mark.parametrize("estimator", BOTH)
def test_depth_0_is_a_leaf(estimator):
    assert estimator(max_depth=0).fit(column(1, 2, 3), [0, 1, 1]).tree_.n_nodes == 1


def test_a_tree_of_3000_levels():
    n = 3001
    X = np.arange(n, dtype=float)[:, None]
    y = np.arange(n) % 2
    model = DPDTClassifier(max_depth=n, splits=CartSplits(depth=1), exact_tail=0).fit(X, y)
    chain = list_tree(n)
    assert chain.depth == n - 1
    for tree in (model.tree_, chain):
        assert (pickle.loads(pickle.dumps(tree)).predict(X) == tree.predict(X)).all()
        assert copy.deepcopy(tree) == tree
        assert Tree.from_dict(tree.to_dict()) == tree
        assert len(str(tree).splitlines()) == tree.n_nodes


DEEP = """
import numpy as np
from treefront import CartSplits, DPDTClassifier

X, y = np.arange(1500.0)[:, None], np.arange(1500) % 2
model = DPDTClassifier(max_depth=1500, splits=CartSplits(depth=1), exact_tail=0, n_jobs={n_jobs})
print(model.fit(X, y).tree_.depth)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_depth_does_not_depend_on_the_stack_that_threads_get_by_default(n_jobs):
    """With glibc the limit of the main stack is the default of threads; 512 kB as on macOS."""
    resource = pytest.importorskip("resource")
    limits = (512 * 1024, resource.getrlimit(resource.RLIMIT_STACK)[1])
    child = subprocess.run(
        [sys.executable, "-c", DEEP.format(n_jobs=n_jobs)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, limits),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (child.returncode, child.stdout.strip()) == (0, "1499"), child.stderr


def list_tree(n: int) -> Tree:
    """Each test splits one row off: as deep as it has tests."""
    inner = np.arange(n - 1)
    feature = np.full(2 * n - 1, -1)
    left, right = feature.copy(), feature.copy()
    threshold = np.full(2 * n - 1, NAN)
    feature[2 * inner], threshold[2 * inner] = 0, inner + 0.5
    left[2 * inner], right[2 * inner] = 2 * inner + 1, 2 * inner + 2
    value = np.zeros((2 * n - 1, 2))
    value[2 * inner + 1, inner % 2] = 1
    value[2 * (n - 1), (n - 1) % 2] = 1
    for node in inner[::-1]:
        value[2 * node] = value[2 * node + 1] + value[2 * node + 2]
    nodes = {
        "feature": feature,
        "threshold": threshold,
        "left": left,
        "right": right,
        "value": value,
        "n_rows": value.sum(axis=1),
    }
    return Tree.from_nodes(nodes, np.array([0, 1]), 1)


def test_ids_beyond_the_exact_integers_of_float64_are_warned_about():
    ids = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3], dtype=np.int64)[:, None]
    with pytest.warns(UserWarning, match=r"column 0 holds integers beyond 2\*\*53"):
        DPDTClassifier().fit(ids, [0, 1, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DPDTClassifier().fit(ids // 2, [0, 1, 0, 1])
