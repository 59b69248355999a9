"""Tests that have a price: by feature, and paid once on every path."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import rows_of_nodes
from tests.oracle.bellman import Rows
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import Point, best, lower_left_hull
from tests.oracle.kinds import LEAST_WEIGHTS, MixedProblem, mixed_tables
from treefront import _core

COMPLEXITIES = st.sampled_from(["tests", "splits"])


@dataclass(frozen=True, eq=False)
class PricedTests(MixedProblem):
    prices: tuple[float, ...] = ()  # by column
    groups: tuple[int, ...] = ()  # by column; empty: every test is paid for

    def of_column(self, column: int, rows: Rows, r: int):
        """Left and right rows of the tests of one column."""
        one = MixedProblem(
            self.X[:, [column]],
            self.y,
            self.weight,
            self.generator,
            self.complexity,
            self.min_samples_leaf,
            self.min_weight_leaf,
            n_levels=(self.n_levels[column],),
            n_classes=self.n_classes,
        )
        return one.actions(rows, r)


def spanned(problem: PricedTests, depth: int) -> frozenset[Point]:
    """The point (C, E) of every tree, by what was bought on the way."""

    @cache
    def points_of(rows: Rows, r: int, bought: frozenset[int]) -> frozenset[Point]:
        found = {(Fraction(0), Fraction(problem.leaf_error(rows)))}
        for column, price in enumerate(problem.prices if r > 0 else ()):
            group = problem.groups[column] if problem.groups else -1
            after = bought | {group} if problem.groups else bought
            cost = Fraction(0) if group in bought else Fraction(price) * problem.cost(rows)
            for left, right in problem.of_column(column, rows, r):
                found |= {
                    (cost + c1 + c2, e1 + e2)
                    for c1, e1 in points_of(left, r - 1, after)
                    for c2, e2 in points_of(right, r - 1, after)
                }
        return frozenset(lower_left_hull(found))  # sums of hulls are what a hull is made of

    return points_of(problem.all_rows, depth, frozenset())


@st.composite
def problems(draw, most_rows: int, depth: int, *, once: bool):
    table = draw(mixed_tables(max_rows=most_rows, max_features=3, most_levels=3))
    n_columns = len(table.n_levels)
    price = st.integers(0, 6).map(lambda k: k / 4)  # sums are exact
    prices = draw(st.lists(price, min_size=n_columns, max_size=n_columns))
    groups: tuple[int, ...] = ()
    if once:
        groups = tuple(draw(st.lists(st.integers(0, 2), min_size=n_columns, max_size=n_columns)))
        prices = [prices[groups.index(group)] for group in groups]
    options = {
        "complexity": draw(COMPLEXITIES),
        "min_samples_leaf": draw(st.integers(1, 2)),
        "min_weight_leaf": draw(LEAST_WEIGHTS),
    }
    n_classes = max(2, int(table.y.max()) + 1)
    problem = PricedTests(
        table.X,
        table.y,
        table.exact_weight,
        lambda rows, r: (),
        n_levels=table.n_levels,
        n_classes=n_classes,
        prices=tuple(prices),
        groups=groups,
        **options,
    )
    how = {
        "n_classes": n_classes,
        "n_levels": list(table.n_levels),
        "feature_costs": prices,
        "feature_groups": list(groups),
        **options,
    }
    return table, problem, how, lower_left_hull(spanned(problem, depth))


def check_trees(result, table, problem: PricedTests) -> None:
    for i, (c, e) in enumerate(points(result)):
        tree = result.tree(i)
        rows = rows_of_nodes(tree, table.X)
        paid, error = Fraction(0), Fraction(0)
        open_nodes = [(0, frozenset())]
        while open_nodes:
            node, bought = open_nodes.pop()
            here = tuple(int(row) for row in rows[node])
            column = int(tree["feature"][node])
            if column < 0:
                error += problem.leaf_error(here)
                continue
            group = problem.groups[column] if problem.groups else -1
            if group not in bought:
                paid += Fraction(problem.prices[column]) * problem.cost(here)
            after = bought | {group} if problem.groups else bought
            open_nodes += [(int(tree[side][node]), after) for side in ("left", "right")]
        assert (paid, error) == (c, e)


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize(("depth", "most_rows"), [(1, 10), (2, 8), (3, 6)])
@given(st.data(), st.sampled_from(_core.kernels()), st.integers(1, 2))
@examples(60)
def test_the_whole_front(once, depth, most_rows, data, kernel, n_threads):
    table, problem, how, expected = data.draw(problems(most_rows, depth, once=once))
    for exact_tail in (0, 1, 2):
        result = search(
            table.X,
            table.y,
            table.weight,
            depth=depth,
            exact_tail=exact_tail,
            kernel=kernel,
            n_threads=n_threads,
            **how,
        )
        assert points(result) == expected, f"exact_tail={exact_tail}"
        check_trees(result, table, problem)


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("prove", ["tree", "front"])
@given(st.data(), st.integers(1, 4), st.sampled_from([0.0, 1 / 64, 1 / 8, 1.0]))
@examples(60)
def test_proofs(once, prove, data, depth, alpha):
    most_rows = {1: 10, 2: 8, 3: 6, 4: 5}[depth]
    table, problem, how, expected = data.draw(problems(most_rows, depth, once=once))
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        prove=prove,
        prove_alpha=alpha,
        splits=[("cart", 1, 0, "gini")],
        exact_tail=data.draw(st.integers(0, 2)),
        **how,
    )
    least = best(expected, 1, Fraction(alpha))
    assert result.status == "optimal"
    assert Fraction(result.lower_bound) == best(points(result), 1, Fraction(alpha)) == least
    if prove == "front":
        assert points(result) == expected
    check_trees(result, table, problem)
