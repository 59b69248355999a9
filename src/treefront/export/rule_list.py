"""Rules: one per leaf, in words, the tests on its path put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treefront import summary

if TYPE_CHECKING:
    from treefront.tree import Tree


def to_rules(tree: Tree) -> str:
    """One readable rule per leaf, with its training rows and class shares.

    Of several tests of one column the range that is left is said. Exactly one rule holds for any
    row. A missing value is spoken of where training had some in the column.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str

    Examples
    --------
    ::

        if petal width <= 0.8
        then setosa  (50 rows; setosa: 100%)
    """
    return "\n\n".join(
        ("if " + "\nand ".join(rule.conditions) if rule.conditions else "always")
        + f"\nthen {rule.prediction}  ({rule.rows}; {rule.spread})"
        for rule in summary.leaf_rules(tree)
    )
