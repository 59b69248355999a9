"""A tree: sizes, prediction at the threshold, copies that are equal, files that are checked."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pytest

from tests.unit.trees import leaf, stump, two_tests

ROWS = np.array(
    [
        [0.5, 9.0],
        [math.nextafter(0.5, 1), 0.3],
        [1.0, 0.1 + 0.2],
        [1.0, math.nextafter(0.1 + 0.2, 1)],
    ]
)


def test_sizes():
    tree = two_tests()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (5, 3, 2)
    assert tree.mean_tests == (6 * 1 + 4 * 2) / 10
    assert (leaf().n_leaves, leaf().depth, leaf().mean_tests) == (1, 0, 0.0)


def test_a_row_at_the_threshold_goes_left():
    assert two_tests().predict(ROWS).tolist() == ["cat", "cat", "cat", "dog"]
    assert two_tests().apply(ROWS).tolist() == [1, 3, 3, 4]


def test_predict_proba_is_the_share_of_training_weight():
    assert stump().predict_proba(ROWS[:2]).tolist() == [[5 / 6, 1 / 6], [1 / 4, 3 / 4]]


def test_smallest_class_at_a_tie():
    assert leaf(value=(5, 5)).predict(ROWS).tolist() == ["cat"] * 4


def test_decision_path_holds_the_nodes_from_root_to_leaf():
    path = two_tests().decision_path(ROWS)
    assert path.shape == (4, 5)
    assert path.toarray().tolist() == [
        [1, 1, 0, 0, 0],
        [1, 0, 1, 1, 0],
        [1, 0, 1, 1, 0],
        [1, 0, 1, 0, 1],
    ]


def test_no_rows_is_an_error_and_so_are_other_columns():
    with pytest.raises(ValueError, match="3 features, but the tree expects 2"):
        stump().predict(np.zeros((1, 3)))
    with pytest.raises(ValueError, match=r"infinity \(inf\): column 1, row 1 \(counted from 0\)"):
        stump().predict([[0.0, 0.0], [0.0, np.inf]])


def test_named_columns_in_another_order_are_refused():
    pd = pytest.importorskip("pandas")
    tree = stump(feature_names=("age", "size"))
    assert tree.predict(pd.DataFrame({"age": [0.0], "size": [9.0]})).tolist() == ["cat"]
    with pytest.raises(ValueError, match=r"expected \['age', 'size'\], got \['size', 'age'\]"):
        tree.predict(pd.DataFrame({"size": [0.0], "age": [9.0]}))


def test_it_is_immutable():
    tree = stump()
    with pytest.raises(AttributeError):
        tree.n_features = 3
    with pytest.raises(ValueError, match="read-only"):
        tree.threshold[0] = 1.0


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, "pickle"])
def test_copies_are_equal_and_immutable(duplicate):
    tree = two_tests(feature_names=("age", "size"))
    other = pickle.loads(pickle.dumps(tree)) if duplicate == "pickle" else duplicate(tree)
    assert other == tree
    assert hash(other) == hash(tree)
    assert not other.value.flags.writeable


def test_what_differs_is_not_equal():
    assert stump() != two_tests()
    assert stump() != stump(feature_names=("a", "b"))
    assert stump() != stump(classes=np.array(["cat", "eel"]))
    assert stump() != "stump"


def test_dict_round_trip_through_json():
    tree = two_tests(feature_names=("age", "size"))
    text = json.dumps(tree.to_dict(), allow_nan=False)
    assert type(tree).from_dict(json.loads(text)) == tree


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("left", [0, -1, -1]),  # a circle
        ("left", [2, -1, -1]),  # a child of two parents
        ("left", [9, -1, -1]),  # no such node
        ("feature", [5, -1, -1]),
        ("feature", [0, -2, -1]),
        ("threshold", [None, None, None]),
        ("threshold", [0.5]),
        ("value", [[6], [5], [1]]),
        ("n_rows", []),
    ],
)
def test_arrays_that_make_no_tree_are_refused(name, values):
    document = stump().to_dict()
    document[name] = values
    with pytest.raises(ValueError, match="tree"):
        type(stump()).from_dict(document)


def test_html_is_escaped():
    html = stump(feature_names=("<b>age</b>", "size"))._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;age" in html


def test_repr_is_one_line():
    assert repr(stump()) == "<Tree: 2 leaves, depth 1, 1 tests on average>"
