"""A tree as scikit-learn's own: the only user of its private interface.

scikit-learn rounds X to float32 before it compares, so a value goes another way than in our tree
where float32 does not tell it from the threshold, and nowhere else. Values that are float32
numbers, such as integers up to 2**24, always go the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as Nodes

from treefront.columns import named

if TYPE_CHECKING:
    from treefront.tree import Tree

Floats = NDArray[np.float64]

UNDEFINED = -2  # feature and threshold of a leaf
LARGEST = float(np.finfo(np.float32).max)


def convert(tree: Tree, rows: Floats | None) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """`Tree.to_sklearn` with checked rows."""
    _refuse_what_cannot_be_said(tree)
    threshold, swapped = _thresholds(tree)
    if rows is not None:
        threshold = _exact_on(tree, threshold, swapped, rows)

    is_test = tree.feature >= 0
    nodes = np.zeros(tree.n_nodes, dtype=NODE_DTYPE)
    nodes["left_child"] = np.where(swapped, tree.right, tree.left)
    nodes["right_child"] = np.where(swapped, tree.left, tree.right)
    nodes["feature"] = np.where(is_test, tree.feature, UNDEFINED)
    nodes["threshold"] = np.where(is_test, threshold, UNDEFINED)
    nodes["missing_go_to_left"] = tree.missing_left ^ swapped
    nodes["n_node_samples"] = tree.n_rows
    nodes["weighted_n_node_samples"] = tree.weight

    model: Any
    if tree.classes is None:
        model = DecisionTreeRegressor(max_depth=max(tree.depth, 1), criterion=tree.loss_name)
        values = tree.value[:, :, None]
        nodes["impurity"] = tree.loss / tree.weight / tree.value.shape[1]
        n_classes = np.ones(tree.value.shape[1], dtype=np.intp)
    else:
        model = DecisionTreeClassifier(max_depth=max(tree.depth, 1))
        values = tree.shares[:, None, :]
        nodes["impurity"] = 1 - np.square(tree.shares).sum(axis=1)
        n_classes = np.array([len(tree.classes)], dtype=np.intp)
        model.classes_, model.n_classes_ = tree.classes, len(tree.classes)
    model.n_outputs_ = len(n_classes)
    model.n_features_in_ = model.max_features_ = tree.n_features
    if tree.feature_names is not None:
        model.feature_names_in_ = np.array(tree.feature_names, dtype=object)
    model.tree_ = Nodes(tree.n_features, n_classes, len(n_classes))
    model.tree_.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(values),
        }
    )
    return model


def _refuse_what_cannot_be_said(tree: Tree) -> None:
    leaves = tree.feature < 0
    if tree.classes is not None and (tree.decision != tree.value.argmax(axis=1))[leaves].any():
        raise ValueError(
            "a leaf predicts a class that is not its heaviest (cost_matrix), which a tree of "
            "scikit-learn always does"
        )
    for node in np.flatnonzero(~leaves):
        column, threshold = int(tree.feature[node]), float(tree.threshold[node])
        name = named(column, tree.feature_names)
        if tree.times[column] is not None:
            raise ValueError(f"{name} holds points in time, which float32 cannot tell apart")
        if np.isfinite(threshold) and abs(threshold) > LARGEST:
            raise ValueError(f"the threshold {threshold!r} of {name} is beyond float32")


def _thresholds(tree: Tree) -> tuple[Floats, NDArray[np.bool_]]:
    """Thresholds, and at which nodes the children must change places.

    Categories that are numbers or bools are compared where those of one side come before all
    others.
    """
    threshold, swapped = tree.threshold.copy(), np.zeros(tree.n_nodes, dtype=bool)
    for node in np.flatnonzero((tree.feature >= 0) & np.isnan(tree.threshold)):
        column = int(tree.feature[node])
        known = tree.categories[column] or ()
        left = set(tree.left_categories(int(node)))
        at = len(left)
        if left and set(known[:at]) != left:
            at, swapped[node] = len(known) - at, True
        low, high = set(known[:at]), set(known[at:])
        of_numbers = not any(isinstance(value, str) for value in known)
        if not of_numbers or (low if not swapped[node] else high) != left:
            raise ValueError(
                f"{named(column, tree.feature_names)} holds categories, and "
                f"{sorted(left)} against the rest is no comparison of numbers, the only test that "
                "a tree of scikit-learn has"
            )
        if not low or not high:  # one side is what is missing
            threshold[node] = np.inf if low else -np.inf
        else:
            threshold[node] = float(known[at - 1]) / 2 + float(known[at]) / 2
    return threshold, swapped


def _exact_on(tree: Tree, threshold: Floats, swapped: NDArray[np.bool_], rows: Floats) -> Floats:
    """Thresholds by which scikit-learn leads every one of these rows as the tree does."""
    threshold = threshold.copy()
    waiting = [(0, rows)]
    while waiting:
        node, here = waiting.pop()
        column = int(tree.feature[node])
        if column < 0 or not len(here):
            continue
        goes_left = tree.goes_left(node, here)
        waiting += [(tree.left[node], here[goes_left]), (tree.right[node], here[~goes_left])]
        known = tree.categories[column]
        cells = here[:, column]
        if known is not None:  # as scikit-learn will meet them; what was not seen has no number
            seen = cells >= 0
            cells = np.array([*map(float, known), np.nan])[cells[seen].astype(int)]
            goes_left = goes_left[seen]
        present = ~np.isnan(cells)
        rounded = cells[present].astype(np.float32)
        low_side = goes_left[present] ^ swapped[node]
        if np.array_equal(rounded <= threshold[node], low_side):
            continue
        # Only values that float32 rounds to the same number as the threshold can differ.
        same = np.float32(threshold[node])
        below = np.nextafter(same, np.float32(-np.inf))
        fitting = [at for at in (same, below) if np.array_equal(rounded <= at, low_side)]
        if not fitting:
            raise ValueError(
                f"{named(column, tree.feature_names)} has values on both sides of "
                f"{float(threshold[node])!r} that scikit-learn, which rounds X to float32, does "
                "not tell apart; scale the column (subtract its mean, say) and fit again"
            )
        threshold[node] = float(fitting[0])
    return threshold
