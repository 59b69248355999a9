"""The twins agree with each other, with arithmetic done by hand, and with scikit-learn."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tests.oracle.bellman import Problem, bellman, spanned
from tests.oracle.boundaries import midpoints
from tests.oracle.cart import AmbiguousError, Cart
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries, top
from tests.oracle.hull import best, lower_left_hull
from tests.oracle.tables import Table, noisy_tables, tables


def test_four_classes_need_two_tests_each():
    # The paper's appendix B: a label per row, none of them told apart by one test.
    X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]])
    problem = Problem(X, np.arange(4), [1] * 4, all_boundaries(X))
    front = lower_left_hull(spanned(problem, 2))
    assert front == [(0, 3), (8, 0)]  # (4, 2) lies above the edge, (4 + 2, 1) on it or above
    assert bellman(problem, 2, test_price=Fraction(1, 4)) == 2


def test_hull_drops_points_on_edges_and_dominated_points():
    points = [(0, 4), (1, 3), (2, 2), (3, 2), (4, 0), (5, 0), (2, 3), (0, 5)]
    assert lower_left_hull(points) == [(0, 4), (4, 0)]


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
@examples(50)
def test_hull_vertices_are_what_some_price_wants(points):
    vertices = lower_left_hull(points)
    # Slopes between integers of 0..9 are fractions of 1..9: every price in between is tried.
    prices = sorted({Fraction(a, b) for a in range(10) for b in range(1, 10)})
    prices += [(a + b) / 2 for a, b in pairwise(prices)] + [100]
    wanted = set()
    for price in prices:
        value = min(e + price * c for c, e in points)
        at_best = [p for p in points if p[1] + price * p[0] == value]
        if len(at_best) == 1:
            wanted |= set(at_best)
        assert best(vertices, 1, price) == value
    free = min(points, key=lambda p: (p[1], p[0]))
    assert set(vertices) == wanted | {free}


@given(tables(max_rows=7), st.sampled_from(["tests", "splits"]), st.integers(0, 3))
@examples(40)
def test_bellman_is_the_best_of_all_trees_spanned(table: Table, complexity, depth):
    problem = table.problem(all_boundaries(table.X), complexity=complexity)
    points = spanned(problem, depth)
    for price in (Fraction(0), Fraction(1, 7), Fraction(1), Fraction(10**6)):
        assert bellman(problem, depth, test_price=price) == best(points, 1, price)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("limit", [{"depth": 2}, {"max_leaves": 5}, {"depth": 3, "max_leaves": 6}])
@given(table=noisy_tables(max_rows=60), min_samples_leaf=st.integers(1, 4))
@examples(6)
def test_our_cart_is_scikit_learns(criterion, limit, table: Table, min_samples_leaf):
    cart = Cart(criterion, min_samples_leaf=min_samples_leaf, refuse_ties=True, **limit)
    rows = tuple(range(len(table.y)))
    try:
        ours = cart.tests(table.X, table.y, table.exact_weight, rows)
    except AmbiguousError:
        reject()
    peer = DecisionTreeClassifier(
        criterion=criterion,
        max_depth=limit.get("depth"),
        max_leaf_nodes=limit.get("max_leaves"),
        min_samples_leaf=min_samples_leaf,
        random_state=0,
    ).fit(table.X, table.y, sample_weight=table.weight)
    inner = peer.tree_.feature >= 0
    theirs = zip(peer.tree_.feature[inner], peer.tree_.threshold[inner], strict=True)
    assert sorted(ours) == sorted((int(f), float(t)) for f, t in theirs)


def test_ties_go_to_the_lowest_feature_and_threshold():
    X = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])
    y = np.array([0, 1, 0])  # both boundaries of both columns gain the same
    rows = (0, 1, 2)
    assert Cart("gini", max_leaves=2).tests(X, y, [1] * 3, rows) == [(0, 1.5)]
    assert list(top(X, y, [1] * 3, n_best=3, criterion="gini")(rows, 1)) == [
        (0, 1.5),
        (0, 2.5),
        (1, 1.5),
    ]
    with pytest.raises(AmbiguousError):
        Cart("gini", max_leaves=2, refuse_ties=True).tests(X, y, [1] * 3, rows)


def test_midpoints_separate_neighbouring_floats():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    (t,) = midpoints(np.array([high, low, low]))
    assert low <= t < high
    (t,) = midpoints(np.array([-1.7e308, 1.7e308]))
    assert t == 0.0
