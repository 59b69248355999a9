"""Features with which predictions must rise or fall: what is asked, and shares in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treefront.columns import Categories, by_column, named

LEAD = 2.0**-40  # by which the class that a leaf predicts is ahead, where its share was moved


def resolve(
    given: Any, names: Sequence[str] | None, categories: Categories, *, n_values: int
) -> list[int]:
    """Sign of every column: 1 rises, -1 falls, 0 neither; empty where none has one.

    Parameters
    ----------
    given : array-like of shape (n_features,), or mapping from name or number of a column, or None
    names : sequence of str or None
        Names of the columns.
    categories : tuple, one entry per column
    n_values : int
        Numbers that a leaf predicts: the targets, or of classes one less than there are.

    Raises
    ------
    ValueError
        Other values than 1, 0 and -1; another number of them; an unknown column, or one with
        categories; more than two classes or one target.
    """
    if given is None:
        return []
    signs = by_column(given, len(categories), names, "monotonic_cst", _sign, 0)
    if not any(signs):
        return []
    for column, sign in enumerate(signs):
        if sign and categories[column] is not None:
            raise ValueError(
                f"monotonic_cst: {named(column, names)} has categories, which have no order"
            )
    if n_values > 1:
        raise ValueError("monotonic_cst needs two classes, or one target")
    return signs


def _sign(sign: Any, column: Any) -> int:
    if isinstance(sign, (bool, str)) or sign not in (-1, 0, 1):
        raise ValueError(f"monotonic_cst must be 1, 0 or -1; that of {column!r} is {sign!r}")
    return int(sign)


def shares_in_order(
    nodes: Mapping[str, NDArray[Any]], signs: Sequence[int], border: float
) -> NDArray[np.float64]:
    """Class weights of a tree's nodes, moved so that the share of class 1 keeps the order too.

    The decisions of the leaves are in order already. As in scikit-learn a test of a signed feature
    bounds the shares below it by the middle of those of its sides; here that middle also lies
    where the decisions of both sides allow it.

    Parameters
    ----------
    nodes : mapping
        Arrays of the tree; parents come before their children.
    signs : sequence of int
        By column.
    border : float
        Share of class 1 up to which class 0 is predicted.

    Returns
    -------
    ndarray of float64, shape (n_nodes, 2)
    """
    feature, threshold, decision = nodes["feature"], nodes["threshold"], nodes["decision"]
    children = np.stack([nodes["left"], nodes["right"]], axis=1)
    value = nodes["value"]
    weight = value.sum(axis=1)
    share = value[:, 1] / weight
    just_above = border + LEAD * (1 - border)
    says = [{int(label)} for label in decision]  # of the leaves below
    for node in range(len(feature) - 1, -1, -1):
        if feature[node] >= 0:
            says[node] = says[children[node, 0]] | says[children[node, 1]]

    low, high = np.zeros(len(share)), np.ones(len(share))
    moved = share.copy()
    for node, of_node in enumerate(feature):
        if of_node < 0:
            if moved[node] <= border < just_above <= high[node] and decision[node] == 1:
                moved[node] = just_above
            if moved[node] > border >= low[node] and decision[node] == 0:
                moved[node] = border
            moved[node] = min(max(moved[node], low[node]), high[node])
            continue
        moved[node] = min(max(share[node], low[node]), high[node])
        sides = children[node]
        low[sides], high[sides] = low[node], high[node]
        if not signs[of_node] or not np.isfinite(threshold[node]):
            continue
        lower, upper = sides if signs[of_node] > 0 else sides[::-1]
        middle = np.clip(share[sides], low[node], high[node]).mean()
        if 1 in says[lower]:
            middle = max(middle, just_above)
        if 0 in says[upper]:
            middle = min(middle, border)
        high[lower], low[upper] = middle, middle
    return np.stack([weight * (1 - moved), weight * moved], axis=1)
