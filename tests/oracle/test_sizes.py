"""``every_size``: the best tree for every number of splits, not only those on the hull."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.bellman import spanned
from tests.oracle.engine import ALL, points, search
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries
from tests.oracle.tables import Table, tables
from treefront import _core

START = [("quantile", 1)]


def best_by_size(trees):
    """Fewest errors for each complexity, where a larger tree has fewer."""
    chain = []
    for complexity, errors in sorted(trees):
        if not chain or errors < chain[-1][1]:
            chain.append((complexity, errors))
    return chain


def check(table: Table, depth: int, min_samples_leaf: int, **how) -> None:
    problem = table.problem(
        all_boundaries(table.X), complexity="splits", min_samples_leaf=min_samples_leaf
    )
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        complexity="splits",
        every_size=True,
        min_samples_leaf=min_samples_leaf,
        **how,
    )
    assert points(result) == best_by_size(spanned(problem, depth))


@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@given(tables(max_rows=9, max_features=2), st.integers(0, 3), st.integers(1, 3))
@examples(25)
def test_enumeration(exact_tail, table: Table, depth, min_samples_leaf):
    check(table, depth, min_samples_leaf, splits=ALL, exact_tail=exact_tail)


@given(tables(max_rows=9, max_features=2), st.integers(0, 4), st.integers(1, 3), st.integers(1, 2))
@examples(40)
def test_branch_and_bound(table: Table, depth, min_samples_leaf, n_threads):
    how = {"splits": START, "exact_tail": 1, "prove": "front", "n_threads": n_threads}
    check(table, depth, min_samples_leaf, **how)


def test_it_is_for_numbers_of_splits():
    with pytest.raises(ValueError, match="every_size needs complexity='splits'"):
        search([[0.0], [1.0]], [0, 1], depth=1, every_size=True)
    assert "every_size" in _core.search.__doc__
