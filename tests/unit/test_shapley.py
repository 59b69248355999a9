"""SHAP values: against all subsets of the features, and against the package shap."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris

from tests.oracle.examples import examples
from treefront import CartSplits, DPDTClassifier, DPDTRegressor, Tree

pd = pytest.importorskip("pandas")
shap = pytest.importorskip("shap")


def expected(tree: Tree, row: np.ndarray, known: set[int], node: int = 0) -> np.ndarray:
    """Prediction where only some features are known: the others go both ways, by weight."""
    if tree.feature[node] < 0:
        return tree.value[node] if tree.classes is None else tree.shares[node]
    left, right = int(tree.left[node]), int(tree.right[node])
    if int(tree.feature[node]) in known:
        return expected(tree, row, known, left if tree.goes_left(node, row)[0] else right)
    parts = [tree.weight[side] * expected(tree, row, known, side) for side in (left, right)]
    return sum(parts) / tree.weight[node]


def by_all_subsets(tree: Tree, row: np.ndarray) -> np.ndarray:
    p = tree.n_features
    result = np.zeros((p, tree.value.shape[1]))
    for i in range(p):
        others = [j for j in range(p) if j != i]
        for size in range(p):
            for chosen in map(set, combinations(others, size)):
                gain = expected(tree, row, chosen | {i}) - expected(tree, row, chosen)
                result[i] += gain / (p * comb(p - 1, size))
    return result


@st.composite
def tables(draw):
    n = draw(st.integers(4, 25))

    def column(*cells):
        return draw(st.lists(st.sampled_from(cells), min_size=n, max_size=n))

    frame = pd.DataFrame(
        {
            "a": np.array(column(0.0, 1.0, 2.0, 3.0, np.nan)),
            "b": np.array(column(0.0, 1.0, 2.0)),
            "c": pd.Series(column("x", "y", "z", None), dtype=object),
        }
    )
    weight = draw(st.none() | st.lists(st.sampled_from([0.5, 1, 3]), min_size=n, max_size=n))
    return frame, np.array(column(0, 1, 2)), weight


@given(tables(), st.booleans())
@examples(25)
def test_all_subsets(table, regression):
    frame, y, weight = table
    estimator = DPDTRegressor if regression else DPDTClassifier
    model = estimator(max_depth=4, splits=CartSplits(depth=4)).fit(frame, y, weight)
    tree, probe = model.tree_, frame.head(4).copy()
    probe.loc[0, "c"] = "never seen"
    values = tree.shap_values(probe)
    values = values[:, :, None] if values.ndim == 2 else values
    for i in range(len(probe)):
        truth = by_all_subsets(tree, tree._rows(probe.iloc[[i]]))
        np.testing.assert_allclose(values[i], truth, atol=1e-12)


def test_the_package_shap_says_the_same_of_classes():
    X, y = load_iris(return_X_y=True)
    X = X.astype(np.float32)
    tree = DPDTClassifier(max_depth=4).fit(X, y).tree_
    theirs = shap.TreeExplainer(tree.to_sklearn(X))
    np.testing.assert_allclose(tree.shap_values(X), theirs.shap_values(X), atol=1e-9)
    np.testing.assert_allclose(tree.expected_value, theirs.expected_value)


def test_the_package_shap_says_the_same_of_numbers():
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    tree = DPDTRegressor(max_depth=5).fit(X, y).tree_
    theirs = shap.TreeExplainer(tree.to_sklearn(X))
    np.testing.assert_allclose(tree.shap_values(X), theirs.shap_values(X), atol=1e-6)
    assert tree.expected_value == pytest.approx(float(np.ravel(theirs.expected_value)[0]))


def test_values_sum_to_the_prediction():
    X, y = load_diabetes(return_X_y=True)
    both = np.stack([y, X[:, 2]], axis=1)
    tree = DPDTRegressor(max_depth=3).fit(X, both).tree_
    values = tree.shap_values(X)
    assert values.shape == (len(X), X.shape[1], 2)
    np.testing.assert_allclose(values.sum(axis=1) + tree.expected_value, tree.predict(X))


def test_a_leaf_owes_nothing_to_any_feature():
    tree = DPDTClassifier(max_depth=0).fit([[0.0], [1.0]], ["a", "b"]).tree_
    assert not tree.shap_values([[0.0], [5.0]]).any()


def test_an_explanation_for_the_plots_of_shap():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["r", "g", "r", None]})
    tree = DPDTClassifier(max_depth=2).fit(frame, ["a", "b", "b", "b"]).tree_
    explanation = tree.explain(frame)
    assert explanation.shape == (4, 2, 2)
    assert explanation.feature_names == ["size", "colour"]
    total = explanation.values.sum(axis=1) + explanation.base_values
    np.testing.assert_allclose(total, tree.predict_proba(frame))
