"""Rows that no test tells apart are one point, with so many rows of each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Points:
    """`rows[i]` are the features of point i, `counts[i, k]` its number of rows of class k."""

    rows: np.ndarray
    counts: np.ndarray

    @property
    def n(self) -> int:
        return len(self.rows)

    @property
    def classes(self) -> int:
        return int(self.counts.shape[1])

    @property
    def least_errors(self) -> float:
        """No tree has fewer: the rows of a point get one class."""
        return float(self.counts.sum() - self.counts.max(axis=1).sum())


def merge(X: np.ndarray, y: np.ndarray) -> Points:
    """Labels are 0 .. K-1."""
    rows, place = np.unique(X, axis=0, return_inverse=True)
    counts = np.zeros((len(rows), int(y.max()) + 1))
    np.add.at(counts, (place.ravel(), y), 1)
    return Points(rows, counts)
