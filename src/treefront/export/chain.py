"""A tree as a chain of "if ... then a smaller tree, else go on": the shape of exported code.

Of the two subtrees below a test the one with fewer leaves is nested, the other one continues the
chain. Nesting is then at most log2 of the number of leaves, however deep the tree: an engine's
limit on nested expressions, or Python's on indentation, is never met.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treefront.tree import Tree


@dataclass(frozen=True)
class Number:
    """``x <= threshold``, or with `above` ``x > threshold``; in float64."""

    column: int
    threshold: float
    above: bool
    missing: bool  # whether it holds for a missing value


@dataclass(frozen=True)
class Missing:
    """Whether the value is missing, or with `present` whether it is not."""

    column: int
    present: bool


@dataclass(frozen=True)
class OneOf:
    """Whether the value is one of some categories, or with `negated` none of them.

    A missing value and a category that training did not have are none of them.
    """

    column: int
    levels: tuple[int, ...]  # places in the column's categories
    negated: bool


Condition = Number | Missing | OneOf


@dataclass(frozen=True)
class Chain:
    """The first step whose condition holds decides; where none does, `leaf` is reached."""

    steps: tuple[tuple[Condition, Chain], ...]
    leaf: int  # node number


def chain(tree: Tree) -> Chain:
    """The tree as a chain of tests."""
    return _from(tree, 0, _n_leaves(tree))


def _from(tree: Tree, node: int, n_leaves: list[int]) -> Chain:
    steps = []
    while tree.feature[node] >= 0:
        left, right = int(tree.left[node]), int(tree.right[node])
        decided = _decided(tree, node)
        if decided is not None:  # a test that tells nothing apart
            node = left if decided else right
            continue
        nest_left = n_leaves[left] <= n_leaves[right]
        inside, node_after = (left, right) if nest_left else (right, left)
        # Half of the leaves at most: the recursion is as shallow as the nesting.
        steps.append((condition(tree, node, to_left=nest_left), _from(tree, inside, n_leaves)))
        node = node_after
    return Chain(tuple(steps), node)


def _decided(tree: Tree, node: int) -> bool | None:
    """Whether all rows go left, or with False right; None where the test tells rows apart."""
    threshold, missing_left = float(tree.threshold[node]), bool(tree.missing_left[node])
    is_decided = threshold == (math.inf if missing_left else -math.inf)
    return missing_left if is_decided else None


def condition(tree: Tree, node: int, *, to_left: bool) -> Condition:
    """What holds for exactly the rows that go to one side of a test."""
    column, threshold = int(tree.feature[node]), float(tree.threshold[node])
    missing_left = bool(tree.missing_left[node])
    known = tree.categories[column]
    if known is not None:
        chosen = set(tree.left_places(node).tolist())
        # What is missing or unknown goes with those that are not named.
        named = set(range(len(known))) - chosen if missing_left else chosen
        return OneOf(column, tuple(sorted(named)), negated=missing_left == to_left)
    if threshold == math.inf and not missing_left:
        return Missing(column, present=to_left)
    if threshold == -math.inf and missing_left:
        return Missing(column, present=not to_left)
    return Number(column, threshold, above=not to_left, missing=missing_left == to_left)


def category(tree: Tree, column: int, level: int) -> Any:
    """A category of a column: text, number or bool."""
    known = tree.categories[column]
    assert known is not None
    return known[level]


def _n_leaves(tree: Tree) -> list[int]:
    """Leaves below every node; children stand behind their parents."""
    count = np.ones(tree.n_nodes, dtype=np.int64).tolist()
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[node] >= 0:
            count[node] = count[tree.left[node]] + count[tree.right[node]]
    return list(count)
