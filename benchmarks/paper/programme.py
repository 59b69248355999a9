"""A mixed integer programme, put together by names and solved by HiGHS (scipy.optimize.milp).

Trees are complete: node 1 is the root, node t has the children 2t and 2t + 1, and the last 2^depth
nodes are leaves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

Terms = Iterable[tuple[float, Any]]  # factors and variables: one index, or an array of them


@dataclass
class Programme:
    """Minimise the cost; variables are between 0 and their upper bound."""

    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)
    entries: list[tuple[int, int, float]] = field(default_factory=list)
    at_most: list[float] = field(default_factory=list)
    at_least: list[float] = field(default_factory=list)

    def variables(
        self, *shape: int, whole: bool = False, upper: float = 1.0, cost: float = 0.0
    ) -> np.ndarray:
        """An array of new variables' indices."""
        count = int(np.prod(shape))
        first = len(self.upper)
        self.upper += [upper] * count
        self.whole += [whole] * count
        self.cost += [cost] * count
        return np.arange(first, first + count).reshape(shape)

    def add(self, terms: Terms, low: float = -np.inf, high: float = np.inf) -> None:
        """The constraint ``low <= sum of terms <= high``."""
        row = len(self.at_most)
        for factor, indices in terms:
            self.entries += [(row, int(index), factor) for index in np.ravel(indices)]
        self.at_least.append(low)
        self.at_most.append(high)

    def solve(self, time_limit: float) -> Any:
        """What scipy says; `x` is None where no solution was found in time."""
        rows, columns, factors = zip(*self.entries, strict=True)
        shape = (len(self.at_most), len(self.upper))
        matrix = coo_array((factors, (rows, columns)), shape=shape).tocsc()
        return milp(
            self.cost,
            integrality=np.array(self.whole, dtype=int),
            bounds=Bounds(np.zeros(len(self.upper)), self.upper),
            constraints=LinearConstraint(matrix, self.at_least, self.at_most),
            options={"time_limit": time_limit},
        )


@dataclass(frozen=True)
class CompleteTree:
    """What a programme found: per node a test, or a class where rows stop."""

    depth: int
    test: dict[int, tuple[int, float]]  # feature <= threshold goes to 2t
    label: dict[int, int]

    def predict(self, X: np.ndarray) -> np.ndarray:
        node = np.ones(len(X), dtype=int)
        for _ in range(self.depth):
            for t in np.unique(node):
                here = np.flatnonzero(node == t)
                if t in self.label:
                    continue
                j, threshold = self.test[t]
                node[here] = 2 * t + (X[here, j] > threshold)
        return np.array([self.label[t] for t in node])


def ancestors(leaf: int) -> list[tuple[int, bool]]:
    """Nodes above a node, and whether it is in their left half."""
    found = []
    while leaf > 1:
        found.append((leaf // 2, leaf % 2 == 0))
        leaf //= 2
    return found


def leaves_below(node: int, depth: int) -> list[int]:
    """Leaves of the complete tree under a node."""
    first = last = node
    while first < 2**depth:
        first, last = 2 * first, 2 * last + 1
    return list(range(first, last + 1))


def thresholds(column: np.ndarray) -> np.ndarray:
    """Midpoints of neighbouring values."""
    values = np.unique(column)
    return (values[:-1] + values[1:]) / 2
