"""BinOCT (Verwer and Zhang, 2019): thresholds are coded in bits, so that their number matters little.

The bits of a node search among the sorted thresholds of its feature by halves. One constraint
per half bounds all its rows at once; a row's leaf need not be whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.paper.programme import CompleteTree, Programme, leaves_below, thresholds


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float
) -> tuple[CompleteTree | None, Any]:
    cuts = [thresholds(column) for column in X.T]
    usable = [j for j, found in enumerate(cuts) if len(found)]
    n_bits = max(int(np.ceil(np.log2(len(cuts[j])))) for j in usable)
    n, classes = len(X), int(y.max()) + 1
    inner, leaves = range(1, 2**depth), range(2**depth, 2 ** (depth + 1))
    m = Programme()
    f = m.variables(2**depth, X.shape[1], whole=True)
    bit = m.variables(2**depth, n_bits, whole=True)
    p = m.variables(2**depth, classes, whole=True)
    z = m.variables(n, 2**depth)
    wrong = m.variables(2**depth, classes, upper=n, cost=1.0)
    for i in range(n):
        m.add([(1, z[i])], 1, 1)
    for leaf in leaves:
        t = leaf - 2**depth
        m.add([(1, p[t])], 1, 1)
        for k in range(classes):
            inside = y == k
            # rows of class k in the leaf are wrong unless it predicts k
            m.add([(1, z[inside, t]), (-inside.sum(), p[t, k]), (-1, wrong[t, k])], high=0)
    for node in inner:
        m.add([(1, f[node, usable])], 1, 1)
        left, right = (
            np.array(leaves_below(side, depth)) - 2**depth for side in (2 * node, 2 * node + 1)
        )
        for j in usable:
            halves(m, X[:, j], cuts[j], f[node, j], bit[node], z, left, right)
    result = m.solve(limit)
    if result.x is None:
        return None, result
    x = result.x
    test = {}
    for node in inner:
        j = usable[int(np.argmax(x[f[node, usable]]))]
        test[node] = (j, float(cuts[j][coded(len(cuts[j]), x[bit[node]] > 0.5)]))
    label = {leaf: int(np.argmax(x[p[leaf - 2**depth]])) for leaf in leaves}
    return CompleteTree(depth, test, label), result


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
