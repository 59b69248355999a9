"""A search at one price gives the tree that the front gives at that price."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import true_point
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import best
from tests.oracle.tables import Table, noisy_tables, tables

SPLITS = [[("all",)], [("cart", 2, 0, "gini")], [("cart", 0, 4, "entropy")], [("top", 3, "gini")]]


@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@pytest.mark.parametrize("splits", SPLITS, ids=lambda splits: splits[0][0])
@given(
    table=st.one_of(tables(max_rows=14, max_features=3), noisy_tables(min_rows=20, max_rows=60)),
    complexity=st.sampled_from(["tests", "splits"]),
    min_samples_leaf=st.integers(1, 3),
)
@examples(10)
def test_value(exact_tail, splits, table: Table, complexity, min_samples_leaf):
    options = {
        "depth": 2,
        "splits": splits,
        "exact_tail": exact_tail,
        "complexity": complexity,
        "min_samples_leaf": min_samples_leaf,
    }
    front = points(search(table.X, table.y, table.weight, **options))
    weights = 1 if complexity == "tests" else sum(table.exact_weight)
    for sixteenths in (0, 1, 2, 5, 16, 40):
        alpha = Fraction(sixteenths, 16) * weights  # a binary fraction: no rounding
        result = search(table.X, table.y, table.weight, alpha=float(alpha), **options)
        assert result.status == "complete"
        (point,) = points(result)
        assert point == true_point(result.tree(0), table, complexity)
        assert best([point], 1, alpha) == best(front, 1, alpha)
