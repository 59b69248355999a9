"""Rules: what a person reads is complete, aligned, and parses back to the same numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.unit.trees import leaf, stump, two_tests
from treefront import DPDTRegressor, Tree
from treefront.rules import percent, rounded, shares


def test_one_line_per_node():
    assert two_tests(feature_names=("age", "size")).to_text().splitlines() == [
        "all rows                                 10 rows  cat: 60.0%, dog: 40.0%",
        "if age <= 0.5: cat                        6 rows  cat: 83.3%, dog: 16.7%",
        "else:                                     4 rows  dog: 75.0%, cat: 25.0%",
        "    if size <= 0.30000000000000004: cat   1 row   cat: 100%",
        "    else: dog                             3 rows  dog: 100%",
    ]


def test_a_single_leaf():
    assert str(leaf()) == "all rows: cat  10 rows  cat: 60.0%, dog: 40.0%"


def test_columns_without_names_are_numbered():
    assert "if x[0] <= 0.5: cat" in str(stump())


@pytest.mark.parametrize("threshold", [0.1 + 0.2, 1e-300, -5e-324, 1 / 3, 123456789.125])
def test_thresholds_read_back_as_the_same_float(threshold):
    tree = stump()
    nodes = {name: getattr(tree, name) for name in ("feature", "left", "right", "value", "n_rows")}
    nodes["threshold"] = np.array([threshold, np.nan, np.nan])
    text = Tree.from_nodes(nodes, tree.classes, 2).to_text()
    assert float(re.search(r"<= (\S+):", text)[1]) == threshold


def test_weight_is_shown_where_it_is_not_the_number_of_rows():
    tree = stump()
    nodes = {name: getattr(tree, name) for name in ("feature", "threshold", "left", "right")}
    nodes |= {"value": tree.value / 2, "n_rows": tree.n_rows}
    text = Tree.from_nodes(nodes, tree.classes, 2).to_text()
    assert "10 rows (weight 5)" in text


def test_a_name_with_line_breaks_keeps_to_its_line():
    assert len(str(stump(feature_names=("a\nb", "c"))).splitlines()) == 3


def test_many_classes_are_summed_up():
    names = list("abcdef")
    assert shares(np.array([1.0, 0, 2, 3, 4, 0]), names) == "e: 40.0%, d: 30.0%, c: 20.0%, a: 10.0%"
    assert shares(np.array([1.0, 1, 2, 3, 4, 0]), names) == (
        "e: 36.4%, d: 27.3%, c: 18.2%, 2 others: 18.2%"
    )


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (1, "100%"), (0.0004, "<0.1%"), (0.9996, ">99.9%"), (0.985, "98.5%")],
)
def test_nothing_is_rounded_to_all_or_nothing(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (-1234.5678, "-1235"),
        (98765.4, "98765"),
        (1234567.8, "1234568"),
        (0.000123456, "0.0001235"),
        (9999.9, "10000"),
        (1e15, "1e+15"),
    ],
)
def test_numbers_keep_their_digits_before_the_point(value, text):
    assert rounded(value) == text


def test_houses_cost_whole_amounts():
    model = DPDTRegressor(max_depth=1).fit([[0.0], [0.0], [1.0], [1.0]], [2e6, 2.2e6, 1e5, 1.5e5])
    assert str(model.tree_).splitlines()[1:] == [
        "if x[0] <= 0: 2100000  2 rows  mean 2100000, deviation 100000",
        "else: 125000           2 rows  mean 125000, deviation 25000",
    ]
