"""The paper's Markov decision problem (section 4), solved by plain Bellman backups (5.2).

A state is ``(rows, r)``: the sorted row numbers that reach it, and the number ``r`` of tests that
may still be made. All sums are exact: weights are integers or fractions. Nothing is pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from tests.oracle.hull import Point

Rows = tuple[int, ...]
Test = tuple[int, float]  # x[feature] <= threshold goes left
Generator = Callable[[Rows, int], Iterable[Test]]  # (rows, r) -> the admissible tests


@dataclass(frozen=True, eq=False)
class Problem:
    X: np.ndarray
    y: np.ndarray
    weight: list[int] | list[Fraction]
    generator: Generator
    complexity: str = "tests"
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    exact_tail: int = 0  # states above may also do with the tail's tests alone

    @property
    def all_rows(self) -> Rows:
        return tuple(range(len(self.y)))

    def total(self, rows: Rows):
        return sum(self.weight[i] for i in rows)

    def leaf_error(self, rows: Rows):
        """Weight of the rows that the best single class gets wrong."""
        by_class: dict[int, int | Fraction] = {}
        for i in rows:
            by_class[int(self.y[i])] = by_class.get(int(self.y[i]), 0) + self.weight[i]
        return self.total(rows) - max(by_class.values())

    def cost(self, rows: Rows):
        """Price of one test made by ``rows``, in units of complexity."""
        return self.total(rows) if self.complexity == "tests" else 1

    def allows(self, *sides: Rows) -> bool:
        """Whether leaves may hold these rows."""
        return all(
            len(rows) >= self.min_samples_leaf and self.total(rows) >= self.min_weight_leaf
            for rows in sides
        )

    def actions(self, rows: Rows, r: int) -> Iterator[tuple[Rows, Rows]]:
        """Left and right rows of every admissible test of the state."""
        for feature, threshold in self.generator(rows, r):
            left = tuple(i for i in rows if self.X[i, feature] <= threshold)
            right = tuple(i for i in rows if not self.X[i, feature] <= threshold)
            if self.allows(left, right):
                yield left, right


def bellman(problem: Problem, depth: int, *, error_price=1, test_price):
    """Least ``error_price * E + test_price * C`` of all trees spanned.

    The prices may be arrays: one backup then serves every price, as in the paper.
    """

    @cache
    def value(rows: Rows, r: int):
        best = error_price * problem.leaf_error(rows) + 0 * test_price
        if r > 0:
            for left, right in problem.actions(rows, r):
                test = test_price * problem.cost(rows) + value(left, r - 1) + value(right, r - 1)
                best = np.minimum(best, test)
        if r > problem.exact_tail > 0:
            best = np.minimum(best, value(rows, problem.exact_tail))
        return best

    return value(problem.all_rows, depth)


def spanned(problem: Problem, depth: int) -> frozenset[Point]:
    """The point (C, E) of every tree spanned: full enumeration, equal points once."""

    @cache
    def points(rows: Rows, r: int) -> frozenset[Point]:
        found = {(0, problem.leaf_error(rows))}
        if r > 0:
            cost = problem.cost(rows)
            for left, right in problem.actions(rows, r):
                found |= {
                    (cost + c1 + c2, e1 + e2)
                    for c1, e1 in points(left, r - 1)
                    for c2, e2 in points(right, r - 1)
                }
        if r > problem.exact_tail > 0:
            found |= points(rows, problem.exact_tail)
        return frozenset(found)

    return points(problem.all_rows, depth)
