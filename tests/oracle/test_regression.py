"""Numbers to predict: what full enumeration finds, in exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import rows_of_nodes
from tests.oracle.bellman import spanned
from tests.oracle.engine import search
from tests.oracle.examples import examples
from tests.oracle.hull import best
from tests.oracle.kinds import LEAST_WEIGHTS, MixedProblem, mixed_tables
from treefront import _core

COMPLEXITIES = st.sampled_from(["tests", "splits"])
PRICES = [Fraction(0), Fraction(1, 64), Fraction(1, 8), Fraction(1), Fraction(4)]
CLOSE = 1e-9  # of the sum of squares


@dataclass(frozen=True, eq=False)
class SquaredProblem(MixedProblem):
    """The loss of a leaf is the squared distance to its rows' mean."""

    power = 2

    def leaf_error(self, rows):
        return sum(self.distances(rows, self.center(rows, target), target) for target in self.y.T)

    def center(self, rows, target):
        total = Fraction(self.total(rows))
        return sum(Fraction(self.weight[i]) * Fraction(target[i]) for i in rows) / total

    def distances(self, rows, center, target):
        return sum(
            Fraction(self.weight[i]) * abs(Fraction(target[i]) - center) ** self.power for i in rows
        )


class AbsoluteProblem(SquaredProblem):
    """The loss of a leaf is the distance to its rows' median."""

    power = 1

    def center(self, rows, target):
        """The middle of what has at most half of the weight on either side."""
        half = Fraction(self.total(rows)) / 2
        values = [Fraction(target[i]) for i in rows]
        low = min(v for v in values if self._weight_up_to(rows, target, v) >= half)
        high = min(
            v
            for v in [*values, max(values)]
            if v == max(values) or self._weight_up_to(rows, target, v) > half
        )
        return (low + high) / 2

    def _weight_up_to(self, rows, target, value):
        return sum(Fraction(self.weight[i]) for i in rows if Fraction(target[i]) <= value)


LOSSES = {"squared": SquaredProblem, "absolute": AbsoluteProblem}


@st.composite
def problems(draw, most_rows: int, depth: int, loss: str):
    """A table, its targets and what is wanted of its trees."""
    # Orders of more than four levels are by mean target, which the twin does not follow.
    table = draw(mixed_tables(max_rows=most_rows, max_classes=1, most_levels=3))
    n_outputs = draw(st.integers(1, 2))
    numbers = st.integers(-8, 8).map(lambda k: k / 4)
    flat = draw(
        st.lists(numbers, min_size=len(table.y) * n_outputs, max_size=len(table.y) * n_outputs)
    )
    y = np.array(flat).reshape(-1, n_outputs)
    options = {
        "complexity": draw(COMPLEXITIES),
        "min_samples_leaf": draw(st.integers(1, 3)),
        "min_weight_leaf": draw(LEAST_WEIGHTS),
    }
    problem = LOSSES[loss](
        table.X,
        y,
        table.exact_weight,
        lambda rows, r: (),
        n_levels=table.n_levels,
        n_classes=1,
        **options,
    )
    return table, y, options, spanned(problem, depth)


def run(table, y, loss, **options):
    return search(
        table.X,
        np.zeros(len(y)),
        table.weight,
        n_levels=list(table.n_levels),
        absolute=loss == "absolute",
        numbers=np.ascontiguousarray(y),
        **options,
    )


def scale_of(table, y) -> float:
    weight = [float(w) for w in table.exact_weight]
    return max(float(np.sum(np.square(y).T @ weight)), 1e-3)


def check_values(result, every, size: float) -> None:
    found = [(Fraction(c), Fraction(e)) for c, e in zip(result.complexity, result.errors)]
    for price in PRICES:
        expected = float(best(every, 1, price))
        assert abs(float(best(found, 1, price)) - expected) <= CLOSE * size


def check_trees(result, table, y, size: float, power: int = 2) -> None:
    weight = np.array([float(w) for w in table.exact_weight])
    for i, (complexity, errors) in enumerate(zip(result.complexity, result.errors)):
        tree = result.tree(i)
        loss = cost = 0.0
        for node, rows in enumerate(rows_of_nodes(tree, table.X)):
            if tree["feature"][node] < 0:
                distance = np.abs(y[rows] - tree["value"][node]) ** power
                loss += float(np.sum(weight[rows] @ distance))
            else:
                cost += weight[rows].sum()
        assert abs(loss - errors) <= CLOSE * size
        tests_made = cost if len(tree["feature"]) else 0.0
        assert complexity in (pytest.approx(tests_made), (tree["feature"] >= 0).sum())


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("depth", "most_rows"), [(1, 12), (2, 9), (3, 7)])
@given(st.data(), st.sampled_from(_core.kernels()))
@examples(80)
def test_the_whole_front(loss, depth, most_rows, data, kernel):
    table, y, options, every = data.draw(problems(most_rows, depth, loss))
    for exact_tail in (0, 1, 2):
        how = {"depth": depth, "exact_tail": exact_tail, "kernel": kernel}
        result = run(table, y, loss, **how, **options)
        check_values(result, every, scale_of(table, y))
        check_trees(result, table, y, scale_of(table, y), LOSSES[loss].power)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("prove", ["tree", "front"])
@given(st.data(), st.integers(1, 4), st.sampled_from([0.0, 1 / 64, 1 / 8, 1.0]))
@examples(80)
def test_proofs(loss, prove, data, depth, alpha):
    table, y, options, every = data.draw(problems({1: 12, 2: 9, 3: 7, 4: 6}[depth], depth, loss))
    start = {"splits": [("cart", 1, 0, "gini")], "exact_tail": data.draw(st.integers(0, 2))}
    how = {"depth": depth, "prove": prove, "prove_alpha": alpha}
    result = run(table, y, loss, **how, **start, **options)
    size = scale_of(table, y)
    expected = float(best(every, 1, Fraction(alpha)))
    assert result.status == "optimal"
    assert abs(result.lower_bound - expected) <= CLOSE * size
    assert abs(float(np.min(result.errors + alpha * result.complexity)) - expected) <= CLOSE * size
    if prove == "front":
        check_values(result, every, size)
    check_trees(result, table, y, size, LOSSES[loss].power)
