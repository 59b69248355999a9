"""Minimal cost-complexity pruning (Breiman et al., 1984): every tree of the path, in one pass.

scikit-learn tells the prices of the path and wants a fit for each of its trees. Here the fitted
tree is cut where the risk per leaf saved is smallest, again and again; what a cut changes in
errors, tests and leaves is added along the way up. Trees between two prices that tie are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treefront.tree import Tree

Part = tuple[np.ndarray, np.ndarray]  # rows and their labels
RISK, LEAVES = 0, 1


def pruning_path(model: Any, parts: dict[str, Part]) -> list[dict[str, Any]]:
    """Leaves, errors and tests made of every tree of the path of a fitted CART, largest first."""
    return [described(total, parts) for total, _ in steps(model, parts)]


def pruned(model: Any, place: int) -> Tree:
    """A tree of the path by its place, as one of ours."""
    from treefront.tree import LEAF, Tree

    tree = model.tree_
    _, inner = next(islice(steps(model, {}), place, None))
    kept = np.zeros(tree.node_count, dtype=bool)
    kept[0] = True
    for node in np.flatnonzero(inner):
        kept[[tree.children_left[node], tree.children_right[node]]] = True
    number = np.cumsum(kept) - 1  # in the order of a Tree: root first, a test before what follows
    tests = inner[kept]
    nodes = {
        "feature": np.where(tests, tree.feature[kept], LEAF),
        "threshold": np.where(tests, tree.threshold[kept], np.nan),
        "left": np.where(tests, number[tree.children_left[kept]], LEAF),
        "right": np.where(tests, number[tree.children_right[kept]], LEAF),
        # scikit-learn tells the shares of the classes.
        "value": (tree.value[:, 0] * tree.weighted_n_node_samples[:, None])[kept],
        "n_rows": tree.n_node_samples[kept],
    }
    return Tree.from_nodes(nodes, model.classes_, model.n_features_in_)


def steps(model: Any, parts: dict[str, Part]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Of every tree of the path: what its leaves add up to, and which nodes test.

    Both arrays are overwritten by the next step.
    """
    tree = model.tree_
    left, right = tree.children_left, tree.children_right
    parent = np.full(tree.node_count, -1)
    depth = np.zeros(tree.node_count)
    for node in np.flatnonzero(left >= 0):  # parents come before their children
        parent[[left[node], right[node]]] = node
        depth[[left[node], right[node]]] = depth[node] + 1
    as_leaf = np.column_stack(
        [
            tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0],
            np.ones(tree.node_count),
            *(column for X, y in parts.values() for column in reached(model, X, y, depth)),
        ]
    )
    branch = as_leaf.copy()
    for node in np.flatnonzero(left >= 0)[::-1]:
        branch[node] = branch[left[node]] + branch[right[node]]
    inner = left >= 0
    yield branch[0], inner
    while inner[0]:
        gain = np.full(tree.node_count, np.inf)
        saved = branch[inner, LEAVES] - 1
        gain[inner] = (as_leaf[inner, RISK] - branch[inner, RISK]) / saved
        cut = int(np.argmin(gain))
        change = as_leaf[cut] - branch[cut]
        below = [cut]
        while below:
            node = below.pop()
            if inner[node]:
                inner[node] = False
                below += [left[node], right[node]]
        node = cut
        while node >= 0:
            branch[node] += change
            node = parent[node]
        yield branch[0], inner


def reached(model: Any, X: np.ndarray, y: np.ndarray, depth: np.ndarray) -> list[np.ndarray]:
    """Per node, as if it were a leaf: its errors, and the tests its rows have made."""
    passes = model.decision_path(X).tocsc()
    rows = np.diff(passes.indptr)
    answer = model.classes_[model.tree_.value[:, 0].argmax(axis=1)]
    node_of = np.repeat(np.arange(len(depth)), rows)
    wrong = y[passes.indices] != answer[node_of]
    return [np.bincount(node_of, weights=wrong, minlength=len(depth)), depth * rows]


def described(total: np.ndarray, parts: dict[str, Part]) -> dict[str, Any]:
    row: dict[str, Any] = {"leaves": round(total[LEAVES])}
    for place, (name, (_, y)) in enumerate(parts.items()):
        errors, tests = total[2 + 2 * place], total[3 + 2 * place]
        row[f"{name}_accuracy"] = 1 - round(errors) / len(y)
        row[f"{name}_tests"] = round(tests) / len(y)
    return row
