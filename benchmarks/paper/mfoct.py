"""MFOCT (Aghaei, Gomez and Vayanos, 2020): a row is a flow that reaches the sink where it is right.

Tests are all thresholds of the features; the number of rows that are right is maximised. As no
test has a price, every node tests, and flows reach the sink from leaves alone. Rows alike are one
flow per class, and as they end in one leaf, at most one class of them flows.
"""

from __future__ import annotations

import numpy as np

from benchmarks.paper.complete import CompleteTree, inner, leaves, thresholds
from benchmarks.paper.points import merge
from benchmarks.paper.programme import Programme, Solution


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float, start: CompleteTree | None = None
) -> tuple[CompleteTree | None, Solution]:
    tests = [(j, float(t)) for j, column in enumerate(X.T) for t in thresholds(column)]
    points = merge(X, y)
    passes = np.array([points.rows[:, j] <= t for j, t in tests]).T  # points by tests
    first = 2**depth
    m = Programme()
    b = m.variables(first, len(tests), whole=True)
    w = m.variables(2 * first, points.classes)  # of leaves, by their own numbers
    flows = []  # of each point and class: its variables by node
    for i, k in zip(*np.nonzero(points.counts), strict=True):
        into = m.variables(2 * first)
        for leaf in leaves(depth):
            m.cost[into[leaf]] = -points.counts[i, k]
        flows.append((i, k, into))
    for t in inner(depth):
        m.add([(1, b[t])], 1, 1)
    for leaf in leaves(depth):
        m.add([(1, w[leaf])], 1, 1)
    for i, k, into in flows:
        m.add([(1, into[0])], 0, 0)  # there is no node 0
        for t in inner(depth):
            m.add([(1, into[t]), (-1, into[[2 * t, 2 * t + 1]])], 0, 0)
            m.add([(1, into[2 * t]), (-1, b[t, passes[i]])], high=0)
            m.add([(1, into[2 * t + 1]), (-1, b[t, ~passes[i]])], high=0)
        for leaf in leaves(depth):
            m.add([(1, into[leaf]), (-1, w[leaf, k])], high=0)
    for i in np.flatnonzero(np.count_nonzero(points.counts, axis=1) > 1):
        m.add([(1, into[1]) for of, _, into in flows if of == i], high=1)
    if start is not None:
        begin(m, start, tests, points.rows, b, w, flows)
    result = m.solve(limit)
    if result.x is None:
        return None, result
    found = result.x
    test = {t: tests[int(np.argmax(found[b[t]]))] for t in inner(depth)}
    # Where classes tie w may be anything between them: the heaviest one is as good.
    return CompleteTree(depth, test, {}).labelled(X, y), result


def begin(
    m: Programme,
    start: CompleteTree,
    tests: list[tuple[int, float]],
    rows: np.ndarray,
    b: np.ndarray,
    w: np.ndarray,
    flows: list[tuple[int, int, np.ndarray]],
) -> None:
    """The tree's tests and classes; a flow runs where its class is the leaf's."""
    for t, test in start.test.items():
        m.begin(b[t, tests.index(test)])
    for leaf, k in start.label.items():
        m.begin(w[leaf, k])
    place = start.leaves(rows)
    for i, k, into in flows:
        node = int(place[i])
        if start.label[node] == k:
            while node:
                m.begin(into[node])
                node //= 2
