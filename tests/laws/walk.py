"""What a tree does to rows, computed from its arrays alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

# What leads rows through a tree, and what its leaves say.
ARRAYS = (
    *("feature", "threshold", "left", "right", "missing_left", "level_start", "left_levels"),
    *("value", "n_rows"),
)


def rows_of_nodes(tree: dict, X: np.ndarray) -> list[np.ndarray]:
    """Row numbers that reach each node, by walking the arrays."""
    rows: list[np.ndarray] = [np.arange(0)] * len(tree["feature"])
    open_nodes = [(0, np.arange(len(X)))]
    while open_nodes:
        node, here = open_nodes.pop()
        rows[node] = here
        if tree["feature"][node] >= 0:
            left = goes_left(tree, node, X[here, tree["feature"][node]])
            open_nodes.append((tree["left"][node], here[left]))
            open_nodes.append((tree["right"][node], here[~left]))
    return rows


def goes_left(tree: dict, node: int, cells: np.ndarray) -> np.ndarray:
    """Which cells of the tested column go left."""
    threshold = tree["threshold"][node]
    if np.isnan(threshold):
        start = tree["level_start"]
        left = np.isin(cells, tree["left_levels"][start[node] : start[node + 1]])
    else:
        left = cells <= threshold
    return np.where(np.isnan(cells), bool(tree["missing_left"][node]), left)


def depths(tree: dict) -> list[int]:
    """Number of tests above each node; parents come before children."""
    depth = [0] * len(tree["feature"])
    for node, feature in enumerate(tree["feature"]):
        if feature >= 0:
            for child in (tree["left"][node], tree["right"][node]):
                assert child > node
                depth[child] = depth[node] + 1
    return depth


def true_point(tree: dict, table, complexity: str) -> tuple[Fraction, Fraction]:
    """Complexity and error of the tree, recomputed from the training rows."""
    weight = table.exact_weight
    error = cost = Fraction(0)
    for node, rows in enumerate(rows_of_nodes(tree, table.X)):
        here = sum((Fraction(weight[i]) for i in rows), Fraction(0))
        if tree["feature"][node] >= 0:
            cost += here if complexity == "tests" else 1
        else:
            label = int(np.argmax(tree["value"][node]))
            error += here - sum(Fraction(weight[i]) for i in rows if table.y[i] == label)
    return cost, error
