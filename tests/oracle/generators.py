"""Test generators of the twin that look at one state only: all, the best B, quantiles."""

from __future__ import annotations

import numpy as np

from tests.oracle.bellman import Generator, Rows, Test
from tests.oracle.boundaries import midpoints
from tests.oracle.impurity import Scored, scored_tests


def all_boundaries(X: np.ndarray) -> Generator:
    def tests(rows: Rows, r: int) -> list[Test]:
        return [(f, t) for f in range(X.shape[1]) for t in midpoints(X[list(rows), f])]

    return tests


def top(X, y, weight, *, n_best: int, criterion: str, min_samples_leaf: int = 1) -> Generator:
    """The ``n_best`` tests by impurity decrease; ties: lowest feature, then lowest threshold."""

    def tests(rows: Rows, r: int) -> list[Test]:
        scored = scored_tests(X, y, weight, rows, criterion, min_samples_leaf)
        return [s.test for s in sorted(scored, key=Scored.rank)[:n_best]]

    return tests


def quantiles(X: np.ndarray, q: int) -> Generator:
    """A test just below each of the q inner quantiles of every feature.

    The k-th quantile is the value of the row at place k n / (q + 1), rounded down, in sorted
    order. Nothing lies below the lowest value, so there the test is just above.
    """

    def tests(rows: Rows, r: int) -> set[Test]:
        found = set()
        for f in range(X.shape[1]):
            values = np.sort(X[list(rows), f])
            for k in range(1, q + 1):
                quantile = values[k * len(values) // (q + 1)]
                below = values[values < quantile]
                found.add((f, float(below[-1] if len(below) else quantile)))
        return found

    return tests


def last_levels_exact(generator: Generator, X: np.ndarray, exact_tail: int) -> Generator:
    """``generator`` above, all boundaries where at most ``exact_tail`` tests are left."""
    everything = all_boundaries(X)
    return lambda rows, r: everything(rows, r) if r <= exact_tail else generator(rows, r)
