"""Prices of errors: by class, and by class and prediction."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import rows_of_nodes
from tests.oracle.bellman import spanned
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import best, lower_left_hull
from tests.oracle.kinds import LEAST_WEIGHTS, MixedProblem, mixed_tables
from treefront import _core

COMPLEXITIES = st.sampled_from(["tests", "splits"])


@dataclass(frozen=True, eq=False)
class PricedProblem(MixedProblem):
    costs: np.ndarray | None = None  # [class][prediction]

    def leaf_error(self, rows):
        return min(
            sum(Fraction(self.weight[i]) * Fraction(self.costs[self.y[i], k]) for i in rows)
            for k in range(len(self.costs))
        )


@st.composite
def problems(draw, most_rows: int, depth: int, *, by_class: bool):
    # Orders of more than four levels are by share of costs, which the twin does not follow.
    table = draw(mixed_tables(max_rows=most_rows, most_levels=3))
    n_classes = max(2, int(table.y.max()) + 1)
    price = st.integers(0, 12).map(lambda k: k / 4)  # sums are exact
    if by_class:
        prices = draw(st.lists(price, min_size=n_classes, max_size=n_classes))
        costs = np.repeat(np.array(prices)[:, None], n_classes, axis=1)
    else:
        flat = draw(st.lists(price, min_size=n_classes**2, max_size=n_classes**2))
        costs = np.array(flat).reshape(n_classes, n_classes)
    np.fill_diagonal(costs, 0.0)
    options = {
        "complexity": draw(COMPLEXITIES),
        "min_samples_leaf": draw(st.integers(1, 3)),
        "min_weight_leaf": draw(LEAST_WEIGHTS),
    }
    problem = PricedProblem(
        table.X,
        table.y,
        table.exact_weight,
        lambda rows, r: (),
        n_levels=table.n_levels,
        n_classes=n_classes,
        costs=costs,
        **options,
    )
    return table, costs, options, lower_left_hull(spanned(problem, depth))


def run(table, costs, *, by_class: bool, **options):
    how = {}
    if by_class:
        weight = np.array([float(w) for w in table.exact_weight])
        how["loss_weight"] = weight * costs.max(axis=1)[table.y]
    else:
        how |= {"numbers": costs[table.y], "costs": True}
    return search(
        table.X,
        table.y,
        table.weight,
        n_classes=len(costs),
        n_levels=list(table.n_levels),
        **how,
        **options,
    )


def check_trees(result, table, costs, complexity: str) -> None:
    for i, (c, e) in enumerate(points(result)):
        tree = result.tree(i)
        loss = made = Fraction(0)
        for node, rows in enumerate(rows_of_nodes(tree, table.X)):
            here = [Fraction(table.exact_weight[r]) for r in rows]
            if tree["feature"][node] >= 0:
                made += sum(here) if complexity == "tests" else 1
                continue
            decision = tree["decision"][node]
            paid = [w * Fraction(costs[table.y[r], decision]) for w, r in zip(here, rows)]
            loss += sum(paid)
            for k, weight in enumerate(tree["value"][node]):
                assert weight == sum(w for w, r in zip(here, rows) if table.y[r] == k)
        assert (made, loss) == (c, e)


@pytest.mark.parametrize("by_class", [True, False])
@pytest.mark.parametrize(("depth", "most_rows"), [(1, 10), (2, 8), (3, 6)])
@given(st.data(), st.sampled_from(_core.kernels()))
@examples(60)
def test_the_whole_front(by_class, depth, most_rows, data, kernel):
    table, costs, options, expected = data.draw(problems(most_rows, depth, by_class=by_class))
    for exact_tail in (0, 1, 2):
        how = {"depth": depth, "exact_tail": exact_tail, "kernel": kernel}
        result = run(table, costs, by_class=by_class, **how, **options)
        assert points(result) == expected, f"exact_tail={exact_tail}"
        check_trees(result, table, costs, options["complexity"])


@pytest.mark.parametrize("by_class", [True, False])
@pytest.mark.parametrize("prove", ["tree", "front"])
@given(st.data(), st.integers(1, 4), st.sampled_from([0.0, 1 / 64, 1 / 8]))
@examples(60)
def test_proofs(by_class, prove, data, depth, alpha):
    most_rows = {1: 10, 2: 8, 3: 6, 4: 6}[depth]
    table, costs, options, expected = data.draw(problems(most_rows, depth, by_class=by_class))
    start = {"splits": [("cart", 1, 0, "gini")], "exact_tail": data.draw(st.integers(0, 2))}
    how = {"depth": depth, "prove": prove, "prove_alpha": alpha}
    result = run(table, costs, by_class=by_class, **how, **start, **options)
    least = best(expected, 1, Fraction(alpha))
    assert result.status == "optimal"
    assert Fraction(result.lower_bound) == best(points(result), 1, Fraction(alpha)) == least
    if prove == "front":
        assert points(result) == expected
    check_trees(result, table, costs, options["complexity"])
