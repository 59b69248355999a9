"""Never worse than CART, nor than any tree of its pruning path, at any price (Proposition 2)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tests.laws.pruning_path import (
    pruned_trees,
    reject_if_rounding_decides,
    training_point,
)
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import price_where_worse
from tests.oracle.tables import Table, noisy_tables, tables
from treefront import DPDTClassifier

SMALLEST = {"cart depth": 1, "cart leaves": 2, "top": 1}


def specs(family: str, more: int, criterion: str):
    size = SMALLEST[family] + more
    if family == "top":
        return [("top", size, criterion)]
    return [
        ("cart", size, 0, criterion) if family == "cart depth" else ("cart", 0, size, criterion)
    ]


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("family", sorted(SMALLEST))
@given(
    table=noisy_tables(weights=("none", "integers", "eighths")),
    more=st.integers(0, 2),
    depth=st.integers(1, 4),
    exact_tail=st.integers(0, 2),
    min_samples_leaf=st.integers(2, 6),
)
@examples(8)
def test_no_pruned_cart_is_better(
    criterion, family, table: Table, more, depth, exact_tail, min_samples_leaf
):
    reject_if_rounding_decides(table, criterion, depth, min_samples_leaf)
    front = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        splits=specs(family, more, criterion),
        exact_tail=exact_tail,
        min_samples_leaf=min_samples_leaf,
    )
    path = pruned_trees(
        table, criterion=criterion, max_depth=depth, min_samples_leaf=min_samples_leaf
    )
    assert price_where_worse(points(front), path) is None


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@given(
    table=noisy_tables(),
    depth=st.integers(1, 3),
    exact_tail=st.integers(0, 2),
    min_samples_leaf=st.integers(1, 3),
    random_state=st.integers(0, 99),
)
@examples(8)
def test_with_ties_no_lot_that_cart_draws_is_better(
    criterion, table: Table, depth, exact_tail, min_samples_leaf, random_state
):
    front = search(
        table.X,
        table.y,
        depth=depth,
        splits=[("cart", 1, 0, criterion, True)],
        exact_tail=exact_tail,
        min_samples_leaf=min_samples_leaf,
    )
    path = pruned_trees(
        table,
        criterion=criterion,
        max_depth=depth,
        min_samples_leaf=min_samples_leaf,
        random_state=random_state,
    )
    assert price_where_worse(points(front), path) is None


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@given(
    table=noisy_tables(min_rows=60, max_rows=200, weights=("none", "integers", "eighths")),
    depth=st.integers(1, 4),
    min_samples_leaf=st.integers(2, 6),
)
@examples(6)
def test_default_settings(criterion, table: Table, depth, min_samples_leaf):
    reject_if_rounding_decides(table, criterion, depth, min_samples_leaf)
    options = {"max_depth": depth, "min_samples_leaf": min_samples_leaf}
    weight = None if table.weight is None else [float(w) for w in table.weight]
    model = DPDTClassifier(**options).fit(table.X, table.y, sample_weight=weight)
    total = sum(table.exact_weight)  # the estimator's figures are per unit of weight
    front = [
        (Fraction(round(8 * c * total), 8), Fraction(round(8 * e * total), 8))
        for c, e in zip(model.front_.complexity, model.front_.loss, strict=True)
    ]
    path = pruned_trees(table, criterion=criterion, **options)
    assert price_where_worse(front, path) is None


SEVEN_ROWS = Table(  # splits of equal entropy, but for rounding
    np.array(
        [
            [3, 1, 1, 0],
            [0, 0, 2, 1],
            [1, 0, 1, 3],
            [3, 0, 1, 2],
            [3, 0, 2, 1],
            [3, 3, 2, 3],
            [2, 2, 0, 3],
        ]
    )
    / 1.0,
    np.array([1, 1, 0, 1, 0, 2, 0]),
    None,
)


@given(
    table=tables(max_rows=25, max_features=4, weights=("none",)),
    criterion=st.sampled_from(["entropy", "gini"]),
    depth=st.integers(1, 3),
    min_samples_leaf=st.integers(1, 3),
)
@example(SEVEN_ROWS, "entropy", 1, 1)
@examples(60)
def test_with_tied_splits_no_draw_of_scikit_learn_is_better(
    table: Table, criterion, depth, min_samples_leaf
):
    splits = [("cart", 1, 0, criterion, True)]
    options = {"depth": depth, "splits": splits, "min_samples_leaf": min_samples_leaf}
    front = points(search(table.X, table.y, **options))
    for seed in range(4):
        tree = DecisionTreeClassifier(
            criterion=criterion,
            max_depth=depth,
            min_samples_leaf=min_samples_leaf,
            random_state=seed,
        ).fit(table.X, table.y)
        assert price_where_worse(front, [training_point(tree, table)]) is None


def test_the_law_can_be_broken():
    # A generator of one useless test: CART is better, and the check says so.
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=80), np.arange(80.0)])
    table = Table(X, (X[:, 0] > 0.3).astype(int), None)
    splits = [("callable", lambda rows: [(1, 3.5)])]
    front = search(table.X, table.y, depth=2, splits=splits)
    assert price_where_worse(points(front), pruned_trees(table, max_depth=2)) is not None
