"""Renaming rows, columns, classes or values of a feature changes no loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.tables import Table, noisy_tables, tables

seeds = st.integers(0, 2**32 - 1)
any_table = st.one_of(
    tables(max_rows=14, max_features=3),
    noisy_tables(min_rows=20, max_rows=50, weights=("none", "eighths")),
)
options = st.fixed_dictionaries(
    {
        "depth": st.integers(1, 2),
        "exact_tail": st.integers(0, 2),
        "complexity": st.sampled_from(["tests", "splits"]),
        "min_samples_leaf": st.integers(1, 3),
    }
)


def front(table: Table, options, **changed):
    data = {"X": table.X, "y": table.y, "weight": table.weight} | changed
    return points(search(**data, **options))


@given(any_table, options, seeds)
@examples(30)
def test_columns(table: Table, options, seed):
    order = np.random.default_rng(seed).permutation(table.X.shape[1])
    assert front(table, options, X=table.X[:, order]) == front(table, options)


@given(any_table, options, seeds)
@examples(30)
def test_class_labels(table: Table, options, seed):
    names = np.random.default_rng(seed).permutation(table.y.max() + 3)
    assert front(table, options, y=names[table.y]) == front(table, options)


@given(any_table, options, st.sampled_from(["exp", "cube", "tiny", "ranks"]))
@examples(40)
def test_increasing_transform_of_a_feature(table: Table, options, transform):
    X = table.X.copy()
    X[:, 0] = {
        "exp": np.exp,
        "cube": lambda x: x**3 - 7,
        "tiny": lambda x: x * 2.0**-1040,  # among the subnormal numbers
        "ranks": lambda x: np.unique(x, return_inverse=True)[1].astype(float),
    }[transform](X[:, 0])
    order = np.argsort(table.X[:, 0], kind="stable")
    same_ties = np.diff(table.X[order, 0]) == 0
    np.testing.assert_array_equal(np.diff(X[order, 0]) == 0, same_ties)
    assert front(table, options, X=X) == front(table, options)


@given(any_table, options)
@examples(20)
def test_mirrored_feature(table: Table, options):
    X = table.X.copy()
    X[:, 0] = -X[:, 0]
    assert front(table, options, X=X) == front(table, options)


@pytest.mark.parametrize(
    "splits",
    [
        [("all",)],
        [("cart", 2, 0, "entropy")],
        [("cart", 0, 5, "gini")],
        [("top", 3, "entropy")],
        [("quantile", 4)],
    ],
)
@given(table=any_table, options=options, seed=seeds)
@examples(15)
def test_the_order_of_rows_changes_no_tree(splits, table: Table, options, seed):
    order = np.random.default_rng(seed).permutation(len(table.y))
    weight = None if table.weight is None else [table.weight[i] for i in order]
    before = search(table.X, table.y, table.weight, splits=splits, **options)
    after = search(table.X[order], table.y[order], weight, splits=splits, **options)
    assert points(after) == points(before)
    for i in range(len(before.errors)):
        for name, values in before.tree(i).items():
            np.testing.assert_array_equal(after.tree(i)[name], values)


@pytest.mark.parametrize("splits", [[("cart", 2, 0, "gini")], [("top", 3, "gini")]])
@given(table=noisy_tables(min_rows=20, max_rows=60), options=options)
@examples(15)
def test_units_change_nothing(splits, table: Table, options):
    # A power of two, so that the midpoints that CART takes are the same rows' midpoints.
    scaled = search(table.X * 2.0**-20, table.y, table.weight, splits=splits, **options)
    plain = search(table.X, table.y, table.weight, splits=splits, **options)
    assert points(scaled) == points(plain)
