"""Impurity decrease of the tests of one node, by its definition."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.oracle.bellman import Rows, Test
from tests.oracle.boundaries import midpoints


@dataclass(frozen=True)
class Scored:
    test: Test
    gain: float  # impurity decrease times the weight of the node
    left: Rows
    right: Rows

    def rank(self) -> tuple[float, Test]:
        """Sorts the best test first; ties: lowest feature, then lowest threshold."""
        return -self.gain, self.test


def impurity(y, weight, rows: Rows, criterion: str) -> float:
    """Weight of the rows times their entropy (bits) or Gini index."""
    by_class: dict[int, float] = {}
    for i in rows:
        by_class[int(y[i])] = by_class.get(int(y[i]), 0.0) + float(weight[i])
    total = math.fsum(by_class.values())
    shares = [w / total for w in by_class.values()]
    if criterion == "entropy":
        return -total * math.fsum(p * math.log2(p) for p in shares)
    return total * (1.0 - math.fsum(p * p for p in shares))


def scored_tests(X, y, weight, rows: Rows, criterion: str, min_samples_leaf: int) -> list[Scored]:
    """Every boundary of the node that leaves enough rows on both sides."""
    here = impurity(y, weight, rows, criterion)
    found = []
    for feature in range(X.shape[1]):
        for threshold in midpoints(X[list(rows), feature]):
            left = tuple(i for i in rows if X[i, feature] <= threshold)
            right = tuple(i for i in rows if X[i, feature] > threshold)
            if min(len(left), len(right)) < min_samples_leaf:
                continue
            sides = impurity(y, weight, left, criterion) + impurity(y, weight, right, criterion)
            found.append(Scored((feature, threshold), here - sides, left, right))
    return found


def is_pure(y, rows: Rows) -> bool:
    return len(np.unique(y[list(rows)])) == 1
