"""Missing values and categories: what full enumeration of their tests finds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import true_point
from tests.oracle.bellman import spanned
from tests.oracle.engine import leaves, points, search
from tests.oracle.examples import examples
from tests.oracle.hull import best, lower_left_hull
from tests.oracle.kinds import LEAST_WEIGHTS, Mixed, mixed_tables, problem
from treefront import _core

COMPLEXITIES = st.sampled_from(["tests", "splits"])


def run(table: Mixed, n_classes: int, **options):
    return search(
        table.X,
        table.y,
        table.weight,
        n_classes=n_classes,
        n_levels=list(table.n_levels),
        **options,
    )


def check_trees(result, table: Mixed, complexity: str) -> None:
    for i, point in enumerate(points(result)):
        tree = result.tree(i)
        assert true_point(tree, table, complexity) == point
        arrived = leaves(tree, table.X)
        for node, rows in enumerate(tree["n_rows"]):
            if tree["feature"][node] < 0:
                assert (arrived == node).sum() == rows


@pytest.mark.parametrize(("depth", "most_rows"), [(1, 12), (2, 9), (3, 7)])
@given(st.data(), COMPLEXITIES, st.integers(1, 3), LEAST_WEIGHTS, st.sampled_from(_core.kernels()))
@examples(100)
def test_the_whole_front(depth, most_rows, data, complexity, min_rows, min_weight, kernel):
    table = data.draw(mixed_tables(max_rows=most_rows))
    options = {
        "complexity": complexity,
        "min_samples_leaf": min_rows,
        "min_weight_leaf": min_weight,
    }
    n_classes = max(2, int(table.y.max()) + 1)
    expected = lower_left_hull(spanned(problem(table, n_classes, **options), depth))
    for exact_tail in (0, 1, 2):
        result = run(table, n_classes, depth=depth, exact_tail=exact_tail, kernel=kernel, **options)
        assert points(result) == expected, f"exact_tail={exact_tail}"
        check_trees(result, table, complexity)


@pytest.mark.parametrize("prove", ["tree", "front"])
@given(
    st.data(),
    st.integers(1, 4),
    COMPLEXITIES,
    st.integers(1, 2),
    LEAST_WEIGHTS,
    st.sampled_from([0.0, 1 / 64, 1 / 8]),
)
@examples(80)
def test_proofs(prove, data, depth, complexity, min_rows, min_weight, alpha):
    table = data.draw(mixed_tables(max_rows={1: 12, 2: 9, 3: 7, 4: 6}[depth]))
    options = {
        "complexity": complexity,
        "min_samples_leaf": min_rows,
        "min_weight_leaf": min_weight,
    }
    n_classes = max(2, int(table.y.max()) + 1)
    every = spanned(problem(table, n_classes, **options), depth)
    start = {"splits": [("cart", 1, 0, "gini")], "exact_tail": data.draw(st.integers(0, 2))}
    result = run(table, n_classes, depth=depth, prove=prove, prove_alpha=alpha, **start, **options)
    assert result.status == "optimal"
    assert Fraction(result.lower_bound) == best(every, 1, Fraction(alpha))
    assert best(points(result), 1, Fraction(alpha)) == best(every, 1, Fraction(alpha))
    if prove == "front":
        assert points(result) == lower_left_hull(every)
    check_trees(result, table, complexity)
