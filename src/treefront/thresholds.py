"""Thresholds that people can read: in the gap between two neighbouring values, few digits.

A test sends the same training rows left wherever its threshold lies in the half-open gap
``low <= t < high`` between the greatest value of its column that goes left and the least that goes
right. The midpoint of the gap is what a tree is fitted with; here it is rounded to the fewest
significant digits that keep it in the middle half of the gap. So no training value comes close to
the threshold, and new rows are judged as by the midpoint but for a few (benchmarks/thresholds.py).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treefront.times import DAY, STEPS

Floats = NDArray[np.float64]

MIDDLE = 0.5  # share of the gap, around its midpoint, in which a threshold may lie
LARGEST = sys.float_info.max
MOST_DIGITS = 17  # of the shortest decimal that reads back as a given float64


def shortened(
    trees: Sequence[Mapping[str, NDArray[Any]]], X: Floats, times: Sequence[str | None]
) -> list[dict[str, NDArray[Any]]]:
    """Trees with readable thresholds in place of midpoints; no training row changes its side.

    Parameters
    ----------
    trees : sequence of dict
        Node arrays: ``feature``, -1 at leaves; ``threshold``, NaN at leaves and at tests of
        categories, infinite where it is tested what is missing.
    X : ndarray of float64, shape (n_rows, n_features)
        Training rows.
    times : sequence of str or None, one entry per column
        Not None where the column holds points in time.
    """
    feature = np.concatenate([tree["feature"] for tree in trees])
    threshold = np.concatenate([tree["threshold"] for tree in trees])
    of_numbers = (feature >= 0) & np.isfinite(threshold)
    for column in np.unique(feature[of_numbers]):
        nodes = np.flatnonzero(of_numbers & (feature == column))
        threshold[nodes] = _of_column(X[:, column], threshold[nodes], times[column] is not None)
    ends = np.cumsum([len(tree["threshold"]) for tree in trees])[:-1]
    return [{**tree, "threshold": short} for tree, short in zip(trees, np.split(threshold, ends))]


def _of_column(cells: Floats, midpoints: Floats, is_time: bool) -> Floats:
    values = np.unique(cells)
    values = values[~np.isnan(values)]
    short, unit = (time, DAY) if is_time else (number, 1)
    whole = bool((np.floor(values / unit) * unit == values).all())
    # Trees of a front cut a column in few places; each is given as that of the value above it.
    places, of_node = np.unique(
        np.searchsorted(values, midpoints, side="right"), return_inverse=True
    )
    readable = [short(float(values[at - 1]), float(values[at]), whole=whole) for at in places]
    return np.array(readable)[of_node]


def number(low: float, high: float, *, whole: bool = False) -> float:
    """Readable threshold in ``low <= t < high``.

    The fewest significant digits (0 has none) to which the midpoint can be rounded so that it
    stays in the middle half of the gap. Where all values are whole, the midpoint is rounded down
    first: ``<= 3`` and ``<= 3.5`` are the same test of integers.
    """
    low, middle, reach = _middle(low, high)
    if whole:
        middle = max(low, float(math.floor(middle)))
    for digits in range(MOST_DIGITS):
        rounded = float(f"{middle:.{digits - 1}e}") if digits else 0.0
        if abs(rounded - middle) <= reach and low <= rounded < high:
            return rounded
    return middle


def time(low: float, high: float, *, whole: bool = False) -> float:
    """Readable point in time in ``low <= t < high``, all three in microseconds.

    The nearest to the midpoint of the coarsest kind that the middle half of the gap holds:
    midnights, full minutes, seconds, milliseconds. Where all values are whole days, it is a day.
    """
    low, middle, reach = _middle(low, high)
    if whole:
        middle = max(low, middle // DAY * DAY)
    for step in STEPS:
        rounded = round(middle / step) * step
        if abs(rounded - middle) <= reach and low <= rounded < high:
            return float(rounded)
    return middle


def _middle(low: float, high: float) -> tuple[float, float, float]:
    """Finite low end and midpoint of a gap, and how far from it a threshold may lie."""
    low, high = max(low, -LARGEST), min(high, LARGEST)
    middle = low / 2 + high / 2  # halves, since the sum may overflow
    if not low <= middle < high:  # neighbouring floats
        middle = low
    return low, middle, (high / 2 - low / 2) * MIDDLE
