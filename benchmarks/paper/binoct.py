"""BinOCT (Verwer and Zhang, 2019): thresholds are coded in bits, so their number matters little.

The bits of a node search among the sorted thresholds of its feature by halves. One constraint
per half bounds all its rows at once; a row's leaf need not be whole. Rows alike are one point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.paper.complete import CompleteTree, inner, leaves, sides, thresholds
from benchmarks.paper.points import merge
from benchmarks.paper.programme import Programme, Solution


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float, start: CompleteTree | None = None
) -> tuple[CompleteTree | None, Solution]:
    cuts = [thresholds(column) for column in X.T]
    usable = [j for j, found in enumerate(cuts) if len(found)]
    n_bits = max(int(np.ceil(np.log2(len(cuts[j])))) for j in usable)
    points = merge(X, y)
    first = 2**depth
    m = Programme()
    f = m.variables(first, X.shape[1], whole=True)
    bit = m.variables(first, n_bits, whole=True)
    p = m.variables(first, points.classes, whole=True)
    z = m.variables(points.n, first)
    wrong = m.variables(first, points.classes, upper=len(y), cost=1.0)
    m.add([(1, wrong)], low=points.least_errors)
    for i in range(points.n):
        m.add([(1, z[i])], 1, 1)
    for leaf in leaves(depth):
        t = leaf - first
        m.add([(1, p[t])], 1, 1)
        for k in range(points.classes):
            of = points.counts[:, k]
            # rows of class k in the leaf are wrong unless it predicts k
            m.add([*zip(of, z[:, t], strict=True), (-of.sum(), p[t, k]), (-1, wrong[t, k])], high=0)
    for t in inner(depth):
        m.add([(1, f[t, usable])], 1, 1)
        left, right = sides(t, depth)
        for j in usable:
            halves(m, points.rows[:, j], cuts[j], f[t, j], bit[t], z, left, right)
    if start is not None:
        place = start.leaves(points.rows) - first
        for t, (j, threshold) in start.test.items():
            m.begin(f[t, j])
            for index, value in enumerate(code(len(cuts[j]), list(cuts[j]).index(threshold))):
                m.begin(bit[t, index], value)
        for i in range(points.n):
            m.begin(z[i, place[i]])
        for leaf, k in start.label.items():
            t = leaf - first
            m.begin(p[t, k])
            here = points.counts[place == t].sum(axis=0)
            for other in set(range(points.classes)) - {k}:
                m.begin(wrong[t, other], here[other])
    result = m.solve(limit)
    if result.x is None:
        return None, result
    found = result.x
    test = {}
    for t in inner(depth):
        j = usable[int(np.argmax(found[f[t, usable]]))]
        test[t] = (j, float(cuts[j][coded(len(cuts[j]), found[bit[t]] > 0.5)]))
    return CompleteTree(depth, test, {}).labelled(X, y), result


def halves(
    m: Programme,
    column: np.ndarray,
    cuts: np.ndarray,
    chosen: int,
    bit: np.ndarray,
    z: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
) -> None:
    """Where a feature is chosen: rows on the wrong side of its coded threshold have no way."""
    waiting: list[tuple[int, int, list[tuple[int, int]]]] = [(0, len(cuts), [])]
    while waiting:
        low, high, prefix = waiting.pop()  # thresholds low .. high - 1 have this prefix of bits
        above = column > cuts[low - 1] if low else np.ones(len(column), dtype=bool)
        below = column <= cuts[high] if high < len(cuts) else np.ones(len(column), dtype=bool)
        # Of equal bits so far, this half's outer rows were bound by halves before it.
        if high - low == 1:
            blocked(m, above & below & (column <= cuts[low]), right, chosen, prefix, bit, z)
            blocked(m, above & below & (column > cuts[low]), left, chosen, prefix, bit, z)
            continue
        middle = (low + high) // 2
        place = len(prefix)
        upper, lower = [*prefix, (place, 1)], [*prefix, (place, 0)]
        # A threshold of the upper half is at least cuts[middle].
        blocked(m, above & (column <= cuts[middle]) & below, right, chosen, upper, bit, z)
        # One of the lower half is at most cuts[middle - 1].
        blocked(m, above & (column > cuts[middle - 1]) & below, left, chosen, lower, bit, z)
        waiting += [(middle, high, upper), (low, middle, lower)]


def blocked(
    m: Programme,
    rows: np.ndarray,
    leaves: np.ndarray,
    chosen: int,
    prefix: list[tuple[int, int]],
    bit: np.ndarray,
    z: np.ndarray,
) -> None:
    """``sum of z <= M (1 - chosen + bits that differ)``."""
    count = int(rows.sum())
    if count == 0:
        return
    terms: list[tuple[float, Any]] = [(1, z[np.ix_(rows, leaves)]), (count, chosen)]
    high = float(count)
    for place, value in prefix:
        if value:  # differs by 1 - bit
            terms.append((count, bit[place]))
            high += count
        else:
            terms.append((-count, bit[place]))
    m.add(terms, high=high)


def coded(n_cuts: int, bits: np.ndarray) -> int:
    """The threshold that the bits of a node find."""
    low, high, place = 0, n_cuts, 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bits[place] else (low, middle)
        place += 1
    return low


def code(n_cuts: int, place: int) -> list[int]:
    """The bits that find a threshold."""
    low, high = 0, n_cuts
    bits = []
    while high - low > 1:
        middle = (low + high) // 2
        bits.append(int(place >= middle))
        low, high = (middle, high) if bits[-1] else (low, middle)
    return bits
