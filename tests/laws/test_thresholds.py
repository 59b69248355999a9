"""A row goes left iff x <= t in float64: at t, just below and just above."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import ARRAYS, rows_of_nodes, true_point
from tests.oracle.bellman import spanned
from tests.oracle.engine import leaves, points, search
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries
from tests.oracle.hull import lower_left_hull
from tests.oracle.tables import Table, noisy_tables
from treefront import CartSplits, DPDTClassifier

EXTREMES = [-1.7e308, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, math.nextafter(1.0, 2.0), 1.7e308]


def probes(tree: dict, p: int) -> np.ndarray:
    """For every test: rows at its threshold and at both neighbours, elsewhere at all levels."""
    at = [
        (f, x)
        for f, t in zip(tree["feature"], tree["threshold"], strict=True)
        if f >= 0
        for x in (t, math.nextafter(t, -math.inf), math.nextafter(t, math.inf))
    ]
    columns = [[0.0, *(x for f, x in at if f == column)] for column in range(p)]
    grid = np.meshgrid(*columns, indexing="ij")
    return np.stack([axis.ravel() for axis in grid], axis=1)


@given(noisy_tables(max_rows=60, max_features=3), st.integers(1, 3))
@examples(15)
def test_apply(table: Table, depth):
    result = search(table.X, table.y, depth=depth, splits=[("cart", 2, 0, "gini")], exact_tail=2)
    tree = result.tree(len(result.errors) - 1)
    X = probes(tree, table.X.shape[1])
    reached = leaves(tree, X)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        if tree["feature"][node] < 0:
            assert (reached[rows] == node).all()


@given(noisy_tables(max_rows=60, max_features=3, weights=("none",)))
@examples(5)
def test_predict(table: Table):
    model = DPDTClassifier(max_depth=3, splits=CartSplits(depth=2)).fit(table.X, table.y)
    for tree in model.front_:
        arrays = {name: np.asarray(getattr(tree, name)) for name in ARRAYS}
        X = probes(arrays, table.X.shape[1])
        predicted = tree.predict(X)
        for node, rows in enumerate(rows_of_nodes(arrays, X)):
            if arrays["feature"][node] < 0:
                label = model.classes_[np.argmax(arrays["value"][node])]
                assert (np.asarray(predicted)[rows] == label).all()


@given(st.data())
@examples(40)
def test_neighbouring_floats_extremes_and_both_zeros_are_told_apart_as_comparison_does(data):
    n = data.draw(st.integers(2, 9))
    X = np.array(data.draw(st.lists(st.sampled_from(EXTREMES), min_size=n, max_size=n)))[:, None]
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    table = Table(X, y, None)
    expected = lower_left_hull(spanned(table.problem(all_boundaries(X)), 2))
    for exact_tail in (0, 1, 2):
        result = search(X, y, depth=2, exact_tail=exact_tail)
        assert points(result) == expected
        for i, claim in enumerate(expected):
            assert true_point(result.tree(i), table, "tests") == claim


@pytest.mark.parametrize("threshold", [2.0, 2.5, math.nextafter(3.0, 2.0)])
def test_a_callable_may_cut_anywhere_in_a_gap(threshold):
    X, y = np.array([1.0, 2.0, 3.0, 4.0])[:, None], np.array([0, 0, 1, 1])
    result = search(X, y, depth=1, splits=[("callable", lambda rows: [(0, threshold)])])
    tree = result.tree(1)
    assert points(result) == [(0, 2), (4, 0)]
    assert 2.0 <= tree["threshold"][0] < 3.0


def test_a_callable_that_cuts_nothing_off_adds_no_tree():
    X, y = np.array([1.0, 2.0])[:, None], np.array([0, 1])
    useless = [(0, 0.5), (0, 2.0), (0, 1e300), (0, math.nextafter(1.0, 0.0))]
    result = search(X, y, depth=2, splits=[("callable", lambda rows: useless)])
    assert points(result) == [(0, 1)]
