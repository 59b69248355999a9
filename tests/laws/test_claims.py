"""What a tree says of itself is true of the training rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.walk import depths, rows_of_nodes, true_point
from tests.oracle.engine import labels, leaves, points, search
from tests.oracle.examples import examples
from tests.oracle.tables import Table, noisy_tables, tables

SPLITS = st.sampled_from(
    [
        [("all",)],
        [("cart", 2, 0, "entropy")],
        [("cart", 0, 4, "gini"), ("cart", 1, 0, "gini")],
        [("top", 3, "gini")],
        [("quantile", 3)],
    ]
)
ANY_WEIGHTS = ("none", "integers", "eighths")


def check(table: Table, splits, exact_tail, complexity, min_samples_leaf, depth) -> None:
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        splits=splits,
        exact_tail=exact_tail,
        complexity=complexity,
        min_samples_leaf=min_samples_leaf,
    )
    claims = points(result)
    for i, claim in enumerate(claims):
        tree = result.tree(i)
        rows = rows_of_nodes(tree, table.X)
        inner = tree["feature"] >= 0
        assert claim == true_point(tree, table, complexity)
        assert max(depths(tree)) <= depth
        assert tree["n_rows"].tolist() == [len(here) for here in rows]
        if inner.any():  # the data as a whole may be fewer rows
            assert min(len(rows[v]) for v in np.flatnonzero(~inner)) >= min_samples_leaf
        assert np.isnan(tree["threshold"][~inner]).all()
        assert np.isfinite(tree["threshold"][inner]).all()
        assert (tree["left"][~inner] == -1).all()
        assert (tree["right"][~inner] == -1).all()
        for node, here in enumerate(rows):
            by_class = [Fraction(0)] * tree["value"].shape[1]
            for row in here:
                by_class[table.y[row]] += table.exact_weight[row]
            assert tree["value"][node].tolist() == by_class
        wrong = labels(tree, table.X) != table.y
        error = sum(
            Fraction(w) for w, w_wrong in zip(table.exact_weight, wrong, strict=True) if w_wrong
        )
        assert claim[1] == error


@given(
    tables(max_rows=16, max_features=3, weights=ANY_WEIGHTS),
    SPLITS,
    st.integers(0, 2),
    st.sampled_from(["tests", "splits"]),
    st.integers(1, 4),
    st.integers(0, 3),
)
@examples(60)
def test_on_ties(table: Table, splits, exact_tail, complexity, min_samples_leaf, depth):
    check(table, splits, exact_tail, complexity, min_samples_leaf, depth)


@given(
    noisy_tables(min_rows=30, max_rows=90, max_features=3, max_classes=9, weights=ANY_WEIGHTS),
    SPLITS,
    st.integers(0, 2),
    st.sampled_from(["tests", "splits"]),
    st.integers(1, 8),
)
@examples(15)
def test_on_continuous_features(table: Table, splits, exact_tail, complexity, min_samples_leaf):
    check(table, splits, exact_tail, complexity, min_samples_leaf, 3)


@given(noisy_tables(weights=("none", "eighths")), st.integers(0, 2), st.integers(1, 5))
@examples(20)
def test_front_is_sorted_and_strictly_convex(table: Table, exact_tail, depth):
    splits = [("cart", 2, 0, "gini")]
    front = points(
        search(table.X, table.y, table.weight, depth=depth, splits=splits, exact_tail=exact_tail)
    )
    assert front[0][0] == 0
    slopes = [(e1 - e2) / (c2 - c1) for (c1, e1), (c2, e2) in pairwise(front)]
    assert all(slope > 0 for slope in slopes)
    assert slopes == sorted(set(slopes), reverse=True)


@pytest.mark.parametrize("order", ["C", "F", "strided", "reversed"])
def test_apply_and_search_take_any_memory_layout(order):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50, 4)), rng.integers(0, 3, size=50)
    laid_out = {
        "C": np.ascontiguousarray(X),
        "F": np.asfortranarray(X),
        "strided": np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
        "reversed": np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    }[order]
    expected, found = (search(Z, y, depth=2, exact_tail=2) for Z in (X, laid_out))
    assert points(found) == points(expected)
    tree = found.tree(len(found.errors) - 1)
    reached = leaves(tree, laid_out)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        if tree["feature"][node] < 0:
            assert (reached[rows] == node).all()
