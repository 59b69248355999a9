"""OCT (Bertsimas and Dunn, 2017, section 2.3): one test per node, alpha = 0, leaves of one row."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.paper.programme import CompleteTree, Programme, ancestors


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float
) -> tuple[CompleteTree | None, Any]:
    """Features are scaled to [0, 1], as in the paper of OCT. x <= b goes left."""
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    span = np.where(span > 0, span, 1)
    scaled = (X - low) / span
    gap = np.array([smallest_gap(column) for column in scaled.T])
    n, p = X.shape
    classes = int(y.max()) + 1
    inner, leaves = range(1, 2**depth), range(2**depth, 2 ** (depth + 1))
    m = Programme()
    a = m.variables(2**depth, p, whole=True)  # the feature a node tests
    b = m.variables(2**depth)  # its threshold
    d = m.variables(2**depth, whole=True)  # whether it tests
    z = m.variables(n, 2**depth, whole=True)  # the leaf of a row
    used = m.variables(2**depth, whole=True)
    c = m.variables(2**depth, classes, whole=True)  # the class of a leaf
    errors = m.variables(2**depth, upper=n, cost=1.0)
    for t in inner:
        m.add([(1, a[t]), (-1, d[t])], 0, 0)
        m.add([(1, b[t]), (-1, d[t])], high=0)
        if t > 1:
            m.add([(1, d[t]), (-1, d[t // 2])], high=0)
    for i in range(n):
        m.add([(1, z[i])], 1, 1)
    for leaf in leaves:
        t = leaf - 2**depth
        m.add([(1, z[:, t]), (-1, used[t])], low=0)
        m.add([(1, c[t]), (-1, used[t])], 0, 0)
        for i in range(n):
            m.add([(1, z[i, t]), (-1, used[t])], high=0)
        for k in range(classes):
            # errors >= rows of other classes - n (1 - c)
            m.add([(1, errors[t]), (-1, z[y != k, t]), (-n, c[t, k])], low=-n)
        for node, is_left in ancestors(leaf):
            for i in range(n):
                if is_left:  # a x <= b + (1 - z)
                    values = zip(scaled[i], a[node])
                    m.add([*values, (-1, b[node]), (1, z[i, t])], high=1)
                else:  # a (x - gap) >= b + (1 - d) - 2 (1 - z): without a test all go left
                    values = zip(scaled[i] - gap, a[node])
                    m.add([*values, (-1, b[node]), (1, d[node]), (-2, z[i, t])], low=-1)
    result = m.solve(limit)
    if result.x is None:
        return None, result
    x = result.x
    test, label = {}, {}
    for t in inner:
        j = int(np.argmax(x[a[t]]))
        cut = x[b[t]] + gap[j] / 2 if x[d[t]] > 0.5 else np.inf
        test[t] = (j, float(low[j] + span[j] * cut))
    for leaf in leaves:
        label[leaf] = int(np.argmax(x[c[leaf - 2**depth]]))
    return CompleteTree(depth, test, label), result


def smallest_gap(column: np.ndarray) -> float:
    gaps = np.diff(np.unique(column))
    return float(gaps.min()) if len(gaps) else 1.0
