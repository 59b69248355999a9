"""Split generators: checked before any work, described to the core, and part of get_params."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from treefront import AllSplits, CartSplits, QuantileSplits, TopSplits
from treefront.splits import criteria, sequence, specs

X = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]])
Y = np.array(["a", "b", "a"])


def described(splits, weight=None):
    return specs(sequence(splits), X, Y, weight)


@pytest.mark.parametrize(
    ("splits", "expected"),
    [
        (CartSplits(3), [("cart", 3, 0, "entropy", False)]),
        (CartSplits(max_leaves=16, criterion="gini"), [("cart", 0, 16, "gini", False)]),
        (CartSplits(4, 9, "both"), [("cart", 4, 9, "both", False)]),
        (CartSplits(2, ties=True), [("cart", 2, 0, "entropy", True)]),
        (CartSplits(np.int64(2)), [("cart", 2, 0, "entropy", False)]),
        (TopSplits(8, "gini"), [("top", 8, "gini")]),
        (QuantileSplits(4), [("quantile", 4)]),
        (AllSplits(), [("all",)]),
        ("all", [("all",)]),
        ((CartSplits(2), "all"), [("cart", 2, 0, "entropy", False), ("all",)]),
    ],
)
def test_what_the_core_is_given(splits, expected):
    assert described(splits) == expected


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        (CartSplits(), "needs depth, max_leaves or both"),
        (CartSplits(0), "CartSplits: depth must be an integer of at least 1, got 0"),
        (CartSplits(True), "CartSplits: depth"),
        (CartSplits(2.0), "CartSplits: depth"),
        (CartSplits(max_leaves=1), "CartSplits: max_leaves must be an integer of at least 2"),
        (CartSplits(2, criterion="mse"), "CartSplits: criterion must be one of 'entropy', 'gini'"),
        (TopSplits(0), "TopSplits: n_tests"),
        (TopSplits(criterion="both"), "TopSplits: criterion"),
        (QuantileSplits(-1), "QuantileSplits: n_quantiles"),
        ([], "empty sequence"),
        ([CartSplits(2), 3], "splits must be .* got 3"),
        (CartSplits, r"write CartSplits\(\.\.\.\)"),
        ("some", "splits must be .* got 'some'"),
        (None, "splits must be .* got None"),
    ],
)
def test_what_is_refused(splits, message):
    with pytest.raises(ValueError, match=message):
        sequence(splits)


def test_they_are_cloned_and_searched_by_scikit_learn():
    splits = CartSplits(3, criterion="gini")
    assert clone(splits).get_params() == {
        "depth": 3,
        "max_leaves": None,
        "criterion": "gini",
        "ties": False,
    }
    assert splits.set_params(depth=2).depth == 2
    assert repr(CartSplits(depth=3)) == "CartSplits(depth=3)"


def test_a_callable_sees_the_rows_of_the_state_with_the_users_labels():
    seen = []

    def rule(X, y, sample_weight):
        seen.append((X.tolist(), y.tolist(), sample_weight))
        return [(0, 0.5), (np.int64(1), np.float32(6.5))]

    ((kind, tests),) = described(rule)
    assert kind == "callable"
    assert tests(np.array([0, 2])) == [(0, 0.5), (1, 6.5)]
    assert seen == [([[0.0, 5.0], [2.0, 7.0]], ["a", "a"], None)]


def test_a_callable_sees_weights_where_there_are_any():
    rule = lambda X, y, sample_weight: [(0, float(sample_weight.sum()))]  # noqa: E731
    ((_, tests),) = described(rule, np.array([0.5, 1.0, 2.0]))
    assert tests(np.array([0, 2])) == [(0, 2.5)]


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, r"must return \(feature, threshold\) pairs, got None"),
        ([3], r"pairs, got 3"),
        ([(0, 1.0, 2)], "pairs"),
        ([(2, 1.0)], "feature 2; features are integers from 0 to 1"),
        ([(-1, 1.0)], "feature -1"),
        ([(0.0, 1.0)], "feature 0.0"),
        ([(0, np.nan)], "threshold nan; it must be a finite number"),
        ([(0, "1")], "threshold '1'"),
    ],
)
def test_what_a_callable_must_not_return(returned, message):
    ((_, tests),) = described(lambda X, y, sample_weight: returned)
    with pytest.raises(ValueError, match=message):
        tests(np.array([0, 1]))


def test_criteria_of_the_baselines():
    assert criteria(CartSplits(2, criterion="gini")) == ("gini",)
    assert criteria(CartSplits(2, criterion="both")) == ("entropy", "gini")
    assert criteria(AllSplits()) == criteria(lambda X, y, w: []) == ("entropy",)
