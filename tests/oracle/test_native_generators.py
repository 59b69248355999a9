"""The engine's own generators admit the tests that the twins' generators admit.

Where rounding alone decides what CART takes, an example is rejected. The rules for exact ties are
checked on data where both sides of a tie are computed from the same numbers.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.oracle.bellman import bellman
from tests.oracle.cart import AmbiguousError, Cart, cart_tests
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.generators import last_levels_exact, quantiles, top
from tests.oracle.hull import best
from tests.oracle.impurity import scored_tests
from tests.oracle.tables import Table, noisy_tables, tables

CARTS = [
    ("entropy", 1, None),
    ("entropy", 2, None),
    ("gini", 2, None),
    ("gini", None, 4),
    ("entropy", None, 3),
    ("gini", 2, 3),
]
PRICES = np.concatenate([[0], 4 ** np.arange(12)])  # of a test, where an error costs 4**9
ERROR = 4**9


def same_values(problem, depth: int, result) -> None:
    """At every price, so with every vertex at stake somewhere."""
    expected = bellman(problem, depth, error_price=8 * ERROR, test_price=8 * PRICES)
    vertices = points(result)
    assert [best(vertices, 8 * ERROR, 8 * int(p)) for p in PRICES] == [int(v) for v in expected]


@pytest.mark.parametrize(("criterion", "depth", "max_leaves"), CARTS)
@given(
    table=noisy_tables(min_rows=20, max_rows=45, max_features=3, weights=("none", "eighths")),
    min_samples_leaf=st.integers(2, 5),
    exact_tail=st.integers(0, 2),
)
@examples(8)
def test_cart(criterion, depth, max_leaves, table: Table, min_samples_leaf, exact_tail):
    cart = Cart(criterion, depth, max_leaves, min_samples_leaf, refuse_ties=True)
    generator = cart_tests(table.X, table.y, table.exact_weight, cart)
    problem = table.problem(
        last_levels_exact(generator, table.X, exact_tail),
        exact_tail=exact_tail,
        min_samples_leaf=min_samples_leaf,
    )
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=2,
        splits=[("cart", depth or 0, max_leaves or 0, criterion)],
        exact_tail=exact_tail,
        min_samples_leaf=min_samples_leaf,
    )
    try:
        same_values(problem, 2, result)
    except AmbiguousError:
        reject()


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@given(
    table=noisy_tables(min_rows=20, max_rows=45, max_features=3, weights=("none", "eighths")),
    min_samples_leaf=st.integers(2, 5),
    n_best=st.integers(1, 6),
)
@examples(10)
def test_top(criterion, table: Table, min_samples_leaf, n_best):
    X, y, weight = table.X, table.y, table.exact_weight
    best_tests = top(
        X, y, weight, n_best=n_best, criterion=criterion, min_samples_leaf=min_samples_leaf
    )

    def generator(rows, r):
        gains = sorted(
            (s.gain for s in scored_tests(X, y, weight, rows, criterion, min_samples_leaf)),
            reverse=True,
        )
        if len(gains) > n_best and gains[n_best - 1] - gains[n_best] < 1e-9:
            raise AmbiguousError
        return best_tests(rows, r)

    problem = table.problem(generator, min_samples_leaf=min_samples_leaf)
    result = search(
        X,
        y,
        table.weight,
        depth=2,
        splits=[("top", n_best, criterion)],
        min_samples_leaf=min_samples_leaf,
    )
    try:
        same_values(problem, 2, result)
    except AmbiguousError:
        reject()


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("spec", ["cart", "top"])
def test_exact_ties_go_to_the_lowest_feature_then_the_lowest_threshold(criterion, spec):
    column = np.array([1.0, 2.0, 3.0])
    y = [0, 1, 2]  # both boundaries gain the same, and so do equal and mirrored columns
    splits = [("cart", 1, 0, criterion)] if spec == "cart" else [("top", 1, criterion)]
    for X in ([column, column], [column, -column], [np.full(3, 7.0), column, column * 2]):
        result = search(np.column_stack(X), y, depth=1, splits=splits)
        tree = result.tree(len(result.errors) - 1)
        first = next(f for f, values in enumerate(X) if len(set(values)) > 1)
        assert (tree["feature"][0], tree["threshold"][0]) == (first, 1.5)


@given(
    table=st.one_of(tables(max_rows=14, max_features=3), noisy_tables(min_rows=20, max_rows=45)),
    q=st.integers(1, 5),
    min_samples_leaf=st.integers(1, 4),
)
@examples(40)
def test_quantiles(table: Table, q, min_samples_leaf):
    problem = table.problem(quantiles(table.X, q), min_samples_leaf=min_samples_leaf)
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=2,
        splits=[("quantile", q)],
        min_samples_leaf=min_samples_leaf,
    )
    same_values(problem, 2, result)
