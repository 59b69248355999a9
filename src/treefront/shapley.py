"""Exact Shapley values of a tree's prediction, also with categories and missing values.

The game is that of "tree path dependent" TreeSHAP (Lundberg et al. 2020, algorithm 1): a row whose
feature is left out of the coalition goes both ways, by the share of the training weight. A leaf of
value v whose path tests k different features then pays, to the coalition S, v times the product of
o_j over S and of z_j over the others: o_j is 1 where the row passes all tests of feature j on the
path, else 0; z_j is the share of the training weight that does. Its Shapley values follow in closed
form from the coefficients c_s of the polynomial prod_{j != i} (z_j + o_j t):

    phi_i = v (o_i - z_i) sum_s c_s s! (k - 1 - s)! / k!
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treefront.tree import Tree

Floats = NDArray[np.float64]


def values(tree: Tree, rows: Floats) -> Floats:
    """Shapley values: (n_rows, n_features, n_values), n_values being classes or outputs."""
    payoff = tree.value if tree.classes is None else tree.shares
    result = np.zeros((len(rows), tree.n_features, payoff.shape[1]))
    # Of the path to a node: per feature, which rows pass its tests and which share of weight.
    waiting: list[tuple[int, dict[int, tuple[NDArray[np.bool_], float]]]] = [(0, {})]
    while waiting:
        node, path = waiting.pop()
        feature = int(tree.feature[node])
        if feature < 0:
            for i, phi in _of_leaf(path).items():
                result[:, i] += phi[:, None] * payoff[node]
            continue
        goes_left = tree.goes_left(node, rows)
        passed, share = path.get(feature, (np.ones(len(rows), dtype=bool), 1.0))
        for child, here in ((tree.left[node], goes_left), (tree.right[node], ~goes_left)):
            ratio = float(tree.weight[child] / tree.weight[node])
            waiting.append((int(child), {**path, feature: (passed & here, share * ratio)}))
    return result


def _of_leaf(path: dict[int, tuple[NDArray[np.bool_], float]]) -> dict[int, Floats]:
    """Shapley values of a leaf of value 1: per feature of its path, one for every row."""
    k = len(path)
    result: dict[int, Floats] = {}
    for i, (passed, share) in path.items():
        coefficients = np.zeros((k, len(passed)))
        coefficients[0] = 1
        for j, (o, z) in path.items():
            if j != i:
                shifted = coefficients[:-1] * o
                coefficients *= z
                coefficients[1:] += shifted
        # s! (k - 1 - s)! / k! = 1 / (k binom(k - 1, s))
        of_size = np.array([1 / (k * comb(k - 1, s)) for s in range(k)])
        result[i] = (passed.astype(np.float64) - share) * (of_size @ coefficients)
    return result
