"""Trees and fronts made by hand, small enough to check by reading."""

from __future__ import annotations

import numpy as np

from treefront import Front, Tree

NAN = float("nan")
CLASSES = np.array(["cat", "dog"])


def leaf(value=(6, 4), **options) -> Tree:
    nodes = {
        "feature": [-1],
        "threshold": [NAN],
        "left": [-1],
        "right": [-1],
        "value": [value],
        "n_rows": [sum(value)],
    }
    return tree(nodes, **options)


def stump(**options) -> Tree:
    """x[0] <= 0.5: cat (5 of 6), else dog (3 of 4)."""
    nodes = {
        "feature": [0, -1, -1],
        "threshold": [0.5, NAN, NAN],
        "left": [1, -1, -1],
        "right": [2, -1, -1],
        "value": [[6, 4], [5, 1], [1, 3]],
        "n_rows": [10, 6, 4],
    }
    return tree(nodes, **options)


def two_tests(**options) -> Tree:
    """x[0] <= 0.5: cat, else x[1] <= 0.1 + 0.2: cat (1 row), else dog (3 rows)."""
    nodes = {
        "feature": [0, -1, 1, -1, -1],
        "threshold": [0.5, NAN, 0.1 + 0.2, NAN, NAN],
        "left": [1, -1, 3, -1, -1],
        "right": [2, -1, 4, -1, -1],
        "value": [[6, 4], [5, 1], [1, 3], [1, 0], [0, 3]],
        "n_rows": [10, 6, 4, 1, 3],
    }
    return tree(nodes, **options)


def tree(nodes, classes=CLASSES, n_features=2, feature_names=None) -> Tree:
    return Tree.from_nodes(nodes, classes, n_features, feature_names)


def front(**options) -> Front:
    """Errors 4, 2, 1 at 0, 10, 16 tests (of 10 rows): neighbours meet at alpha 1/5 and 1/6."""
    return Front.from_vertices(
        [leaf(**options), stump(**options), two_tests(**options)],
        np.array([4.0, 2.0, 1.0]),
        np.array([0.0, 10.0, 16.0]),
        "tests",
    )
