"""All tests admissible: the front is the hull of every tree there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.bellman import spanned
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries
from tests.oracle.hull import lower_left_hull
from tests.oracle.tables import Table, tables

complexities = st.sampled_from(["tests", "splits"])


def check(table: Table, depth: int, complexity: str, min_samples_leaf: int) -> None:
    problem = table.problem(
        all_boundaries(table.X), complexity=complexity, min_samples_leaf=min_samples_leaf
    )
    expected = lower_left_hull(spanned(problem, depth))
    for exact_tail in (0, 1, 2):
        result = search(
            table.X,
            table.y,
            table.weight,
            depth=depth,
            exact_tail=exact_tail,
            complexity=complexity,
            min_samples_leaf=min_samples_leaf,
        )
        assert result.status == "complete"
        assert points(result) == expected, f"exact_tail={exact_tail}"


@given(tables(max_rows=12, max_features=3), st.integers(0, 2), complexities, st.integers(1, 4))
@examples(120)
def test_shallow(table: Table, depth, complexity, min_samples_leaf):
    check(table, depth, complexity, min_samples_leaf)


@given(tables(max_rows=8, max_features=2), complexities, st.integers(1, 3))
@examples(60)
def test_depth_3(table: Table, complexity, min_samples_leaf):
    check(table, 3, complexity, min_samples_leaf)


@given(tables(max_rows=6, max_features=2), complexities)
@examples(25)
def test_depth_5_is_more_than_any_tree_can_use(table: Table, complexity):
    check(table, 5, complexity, 1)


@given(
    tables(max_rows=7, max_classes=12, weights=("none", "integers")),
    complexities,
    st.integers(1, 2),
)
@examples(25)
def test_many_classes(table: Table, complexity, min_samples_leaf):
    check(table, 2, complexity, min_samples_leaf)
