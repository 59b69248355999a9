"""Fewer tests, given through a callable to both sides, with and without an exact tail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.bellman import Generator, spanned
from tests.oracle.cart import Cart, cart_tests
from tests.oracle.engine import points, search, through_python
from tests.oracle.examples import examples
from tests.oracle.generators import last_levels_exact, quantiles, top
from tests.oracle.hull import lower_left_hull
from tests.oracle.tables import Table, tables

RESTRICTED = ["cart depth 1", "cart depth 2", "cart 3 leaves", "top 2", "quantiles"]


def restricted(name: str, table: Table, min_samples_leaf: int) -> Generator:
    X, y, weight = table.X, table.y, table.exact_weight
    leaf = {"min_samples_leaf": min_samples_leaf}
    if name == "cart depth 1":
        return cart_tests(X, y, weight, Cart("entropy", depth=1, **leaf))
    if name == "cart depth 2":
        return cart_tests(X, y, weight, Cart("gini", depth=2, **leaf))
    if name == "cart 3 leaves":
        return cart_tests(X, y, weight, Cart("entropy", max_leaves=3, **leaf))
    if name == "top 2":
        return top(X, y, weight, n_best=2, criterion="gini", **leaf)
    return quantiles(X, 2)


def check(table, generator, depth, exact_tail, complexity, min_samples_leaf) -> None:
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
        depth=depth,
        splits=[through_python(generator)],
        exact_tail=exact_tail,
        complexity=complexity,
        min_samples_leaf=min_samples_leaf,
    )
    assert points(result) == lower_left_hull(spanned(problem, depth))


@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@pytest.mark.parametrize("name", RESTRICTED)
@given(
    table=tables(max_rows=9, max_features=2),
    depth=st.integers(1, 3),
    complexity=st.sampled_from(["tests", "splits"]),
    min_samples_leaf=st.integers(1, 3),
)
@examples(15)
def test_front_is_the_hull_of_all_trees_spanned(
    name, exact_tail, table: Table, depth, complexity, min_samples_leaf
):
    generator = restricted(name, table, min_samples_leaf)
    check(table, generator, depth, exact_tail, complexity, min_samples_leaf)


@given(table=tables(max_rows=8, max_features=2), exact_tail=st.integers(0, 2))
@examples(25)
def test_a_generator_per_depth(table: Table, exact_tail):
    top_level, below = quantiles(table.X, 3), quantiles(table.X, 1)
    depth = 3

    def by_depth(rows, r):
        return top_level(rows, r) if r == depth else below(rows, r)

    problem = table.problem(last_levels_exact(by_depth, table.X, exact_tail), exact_tail=exact_tail)
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        splits=[through_python(top_level), through_python(below)],
        exact_tail=exact_tail,
    )
    assert points(result) == lower_left_hull(spanned(problem, depth))
