"""A tree as plain values (lists, numbers, text, None), ready for JSON, and back.

What all trees of a front share, its classes and columns, stands apart from the nodes: a file holds
it once. Floats are exact; what JSON lacks is null (NaN) or text (an infinite threshold).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treefront import labels, times

if TYPE_CHECKING:
    from treefront.tree import Tree


def shared(tree: Tree) -> dict[str, Any]:
    """Classes, columns and the name of the loss."""
    return {
        "classes": None if tree.classes is None else labels.to_json(tree.classes),
        "n_features": tree.n_features,
        "feature_names": None if tree.feature_names is None else list(tree.feature_names),
        "categories": [
            None if known is None else {"values": list(known)} for known in tree.categories
        ],
        "with_missing": list(tree.with_missing),
        "times": list(tree.times),
        "loss_name": tree.loss_name,
    }


def read_shared(document: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `Tree.from_nodes`; inverse of `shared`.

    Keys that older releases did not write may be missing.
    """
    n_features, names = int(document["n_features"]), document["feature_names"]
    classes = document["classes"]
    return {
        "classes": None if classes is None else labels.from_json(classes),
        "n_features": n_features,
        "feature_names": None if names is None else tuple(str(name) for name in names),
        "categories": tuple(
            None if known is None else tuple(known["values"])
            for known in document.get("categories", [None] * n_features)
        ),
        "with_missing": document.get("with_missing"),
        "times": tuple(document.get("times", [None] * n_features)),
        "loss_name": document.get("loss_name"),
    }


def nodes(tree: Tree) -> dict[str, Any]:
    """The arrays of the nodes."""
    return {
        "feature": tree.feature.tolist(),
        "threshold": [_number(threshold) for threshold in tree.threshold.tolist()],
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "missing_left": tree.missing_left.tolist(),
        "level_start": tree.level_start.tolist(),
        "left_levels": tree.left_levels.tolist(),
        "value": tree.value.tolist(),
        "decision": tree.decision.tolist(),
        "loss": tree.loss.tolist(),
        "n_rows": tree.n_rows.tolist(),
        "weight": tree.weight.tolist(),
    }


def read_nodes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Node arrays of `Tree.from_nodes`; inverse of `nodes`."""
    thresholds = [np.nan if cell is None else float(cell) for cell in document["threshold"]]
    return {**document, "threshold": thresholds}


def check(tree: Tree) -> None:
    """Whether arrays that were read make a tree.

    Raises
    ------
    ValueError
        They do not; the message says why.
    """
    _check_lengths(tree)
    _check_children(tree)
    _check_tests(tree)
    _check_levels(tree)


def _check_lengths(tree: Tree) -> None:
    n = tree.n_nodes
    arrays: list[NDArray[Any]] = [tree.threshold, tree.left, tree.right, tree.n_rows]
    arrays += [tree.weight, tree.decision, tree.loss]
    if n == 0 or any(len(array) != n for array in arrays):
        raise ValueError("the arrays of a tree must have one entry per node")
    if tree.value.ndim != 2 or len(tree.value) != n:
        raise ValueError("the values of a tree must have one row per node")
    if tree.classes is not None:
        if tree.value.shape[1] != len(tree.classes):
            raise ValueError("the values of a tree must have one entry per node and class")
        if (tree.decision < 0).any() or (tree.decision >= len(tree.classes)).any():
            raise ValueError("the decisions of a tree must be places in its classes")


def _check_children(tree: Tree) -> None:
    tests = tree.tests
    left, right = tree.left[tests], tree.right[tests]
    # Behind their parents and each named once: every walk ends, and in a leaf.
    named_once = sorted([*left.tolist(), *right.tolist()]) == list(range(1, tree.n_nodes))
    if not named_once or (np.minimum(left, right) <= tests).any():
        raise ValueError("the children of a tree's nodes must follow their parents, each once")


def _check_tests(tree: Tree) -> None:
    # -1: a leaf
    if (tree.feature < -1).any() or (tree.feature >= tree.n_features).any():
        raise ValueError(f"the features of a tree must be from 0 to {tree.n_features - 1}")
    if len(tree.times) != tree.n_features or any(
        kind is not None and kind not in times.KINDS for kind in tree.times
    ):
        raise ValueError("the times of a tree must be 'naive', 'UTC' or null, one per column")
    tests = tree.tests
    of_numbers = np.array([known is None for known in tree.categories], dtype=bool)
    if np.isnan(tree.threshold[tests[of_numbers[tree.feature[tests]]]]).any():
        raise ValueError("every test of a number in a tree needs a threshold")


def _check_levels(tree: Tree) -> None:
    n, counts = tree.n_nodes, np.diff(tree.level_start)
    if (
        len(tree.missing_left) != n
        or len(tree.level_start) != n + 1
        or tree.level_start[0] != 0
        or tree.level_start[-1] != len(tree.left_levels)
        or (counts < 0).any()
    ):
        raise ValueError("the levels of a tree must have one entry per node")
    most = np.array([len(known or ()) for known in tree.categories], dtype=np.int64)
    allowed = np.where(tree.feature >= 0, most[tree.feature], 0)
    if (tree.left_levels < 0).any() or (tree.left_levels >= np.repeat(allowed, counts)).any():
        raise ValueError("a test of a tree names a category that its column lacks")


def _number(number: float) -> float | str | None:
    """Infinity, which JSON lacks, as the text that `float` reads."""
    if np.isnan(number):
        return None
    return number if np.isfinite(number) else str(number)
