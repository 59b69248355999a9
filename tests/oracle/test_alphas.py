"""A thousand alphas: the best tree of the front is worth what a Bellman backup says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.bellman import bellman
from tests.oracle.cart import Cart, cart_tests
from tests.oracle.engine import points, search, through_python
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries, last_levels_exact
from tests.oracle.hull import best
from tests.oracle.tables import Table, noisy_tables, tables

N = 1000
THOUSANDTHS = np.arange(N + 1, dtype=np.int64)  # alpha * 1000 for 0, 0.001, ..., 1


def check(table: Table, problem, depth: int, result) -> None:
    """Everything times 1000: exact in 64-bit integers."""
    # For "splits" alpha is the price of a split in units of the error rate.
    scale = 1 if problem.complexity == "tests" else sum(problem.weight)
    prices = THOUSANDTHS * scale
    expected = bellman(problem, depth, error_price=N, test_price=prices)
    vertices = points(result)
    assert [best(vertices, N, int(price)) for price in prices] == expected.tolist()


@pytest.mark.parametrize("complexity", ["tests", "splits"])
@given(
    table=tables(max_rows=14, max_features=2, weights=("none", "integers")),
    depth=st.integers(0, 3),
    min_samples_leaf=st.integers(1, 3),
)
@examples(12)
def test_all_tests(complexity, table: Table, depth, min_samples_leaf):
    problem = table.problem(
        all_boundaries(table.X), complexity=complexity, min_samples_leaf=min_samples_leaf
    )
    options = {"complexity": complexity, "min_samples_leaf": min_samples_leaf}
    check(table, problem, depth, search(table.X, table.y, table.weight, depth=depth, **options))


@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@given(
    table=noisy_tables(min_rows=15, max_rows=30, max_features=3),
    complexity=st.sampled_from(["tests", "splits"]),
    min_samples_leaf=st.integers(1, 4),
)
@examples(5)
def test_cart_tests_on_continuous_features(exact_tail, table, complexity, min_samples_leaf):
    cart = Cart("entropy", depth=2, min_samples_leaf=min_samples_leaf)
    generator = cart_tests(table.X, table.y, table.exact_weight, cart)
    problem = table.problem(
        last_levels_exact(generator, table.X, exact_tail),
        exact_tail=exact_tail,
        complexity=complexity,
        min_samples_leaf=min_samples_leaf,
    )
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=3,
        splits=[through_python(generator)],
        exact_tail=exact_tail,
        complexity=complexity,
        min_samples_leaf=min_samples_leaf,
    )
    check(table, problem, 3, result)


@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@given(table=tables(max_rows=10, max_features=2, weights=("reals",)), depth=st.integers(1, 3))
@examples(20)
def test_real_weights_up_to_rounding(exact_tail, table: Table, depth):
    problem = table.problem(all_boundaries(table.X))
    result = search(table.X, table.y, table.weight, depth=depth, exact_tail=exact_tail)
    total = float(sum(table.weight))
    vertices = points(result)
    for alpha in [Fraction(0), *(Fraction(1, 2**k) for k in range(12))]:
        expected = bellman(problem, depth, test_price=alpha)
        assert float(best(vertices, 1, alpha) - expected) == pytest.approx(0, abs=1e-12 * total)
    assert all(np.diff(result.complexity) > 0)
    assert all(np.diff(result.errors) < 0)
