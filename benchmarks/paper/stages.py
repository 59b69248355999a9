"""From CART to a tree of an integer programme, by programmes that are smaller.

As in the paper of OCT the programme of every depth starts from CART, or from the tree of the depth
before if it is better. Where that leaves off, the same programme is solved for the rows of each
node alone, from small subtrees to large ones, and for all rows at last.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from benchmarks.paper.complete import CompleteTree, among, cart, grown
from benchmarks.paper.points import merge
from benchmarks.paper.programme import Solution

Solve = Callable[..., tuple["CompleteTree | None", Solution]]


def solve(
    formulation: Solve, X: np.ndarray, y: np.ndarray, depth: int, limit: float
) -> tuple[CompleteTree, Solution, CompleteTree]:
    """The tree, what was said of the last programme, and the tree that was the start of all.

    Every programme has an equal share of the time that is left.
    """
    heights = range(2, depth)
    jobs = depth + sum(2 ** (depth - height) for height in heights)
    end = perf_counter() + limit

    def improved(
        X: np.ndarray, y: np.ndarray, start: CompleteTree
    ) -> tuple[CompleteTree, Solution]:
        share = max((end - perf_counter()) / jobs, 0.1)
        tree, result = formulation(X, y, start.depth, share, among(start, X))
        better = tree is not None and tree.errors(X, y) < start.errors(X, y)
        return (tree if better and tree is not None else start), result

    tree = cart(X, y, 1)
    for level in range(1, depth):
        tree, _ = improved(X, y, tree)
        jobs -= 1
        tree = min(cart(X, y, level + 1), grown(tree, X, y), key=lambda t: t.errors(X, y))
    first = tree
    for height in heights:
        for node in range(2 ** (depth - height), 2 ** (depth - height + 1)):
            here = tree.leaves(X) >> height == node
            part = tree.below(node)
            if here.any() and part.errors(X[here], y[here]) > merge(X[here], y[here]).least_errors:
                part, _ = improved(X[here], y[here], part)
                tree = tree.put(node, part)
            jobs -= 1
    tree, result = improved(X, y, tree)
    return tree, result, first
