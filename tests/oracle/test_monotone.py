"""Features with which predictions must rise or fall: what enumeration of such trees finds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import rows_of_nodes
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import best, lower_left_hull
from tests.oracle.kinds import LEAST_WEIGHTS, MixedProblem, mixed_tables
from tests.oracle.test_regression import (
    LOSSES,
    check_trees,
    check_values,
    run,
    scale_of,
)
from treefront import _core

COMPLEXITIES = st.sampled_from(["tests", "splits"])
ANY = (-math.inf, math.inf)


@dataclass(frozen=True, eq=False)
class Signed:
    """Trees whose leaves keep the order of features; each test as (left, right, sign)."""

    problem: MixedProblem
    signs: tuple[int, ...]

    def tests(self, rows, r):
        for column, levels in enumerate(self.problem.n_levels):
            sign = self.signs[column]
            missing = frozenset(i for i in rows if math.isnan(self.problem.X[i, column]))
            present = frozenset(rows) - missing
            sides = (
                self.problem.sets(column, rows, r) if levels else self.problem.cuts(column, rows)
            )
            found = set()
            for left in sides:
                # Having a value or none is no matter of order, but may be looked at as one.
                by_presence = missing and left in (missing, present)
                found |= {(left, 0)} if by_presence or not sign else {(left, sign)}
                numbers = {self.problem.X[i, column] for i in present}
                if by_presence and sign and (left == present or len(numbers) > 1):
                    found.add((left, sign))
            for left, of_test in found:
                right = tuple(i for i in rows if i not in left)
                if self.problem.allows(tuple(left), right):
                    yield tuple(sorted(left)), right, of_test


def labelled(signed: Signed, depth: int):
    """Points (C, E) of all trees with labels 0 and 1 that keep the order: by enumeration."""
    problem = signed.problem

    @cache
    def every(rows, r, low, high):
        of_class = [sum(problem.weight[i] for i in rows if problem.y[i] == k) for k in (0, 1)]
        found = {(0, of_class[1 - label]) for label in range(low, high + 1)}
        for left, right, sign in signed.tests(rows, r) if r else ():
            cost = problem.cost(rows)
            for middle in (0, 1) if sign else (None,):
                below, above = ((low, high),) * 2
                if middle is not None:
                    below, above = (low, min(middle, high)), (max(middle, low), high)
                    if sign < 0:
                        below, above = above, below
                found |= {
                    (cost + c1 + c2, e1 + e2)
                    for c1, e1 in every(left, r - 1, *below)
                    for c2, e2 in every(right, r - 1, *above)
                }
        return frozenset(found)

    # What is not exact at the last level may do with the tests of the last level: see kinds.
    return frozenset().union(*(every(problem.all_rows, r, 0, 1) for r in range(depth + 1)))


def bounded(signed: Signed, depth: int):
    """The same with numbers, as scikit-learn bounds them: by the middle of both sides' values."""
    problem = signed.problem
    target = problem.y[:, 0]

    def value(rows, bounds):
        return min(max(problem.center(rows, target), bounds[0]), bounds[1])

    @cache
    def every(rows, r, bounds):
        found = {(0, problem.distances(rows, value(rows, bounds), target))}
        for left, right, sign in signed.tests(rows, r) if r else ():
            below = above = bounds
            if sign:
                at_left, at_right = value(left, bounds), value(right, bounds)
                if sign * (at_left - at_right) > 0:
                    continue
                middle = (at_left + at_right) / 2
                below, above = (bounds[0], middle), (middle, bounds[1])
                if sign < 0:
                    below, above = above, below
            cost = problem.cost(rows)
            found |= {
                (cost + c1 + c2, e1 + e2)
                for c1, e1 in every(left, r - 1, below)
                for c2, e2 in every(right, r - 1, above)
            }
        return frozenset(found)

    return every(problem.all_rows, depth, ANY)


def check_order(tree, X, signs, says) -> None:
    """No leaf on the lower side of a signed feature's threshold says more than one on the other."""
    rows = rows_of_nodes(tree, X)
    is_leaf = tree["feature"] < 0
    for node, feature in enumerate(tree["feature"]):
        if feature < 0 or not signs[feature] or not math.isfinite(tree["threshold"][node]):
            continue
        left, right = (
            [says[leaf] for leaf in np.flatnonzero(is_leaf) if set(rows[leaf]) <= set(rows[side])]
            for side in (tree["left"][node], tree["right"][node])
        )
        if signs[feature] > 0:
            assert max(left) <= min(right)
        else:
            assert min(left) >= max(right)


@st.composite
def two_class_problems(draw, most_rows: int, depth: int):
    table = draw(mixed_tables(max_rows=most_rows, max_classes=2, most_levels=3))
    signs = tuple(0 if k else draw(st.sampled_from([1, -1, 0])) for k in table.n_levels)
    options = {
        "complexity": draw(COMPLEXITIES),
        "min_samples_leaf": draw(st.integers(1, 2)),
        "min_weight_leaf": draw(LEAST_WEIGHTS),
    }
    problem = MixedProblem(
        table.X,
        table.y,
        table.exact_weight,
        lambda rows, r: (),
        n_levels=table.n_levels,
        **options,
    )
    return table, signs, options, lower_left_hull(labelled(Signed(problem, signs), depth))


def run_classes(table, signs, **options):
    how = {"n_classes": 2, "n_levels": list(table.n_levels), "signs": list(signs)}
    return search(table.X, table.y, table.weight, **how, **options)


def check_labels(result, table, signs, complexity: str) -> None:
    for i, point in enumerate(points(result)):
        tree = result.tree(i)
        errors = made = Fraction(0)
        for node, rows in enumerate(rows_of_nodes(tree, table.X)):
            weight = [Fraction(table.exact_weight[row]) for row in rows]
            if tree["feature"][node] >= 0:
                made += sum(weight) if complexity == "tests" else 1
                continue
            wrong = table.y[rows] != tree["decision"][node]
            errors += sum(w for w, is_wrong in zip(weight, wrong) if is_wrong)
        assert (made, errors) == point
        check_order(tree, table.X, signs, tree["decision"])


@pytest.mark.parametrize(("depth", "most_rows"), [(1, 10), (2, 8), (3, 7), (4, 6)])
@given(st.data(), st.sampled_from(_core.kernels()))
@examples(60)
def test_the_whole_front_of_two_classes(depth, most_rows, data, kernel):
    table, signs, options, expected = data.draw(two_class_problems(most_rows, depth))
    for exact_tail in (0, 1, 2):
        how = {"depth": depth, "exact_tail": exact_tail, "kernel": kernel}
        result = run_classes(table, signs, **how, **options)
        assert points(result) == expected, f"exact_tail={exact_tail}"
        check_labels(result, table, signs, options["complexity"])


@pytest.mark.parametrize("prove", ["tree", "front"])
@given(st.data(), st.integers(1, 4), st.sampled_from([0.0, 1 / 64, 1 / 8, 1.0]))
@examples(80)
def test_proofs_with_two_classes(prove, data, depth, alpha):
    table, signs, options, expected = data.draw(
        two_class_problems({1: 10, 2: 9, 3: 8, 4: 6}[depth], depth)
    )
    start = {"splits": [("cart", 1, 0, "gini")], "exact_tail": data.draw(st.integers(0, 2))}
    how = {"depth": depth, "prove": prove, "prove_alpha": alpha}
    result = run_classes(table, signs, **how, **start, **options)
    least = best(expected, 1, Fraction(alpha))
    assert result.status == "optimal"
    assert Fraction(result.lower_bound) == best(points(result), 1, Fraction(alpha)) == least
    if prove == "front":
        assert points(result) == expected
    check_labels(result, table, signs, options["complexity"])


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("depth", "most_rows"), [(1, 10), (2, 8), (3, 6)])
@given(st.data())
@examples(60)
def test_the_whole_front_of_numbers(loss, depth, most_rows, data):
    table = data.draw(mixed_tables(max_rows=most_rows, max_classes=1, most_levels=3))
    numbers = st.integers(-8, 8).map(lambda k: k / 4)
    y = np.array(data.draw(st.lists(numbers, min_size=len(table.y), max_size=len(table.y))))[
        :, None
    ]
    signs = tuple(0 if k else data.draw(st.sampled_from([1, -1, 0])) for k in table.n_levels)
    options = {
        "complexity": data.draw(COMPLEXITIES),
        "min_samples_leaf": data.draw(st.integers(1, 2)),
        "min_weight_leaf": data.draw(LEAST_WEIGHTS),
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
    every = bounded(Signed(problem, signs), depth)
    for exact_tail in (0, 1, 2):
        how = {"depth": depth, "exact_tail": exact_tail, "signs": list(signs)}
        result = run(table, y, loss, **how, **options)
        size = scale_of(table, y)
        check_values(result, every, size)
        check_trees(result, table, y, size, LOSSES[loss].power)
        for i in range(len(result.errors)):
            tree = result.tree(i)
            check_order(tree, table.X, signs, np.round(tree["value"][:, 0], 9))
