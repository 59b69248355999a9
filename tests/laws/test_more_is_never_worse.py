"""More depth, more tests, or a longer exact tail is never worse, at any price of complexity."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import price_where_worse
from tests.oracle.tables import Table, noisy_tables, tables

any_table = st.one_of(
    tables(max_rows=16, max_features=3), noisy_tables(min_rows=20, max_rows=60, max_features=3)
)
complexities = st.sampled_from(["tests", "splits"])
tails = st.integers(0, 2)
leaf_sizes = st.integers(1, 4)

# Each list runs from fewer tests to a superset of them, state by state.
NESTED = {
    "cart depth": [[("cart", depth, 0, "entropy")] for depth in (1, 2, 3)] + [[("all",)]],
    "cart leaves": [[("cart", 0, leaves, "gini")] for leaves in (2, 3, 5, 9)] + [[("all",)]],
    "top": [[("top", n_best, "gini")] for n_best in (1, 2, 5)] + [[("all",)]],
    "tied splits": [
        [("cart", 2, 0, "entropy", False)],
        [("cart", 2, 0, "entropy", True)],
        [("all",)],
    ],
    "both impurities": [[("cart", 2, 0, "gini")], [("cart", 2, 0, "both")], [("all",)]],
    "levels": [
        [("cart", 1, 0, "gini")],
        [("cart", 2, 0, "gini"), ("cart", 1, 0, "gini")],
        [("cart", 2, 0, "gini")],
        [("all",), ("cart", 2, 0, "gini")],
    ],
}


def never_worse(fronts) -> None:
    for less, more in pairwise(fronts):
        assert price_where_worse(points(more), points(less)) is None


@given(
    any_table,
    st.sampled_from(
        [
            ([("cart", 2, 0, "gini")], 0),
            ([("top", 2, "entropy")], 0),
            ([("cart", 2, 0, "gini")], 1),
            ([("top", 2, "entropy")], 2),
            ([("cart", 1, 0, "entropy")], 2),
            ([("all",)], 1),
            ([("all",)], 2),
        ]
    ),
    complexities,
    leaf_sizes,
)
@examples(40)
def test_depth(table: Table, search_space, complexity, min_samples_leaf):
    splits, exact_tail = search_space
    options = {
        "splits": splits,
        "exact_tail": exact_tail,
        "complexity": complexity,
        "min_samples_leaf": min_samples_leaf,
    }
    depths = range(3 if splits == [("all",)] and len(table.y) > 16 else 5)
    never_worse(search(table.X, table.y, table.weight, depth=d, **options) for d in depths)


@pytest.mark.parametrize("family", sorted(NESTED))
@given(any_table, tails, complexities, leaf_sizes)
@examples(12)
def test_superset_of_tests(family, table: Table, exact_tail, complexity, min_samples_leaf):
    options = {
        "depth": 3 if len(table.y) <= 16 else 2,
        "exact_tail": exact_tail,
        "complexity": complexity,
        "min_samples_leaf": min_samples_leaf,
    }
    never_worse(
        search(table.X, table.y, table.weight, splits=splits, **options)
        for splits in NESTED[family]
    )


@given(any_table, st.sampled_from(sorted(NESTED)), complexities, leaf_sizes, st.integers(1, 4))
@examples(40)
def test_longer_tail(table: Table, family, complexity, min_samples_leaf, depth):
    options = {
        "depth": depth,
        "splits": NESTED[family][1],
        "complexity": complexity,
        "min_samples_leaf": min_samples_leaf,
    }
    never_worse(
        search(table.X, table.y, table.weight, exact_tail=tail, **options) for tail in (0, 1, 2)
    )
