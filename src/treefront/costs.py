"""Prices of errors: weights of classes, and what a prediction costs by the true class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_class_weight

from treefront import labels

Floats = NDArray[np.float64]

LARGEST = 1e100  # sums of larger prices could leave the range of float64


def class_weights(class_weight: Any, classes: labels.Labels, target: labels.Labels) -> Floats:
    """Weight of every class, shape (n_classes,).

    Parameters
    ----------
    class_weight : dict, "balanced"
        As in scikit-learn; a dict may name classes that these rows lack.
    classes : ndarray of shape (n_classes,)
    target : ndarray of shape (n_rows,)
        Labels.

    Raises
    ------
    ValueError
        Neither a dict nor "balanced"; a weight that is negative or not finite.
    """
    if isinstance(class_weight, dict):
        known = {_plain(label): weight for label, weight in class_weight.items()}
        weights = np.array([_number(known.get(_plain(label), 1.0)) for label in classes])
    elif isinstance(class_weight, str) and class_weight == "balanced":
        weights = compute_class_weight("balanced", classes=classes, y=target)
    else:
        raise ValueError(f"class_weight must be a dict, 'balanced' or None, got {class_weight!r}")
    bad = ~((weights >= 0) & (weights < LARGEST))
    if bad.any():
        label = classes[int(np.argmax(bad))]
        raise ValueError(
            f"class_weight must be from 0 to {LARGEST:g}; class {_plain(label)!r} has "
            f"{float(weights[np.argmax(bad)])}"
        )
    return weights


def cost_matrix(given: ArrayLike, classes: labels.Labels) -> Floats:
    """Costs by true class and prediction, shape (n_classes, n_classes).

    Raises
    ------
    ValueError
        Another shape; a cost that is negative or not finite; a right prediction that costs.
    """
    try:
        costs: Floats = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"cost_matrix must be a square of numbers: {error}") from error
    n = len(classes)
    if costs.shape != (n, n):
        raise ValueError(
            f"cost_matrix has shape {costs.shape}; {n} classes need ({n}, {n}): row = true class, "
            "column = prediction, in the order of classes_"
        )
    bad = ~((costs >= 0) & (costs < LARGEST))
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"cost_matrix must be from 0 to {LARGEST:g}; [{row}, {column}] is "
            f"{float(costs[row, column])}"
        )
    if np.diag(costs).any():
        raise ValueError("cost_matrix must be 0 on its diagonal: right predictions cost nothing")
    return costs


def of_rows(costs: Floats) -> Floats | None:
    """Price of an error by true class alone, shape (n_classes,); None where predictions differ."""
    n = len(costs)
    price: Floats = costs.max(axis=1)
    off_diagonal = ~np.eye(n, dtype=bool)
    return price if (costs == price[:, None])[off_diagonal].all() else None


def _number(weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError):
        return np.nan


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
