"""What a tree does to rows, computed from its arrays alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def rows_of_nodes(tree: dict, X: np.ndarray) -> list[np.ndarray]:
    """Row numbers that reach each node, by walking the arrays."""
    rows: list[np.ndarray] = [np.arange(0)] * len(tree["feature"])
    open_nodes = [(0, np.arange(len(X)))]
    while open_nodes:
        node, here = open_nodes.pop()
        rows[node] = here
        if tree["feature"][node] >= 0:
            left = X[here, tree["feature"][node]] <= tree["threshold"][node]
            open_nodes.append((tree["left"][node], here[left]))
            open_nodes.append((tree["right"][node], here[~left]))
    return rows


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
