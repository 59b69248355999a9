"""scikit-learn's CART and every tree of its cost-complexity pruning path, as points (C, E)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import reject
from sklearn.tree import DecisionTreeClassifier

from tests.oracle.cart import AmbiguousError, Cart
from tests.oracle.hull import Point
from tests.oracle.tables import Table


def pruned_trees(table: Table, **options) -> list[Point]:
    """Complexity is the weighted number of tests made; both are recomputed from the rows."""
    options = {"random_state": 0} | options
    cart = DecisionTreeClassifier(**options)
    path = cart.cost_complexity_pruning_path(table.X, table.y, sample_weight=table.weight)
    found = {}
    for alpha in path.ccp_alphas:
        tree = DecisionTreeClassifier(ccp_alpha=max(alpha, 0.0), **options)
        tree.fit(table.X, table.y, sample_weight=table.weight)
        found[tree.tree_.node_count] = training_point(tree, table)
    return list(found.values())


def training_point(tree: DecisionTreeClassifier, table: Table) -> Point:
    tests_made = np.asarray(tree.decision_path(table.X).sum(axis=1)).ravel() - 1
    wrong = tree.predict(table.X) != table.y
    weight = [Fraction(w) for w in table.exact_weight]
    cost = sum((w * int(k) for w, k in zip(weight, tests_made, strict=True)), Fraction(0))
    return cost, sum((w for w, miss in zip(weight, wrong, strict=True) if miss), Fraction(0))


def reject_if_rounding_decides(table: Table, criterion: str, depth: int, leaf: int) -> None:
    """Where two splits of CART tie, scikit-learn draws lots, and may grow another tree."""
    cart = Cart(criterion, depth=depth, min_samples_leaf=leaf, refuse_ties=True)
    try:
        cart.tests(table.X, table.y, table.exact_weight, tuple(range(len(table.y))))
    except AmbiguousError:
        reject()
