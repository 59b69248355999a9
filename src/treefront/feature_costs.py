"""What tests cost: prices of features, and features that are bought once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treefront.columns import by_column, position

LARGEST = 1e100  # sums of larger prices could leave the range of float64


@dataclass(frozen=True)
class Prices:
    """Price of a test by column, and the column's group where a group is paid for once."""

    costs: list[float]  # empty: all 1
    groups: list[int]  # empty: every test is paid for

    @property
    def all_one(self) -> bool:
        """Whether complexity counts tests."""
        return not self.groups and all(cost == 1 for cost in self.costs)


def resolve(
    costs: Any, groups: Any, names: Sequence[str] | None, n_features: int, *, once: bool
) -> Prices:
    """Prices as the core reads them.

    Parameters
    ----------
    costs : array-like of shape (n_features,), or mapping from name or number of a column, or None
        What a mapping leaves out costs 1.
    groups : sequence of sequences of names or numbers of columns, or None
    names : sequence of str or None
        Names of the columns.
    n_features : int
    once : bool
        Whether the first test of a feature, or of a group, pays for all others on its path.

    Raises
    ------
    ValueError
        Costs that are negative, not finite, too few or too many, or for an unknown column; groups
        without `once`, that overlap, or whose features differ in cost.
    """
    if groups is not None and not once:
        raise ValueError("feature_groups needs feature_costs_once=True")
    if costs is None:
        prices = [1.0] * n_features
    else:
        prices = by_column(costs, n_features, names, "feature_costs", _cost, 1.0)
    if not once:
        return Prices([] if costs is None else prices, [])
    return Prices(prices, _groups(groups or (), prices, names))


def _groups(groups: Any, prices: list[float], names: Sequence[str] | None) -> list[int]:
    """Number of the group of every column; what is in none is one of its own."""
    n_features = len(prices)
    group_of = list(range(n_features))
    seen: set[int] = set()
    if not isinstance(groups, (list, tuple)):
        raise ValueError("feature_groups must be a list of lists of columns")
    for members in groups:
        if not isinstance(members, (list, tuple, np.ndarray)):
            raise ValueError("feature_groups must be a list of lists of columns")
        columns = [position(c, n_features, names, "feature_groups") for c in members]
        if seen & set(columns) or len(set(columns)) < len(columns):
            raise ValueError("feature_groups names a column twice")
        seen |= set(columns)
        if len({prices[c] for c in columns}) > 1:
            raise ValueError(
                f"the features of a group share one price, but those of {list(members)} cost "
                f"{[prices[c] for c in columns]}"
            )
        for column in columns:
            group_of[column] = columns[0]
    return group_of


def _cost(cost: Any, column: Any) -> float:
    try:
        price = float(cost)
    except (TypeError, ValueError):
        price = np.nan
    if not 0 <= price < LARGEST:
        raise ValueError(
            f"feature_costs must be from 0 to {LARGEST:g}; that of {column!r} is {cost!r}"
        )
    return price
