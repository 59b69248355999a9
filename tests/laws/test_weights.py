"""A row twice is a row of weight 2; a row of weight 0 is no row."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.tables import Table, noisy_tables, tables
from treefront import CartSplits, DPDTClassifier

SPLITS = st.sampled_from([[("all",)], [("cart", 2, 0, "gini")], [("cart", 0, 4, "entropy")]])
WEIGHTED = ("integers",)


@given(
    st.one_of(tables(max_rows=10, weights=WEIGHTED), noisy_tables(max_rows=50, weights=WEIGHTED)),
    SPLITS,
    st.integers(0, 2),
)
@examples(60)
def test_a_row_twice_is_weight_2(table: Table, splits, exact_tail):
    options = {"depth": 2, "splits": splits, "exact_tail": exact_tail}
    weighted = search(table.X, table.y, table.weight, **options)
    X, y = np.repeat(table.X, table.weight, axis=0), np.repeat(table.y, table.weight)
    repeated = search(X, y, **options)
    assert points(weighted) == points(repeated)


@given(tables(max_rows=10), st.integers(0, 2), st.sampled_from([2, 3, 1024]))
@examples(30)
def test_the_scale_of_weights_is_the_scale_of_the_front(table: Table, exact_tail, factor):
    plain = search(table.X, table.y, table.weight, depth=2, exact_tail=exact_tail)
    weight = [w * factor for w in table.exact_weight]
    scaled = search(table.X, table.y, weight, depth=2, exact_tail=exact_tail)
    assert points(scaled) == [(c * factor, e * factor) for c, e in points(plain)]


@given(tables(max_rows=12, weights=("none", "eighths")), st.data())
@examples(30)
def test_weight_0_is_no_row(table: Table, data):
    n = len(table.y)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    assume(len(set(table.y[keep])) > 1)
    weight = np.array([float(w) for w in table.exact_weight])
    model = DPDTClassifier(max_depth=2, splits=CartSplits(depth=2), exact_tail=1)
    fronts = []
    for X, y, w in (
        (table.X, table.y, np.where(keep, weight, 0.0)),
        (table.X[keep], table.y[keep], weight[keep]),
    ):
        front = model.fit(X, y, sample_weight=w).front_
        fronts.append((front.loss.tolist(), front.complexity.tolist()))
    assert fronts[0] == fronts[1]


def test_a_heavy_row_is_worth_more_than_many_light_ones():
    X, y = np.arange(6.0)[:, None], np.array([0, 1, 0, 0, 0, 0])
    weight = [Fraction(1)] * 6
    weight[1] = Fraction(100)
    result = search(X, y, weight, depth=1)
    assert points(result) == [(0, 5), (105, 1)]
    root = result.tree(len(result.errors) - 1)
    assert root["value"][0].tolist() == [5.0, 100.0]
