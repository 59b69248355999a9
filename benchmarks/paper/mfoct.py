"""MFOCT (Aghaei, Gomez and Vayanos, 2020): a row is a flow that reaches the sink where it is right.

Tests are all thresholds of the features; the number of rows that are right is maximised.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.paper.programme import CompleteTree, Programme, ancestors, thresholds


def solve(
    X: np.ndarray, y: np.ndarray, depth: int, limit: float
) -> tuple[CompleteTree | None, Any]:
    tests = [(j, float(t)) for j, column in enumerate(X.T) for t in thresholds(column)]
    passes = np.array([X[:, j] <= t for j, t in tests]).T  # rows by tests
    n, classes = len(X), int(y.max()) + 1
    inner, nodes = range(1, 2**depth), range(1, 2 ** (depth + 1))
    m = Programme()
    b = m.variables(2**depth, len(tests), whole=True)
    stops = m.variables(2 ** (depth + 1), whole=True)
    w = m.variables(2 ** (depth + 1), classes, whole=True)
    into = m.variables(n, 2 ** (depth + 1))  # flow of a row into a node
    right = m.variables(n, 2 ** (depth + 1), cost=-1.0)  # from there to the sink
    for t in nodes:
        above = [stops[node] for node, _ in ancestors(t)]
        branches = [(1, b[t])] if t in inner else []
        m.add([*branches, (1, stops[t]), (1, np.array(above, dtype=int))], 1, 1)
        m.add([(1, w[t]), (-1, stops[t])], 0, 0)
        for i in range(n):
            m.add([(1, right[i, t]), (-1, w[t, y[i]])], high=0)
            if t in inner:
                sides = into[i, [2 * t, 2 * t + 1]]
                m.add([(1, into[i, t]), (-1, sides), (-1, right[i, t])], 0, 0)
                m.add([(1, sides[0]), (-1, b[t, passes[i]])], high=0)
                m.add([(1, sides[1]), (-1, b[t, ~passes[i]])], high=0)
            else:
                m.add([(1, into[i, t]), (-1, right[i, t])], 0, 0)
    m.add([(1, right[:, 0])], 0, 0)  # there is no node 0
    result = m.solve(limit)
    if result.x is None:
        return None, result
    x = result.x
    label = {t: int(np.argmax(x[w[t]])) for t in nodes if x[stops[t]] > 0.5}
    test = {t: tests[int(np.argmax(x[b[t]]))] for t in inner}
    return CompleteTree(depth, test, label), result
