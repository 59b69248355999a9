"""Branch and bound proves what full enumeration finds: one tree, or the front of all trees."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import true_point
from tests.oracle.bellman import spanned
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.generators import all_boundaries
from tests.oracle.hull import best, lower_left_hull
from tests.oracle.tables import Table, noisy_tables, tables, with_optimum_at_an_end
from treefront import _core

DYADIC = [0.0, 1 / 64, 1 / 8, 1.0]  # with weights in eighths every sum is exact
ALPHAS = st.sampled_from([*DYADIC, 1 / 3])
COMPLEXITIES = st.sampled_from(["tests", "splits"])
WEAK = [("cart", 1, 0, "entropy")], [("quantile", 1)], [("top", 1, "gini")]
SHORTCUTS = "monotone", "similar", "undivided", "margin", "memo"
MOST_ROWS = {1: 14, 2: 11, 3: 8, 4: 7}


@st.composite
def how(draw) -> dict:
    """How the work is done, which must not matter: a weak start leaves much to the proof."""
    return {
        "splits": draw(st.sampled_from(WEAK)),
        "exact_tail": draw(st.integers(0, 2)),
        "n_threads": draw(st.sampled_from([1, 1, 2, 4])),
        "memo_bytes": draw(st.sampled_from([1, 1 << 28])),
        "kernel": draw(st.sampled_from(_core.kernels())),
        "without": draw(st.sampled_from([[], *([shortcut] for shortcut in SHORTCUTS)])),
        "baselines": draw(st.sampled_from([[], ["entropy", "gini"]])),
    }


def hard_tables(depth: int) -> st.SearchStrategy[Table]:
    plain = tables(max_rows=MOST_ROWS[depth], max_features=3 if depth < 3 else 2)
    return st.one_of(plain, with_optimum_at_an_end(plain))


def same(found: float, expected: Fraction, alpha: float, table: Table) -> bool:
    if alpha in DYADIC:
        return Fraction(found) == expected
    return abs(found - float(expected)) <= 1e-12 * float(sum(table.exact_weight))


def check_tree(table: Table, result, expected: Fraction, alpha: float, complexity: str) -> None:
    """The best tree at `alpha` is the best there is, and the result says so and no more."""
    price = Fraction(alpha)
    found = points(result)
    assert result.status == "optimal"
    assert same(float(best(found, 1, price)), expected, alpha, table)
    assert same(result.lower_bound, expected, alpha, table)
    assert found == lower_left_hull(found)
    assert any(result.proved)
    for i, (point, proved) in enumerate(zip(found, result.proved, strict=True)):
        assert true_point(result.tree(i), table, complexity) == point
        if proved:
            assert same(float(best([point], 1, price)), expected, alpha, table)


@pytest.mark.parametrize("depth", MOST_ROWS)
@given(st.data(), COMPLEXITIES, st.integers(1, 3), ALPHAS, how())
@examples(120)
def test_against_every_tree_there_is(depth, data, complexity, min_samples_leaf, alpha, how):
    table = data.draw(hard_tables(depth))
    problem = table.problem(
        all_boundaries(table.X), complexity=complexity, min_samples_leaf=min_samples_leaf
    )
    every = spanned(problem, depth)
    expected = best(every, 1, Fraction(alpha))

    def proof(prove):
        return search(
            table.X,
            table.y,
            table.weight,
            depth=depth,
            complexity=complexity,
            min_samples_leaf=min_samples_leaf,
            prove=prove,
            prove_alpha=alpha,
            **how,
        )

    check_tree(table, proof("tree"), expected, alpha, complexity)
    front = proof("front")
    assert (front.status, points(front)) == ("optimal", lower_left_hull(every))
    assert all(front.proved)
    assert same(front.lower_bound, expected, alpha, table)
    for i, point in enumerate(points(front)):
        assert true_point(front.tree(i), table, complexity) == point


LARGER = st.one_of(
    tables(max_rows=40, max_features=3, levels=14),
    noisy_tables(min_rows=20, max_rows=60, max_features=3, weights=("none", "eighths")),
)


@pytest.mark.parametrize("prove", ["tree", "front"])
@given(LARGER, st.integers(2, 3), COMPLEXITIES, st.integers(1, 5), ALPHAS, how())
@examples(60)
def test_against_the_search_over_all_tests(
    prove, table: Table, depth, complexity, min_samples_leaf, alpha, how
):
    options = {"depth": depth, "complexity": complexity, "min_samples_leaf": min_samples_leaf}
    every = points(search(table.X, table.y, table.weight, exact_tail=2, **options))
    result = search(
        table.X, table.y, table.weight, prove=prove, prove_alpha=alpha, **options, **how
    )
    if prove == "tree":
        check_tree(table, result, best(every, 1, Fraction(alpha)), alpha, complexity)
    else:
        assert points(result) == every
        assert all(result.proved)
