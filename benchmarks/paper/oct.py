"""OCT (Bertsimas and Dunn, 2017, section 2.3): one test per node, alpha = 0, leaves of one row.

As no test has a price, every node tests and every leaf may be empty. Stronger than the paper of
OCT has it, with the same trees: rows alike are one point; the leaves on a side of a node share one
constraint, as a point is in one of them; every constant is the smallest that holds.
"""

from __future__ import annotations

import numpy as np

from benchmarks.paper.complete import CompleteTree, inner, leaves, sides
from benchmarks.paper.points import merge
from benchmarks.paper.programme import Programme, Solution


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float, start: CompleteTree | None = None
) -> tuple[CompleteTree | None, Solution]:
    """Features are scaled to [0, 1], as in the paper of OCT. x <= b goes left."""
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    span = np.where(span > 0, span, 1)
    points = merge(X, y)
    x = (points.rows - low) / span
    gap = np.array([smallest_gap(column) for column in x.T])
    far = 1 + gap.max()
    first = 2**depth
    m = Programme()
    a = m.variables(first, X.shape[1], whole=True)  # the feature a node tests
    b = m.variables(first)  # its threshold
    z = m.variables(points.n, first, whole=True)  # the leaf of a point
    c = m.variables(first, points.classes, whole=True)  # the class of a leaf
    errors = m.variables(first, upper=len(y), cost=1.0)
    m.add([(1, errors)], low=points.least_errors)
    for j in np.flatnonzero(np.ptp(X, axis=0) == 0):
        for variable in a[:, j]:
            m.upper[variable] = 0.0
    for t in inner(depth):
        m.add([(1, a[t])], 1, 1)
        # below the largest value, or no row would go right
        m.add([*zip(gap - 1, a[t], strict=True), (1, b[t])], high=0)
        left, right = sides(t, depth)
        for i in range(points.n):
            # a x <= b, or b + 1 for a point that is not on the left
            m.add([*zip(x[i], a[t], strict=True), (-1, b[t]), (1, z[i, left])], high=1)
            # a (x - gap) >= b, or b - 1 - gap for a point that is not on the right
            test = zip(x[i] - gap, a[t], strict=True)
            m.add([*test, (-1, b[t]), (-far, z[i, right])], low=-far)
    for i in range(points.n):
        m.add([(1, z[i])], 1, 1)
    for leaf in leaves(depth):
        t = leaf - first
        m.add([(1, c[t])], 1, 1)
        for k in range(points.classes):
            # errors >= rows of other classes, unless the leaf has another class
            others = points.counts.sum(axis=1) - points.counts[:, k]
            most = others.sum()
            m.add([(1, errors[t]), *zip(-others, z[:, t], strict=True), (-most, c[t, k])], -most)
    if start is not None:
        place = start.leaves(points.rows) - first
        for t, (j, threshold) in start.test.items():
            m.begin(a[t, j])
            m.begin(b[t], x[points.rows[:, j] <= threshold, j].max())
        for i in range(points.n):
            m.begin(z[i, place[i]])
        for leaf, k in start.label.items():
            m.begin(c[leaf - first, k])
            here = points.counts[place == leaf - first]
            m.begin(errors[leaf - first], here.sum() - here[:, k].sum())
    result = m.solve(limit)
    if result.x is None:
        return None, result
    found = result.x
    test = {}
    for t in inner(depth):
        j = int(np.argmax(found[a[t]]))
        test[t] = (j, float(low[j] + span[j] * (found[b[t]] + gap[j] / 2)))
    return CompleteTree(depth, test, {}).labelled(X, y), result


def smallest_gap(column: np.ndarray) -> float:
    gaps = np.diff(np.unique(column))
    return float(gaps.min()) if len(gaps) else 1.0
