"""From CART to a tree of an integer programme, by programmes that are smaller.

As in the paper of OCT the programme of every depth starts from CART, or from the tree of the depth
before if it is better. Where that leaves off, the same programme is solved for the rows of each
node alone, from small subtrees to large ones. One for all rows, with half of the time, is the last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from benchmarks.paper.complete import CompleteTree, among, cart, grown
from benchmarks.paper.points import merge
from benchmarks.paper.programme import Solution

Solve = Callable[..., tuple["CompleteTree | None", Solution]]
LEAST_SECONDS = 0.1


@dataclass(frozen=True)
class Stages:
    """The trees after programmes of smaller depths, of subtrees, and of all rows."""

    by_depths: CompleteTree
    by_subtrees: CompleteTree
    tree: CompleteTree
    last: Solution  # of the programme for all rows


def solve(formulation: Solve, X: np.ndarray, y: np.ndarray, depth: int, limit: float) -> Stages:
    """All programmes together have `limit` seconds."""
    heights = range(2, depth)
    smaller = depth - 1 + sum(2 ** (depth - height) for height in heights)  # programmes
    begin = perf_counter()

    def improved(
        X: np.ndarray, y: np.ndarray, start: CompleteTree, end: float, programmes: int = 1
    ) -> tuple[CompleteTree, Solution]:
        """An equal share of the time until `end`, which so many programmes still wait for."""
        share = max((begin + end - perf_counter()) / programmes, LEAST_SECONDS)
        tree, result = formulation(X, y, start.depth, share, among(start, X))
        better = tree is not None and tree.errors(X, y) < start.errors(X, y)
        return (tree if better and tree is not None else start), result

    tree = cart(X, y, 1)
    for level in range(1, depth):
        tree, _ = improved(X, y, tree, limit / 2, smaller)
        smaller -= 1
        tree = min(cart(X, y, level + 1), grown(tree, X, y), key=lambda t: t.errors(X, y))
    by_depths = tree
    for height in heights:
        for node in range(2 ** (depth - height), 2 ** (depth - height + 1)):
            here = tree.leaves(X) >> height == node
            if here.any():
                # Its own majorities: a class that its rows lack is no class of its programme.
                part = tree.below(node).labelled(X[here], y[here])
                if part.errors(X[here], y[here]) > merge(X[here], y[here]).least_errors:
                    part, _ = improved(X[here], y[here], part, limit / 2, smaller)
                tree = tree.put(node, part)
            smaller -= 1
    by_subtrees = tree
    tree, result = improved(X, y, tree, limit)
    return Stages(by_depths, by_subtrees, tree, result)
