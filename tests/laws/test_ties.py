"""Ties: fewer errors, smaller C, fewer leaves, lowest feature, lowest threshold; lowest label."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.variants import front_bytes
from tests.laws.walk import rows_of_nodes
from tests.oracle.bellman import Rows
from tests.oracle.engine import labels, points, search
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries
from tests.oracle.tables import Table, tables

small = tables(max_rows=8, max_features=2, weights=("none", "integers"))
complexities = st.sampled_from(["tests", "splits"])


def fewest_leaves(problem, rows: Rows, r: int) -> dict:
    """For each point (C, E) of a tree spanned: the fewest leaves of such a tree."""
    found = {(0, problem.leaf_error(rows)): 1}
    if r > 0:
        for left, right in problem.actions(rows, r):
            for point, leaves in through(problem, rows, left, right, r).items():
                found[point] = min(leaves, found.get(point, leaves))
    return found


def through(problem, rows: Rows, left: Rows, right: Rows, r: int) -> dict:
    """The same for trees with one given test at the root."""
    found: dict = {}
    cost = problem.cost(rows)
    for (c1, e1), n1 in fewest_leaves(problem, left, r - 1).items():
        for (c2, e2), n2 in fewest_leaves(problem, right, r - 1).items():
            point = (cost + c1 + c2, e1 + e2)
            found[point] = min(n1 + n2, found.get(point, n1 + n2))
    return found


@given(small, complexities)
@examples(60)
def test_root_and_number_of_leaves(table: Table, complexity):
    generator = all_boundaries(table.X)
    problem = table.problem(generator, complexity=complexity)
    rows = problem.all_rows
    for depth in (1, 2):
        wanted = fewest_leaves(problem, rows, depth)
        first: dict = {}  # (point, leaves) -> the lowest test that makes it
        for test in sorted(generator(rows, depth)):
            side = table.X[:, test[0]] <= test[1]
            left, right = (tuple(np.flatnonzero(s).tolist()) for s in (side, ~side))
            for point, leaves in through(problem, rows, left, right, depth).items():
                first.setdefault((point, leaves), (test, left))
        result = search(table.X, table.y, table.weight, depth=depth, complexity=complexity)
        for i, point in enumerate(points(result)):
            tree = result.tree(i)
            n_leaves = int((tree["feature"] < 0).sum())
            assert n_leaves == wanted[point]
            if n_leaves > 1:
                test, left = first[point, n_leaves]
                assert tree["feature"][0] == test[0]
                reached = rows_of_nodes(tree, table.X)[tree["left"][0]]
                assert tuple(reached.tolist()) == left


@given(tables(max_rows=14, max_features=3), complexities, st.integers(1, 3), st.integers(1, 3))
@examples(60)
def test_the_tail_breaks_ties_as_the_search_does(table, complexity, depth, min_samples_leaf):
    options = {
        "depth": depth if len(table.y) <= 10 else min(depth, 2),
        "complexity": complexity,
        "min_samples_leaf": min_samples_leaf,
    }
    plain, *tails = (
        front_bytes(search(table.X, table.y, table.weight, exact_tail=tail, **options))
        for tail in (0, 1, 2)
    )
    assert tails == [plain, plain]


@given(tables(max_rows=14), st.integers(0, 2))
@examples(20)
def test_same_input_same_bytes(table: Table, exact_tail):
    options = {"depth": 2, "splits": [("cart", 2, 0, "gini")], "exact_tail": exact_tail}
    once, again = (front_bytes(search(table.X, table.y, table.weight, **options)) for _ in range(2))
    assert once == again


def test_a_leaf_takes_the_smallest_of_the_best_labels():
    result = search(np.zeros((4, 1)), [2, 1, 2, 1], depth=1)
    assert points(result) == [(0, 2)]
    assert labels(result.tree(0), np.zeros((1, 1))).tolist() == [1]
