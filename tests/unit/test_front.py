"""The front: prices between neighbours, choices, scores, and what it looks like."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from tests.unit.trees import front, leaf, stump, two_tests
from treefront import AllSplits, DPDTClassifier, Front

# The three trees predict cat cat cat, cat dog dog, cat cat dog.
ROWS = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]


def test_prices_are_where_neighbours_cost_the_same():
    f = front()
    assert f.alpha_low.tolist() == [2 / 10, 1 / 6, 0]
    assert f.alpha_high.tolist() == [np.inf, 2 / 10, 1 / 6]
    assert f.loss.tolist() == [0.4, 0.2, 0.1]
    assert f.complexity.tolist() == [0.0, 1.0, 1.6]
    for i in (0, 1):
        alpha = f.alpha_low[i]
        cost = f.loss + alpha * f.complexity
        assert cost[i] == pytest.approx(cost[i + 1])


def test_the_price_of_a_split_is_in_units_of_the_error_rate():
    f = Front.from_vertices([leaf(), stump()], np.array([4.0, 2.0]), np.array([0.0, 1.0]), "splits")
    assert f.complexity.tolist() == [0, 1]
    assert f.alpha_low.tolist() == [0.2, 0]


def test_it_is_a_sequence_of_trees():
    f = front()
    assert isinstance(f, Sequence)
    assert len(f) == 3
    assert list(f) == [leaf(), stump(), two_tests()]
    assert f[-1] == two_tests()
    assert f[1:] == (stump(), two_tests())
    assert f.index(stump()) == 1
    assert stump() in f
    assert f.n_leaves.tolist() == [1, 2, 3]
    assert f.depth.tolist() == [0, 1, 2]
    assert f.mean_tests.tolist() == [0, 1, 1.4]


def test_it_is_immutable():
    f = front()
    with pytest.raises(AttributeError):
        f.loss = 0
    for name in ("loss", "complexity", "alpha_low", "alpha_high", "mean_tests", "n_leaves"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(f, name)[0] = 1


def test_copies_are_equal():
    f = front()
    for other in (pickle.loads(pickle.dumps(f)), copy.deepcopy(f)):
        assert other == f
        assert not other.loss.flags.writeable
    assert f != front(feature_names=("a", "b"))


def test_predict_and_score_all_trees_at_once():
    f = front()
    assert f.predict(ROWS).tolist() == [
        ["cat", "cat", "cat"],
        ["cat", "dog", "dog"],
        ["cat", "cat", "dog"],
    ]
    assert f.score(ROWS, ["cat", "cat", "dog"]).tolist() == [2 / 3, 2 / 3, 1]
    assert f.score(ROWS, ["cat", "cat", "dog"], sample_weight=[0, 1, 1]).tolist() == [0.5, 0.5, 1]


def test_a_label_that_fit_never_saw_is_wrong():
    assert front().score(ROWS, ["ape", "cat", "dog"]).tolist() == [1 / 3, 1 / 3, 2 / 3]


def test_labels_of_another_type_are_refused():
    with pytest.raises(ValueError, match="y holds numbers, but the classes seen in fit are text"):
        front().score(ROWS, [0, 1, 1])
    with pytest.raises(ValueError, match="X has 3 rows, y has 2"):
        front().score(ROWS, ["cat", "dog"])


@pytest.mark.parametrize(
    ("alpha", "index"),
    [(0, 2), (1 / 6, 2), (np.nextafter(1 / 6, 1), 1), (0.2, 1), (0.21, 0), (np.inf, 0)],
)
def test_by_alpha_the_larger_tree_at_a_tie(alpha, index):
    assert front().select(alpha=alpha) == index


def test_by_size_the_largest_that_fits():
    f = front()
    assert [f.select(n_leaves=n) for n in (1, 2, 3, 99)] == [0, 1, 2, 2]
    assert [f.select(mean_tests=t) for t in (0, 1.39, 1.4)] == [0, 1, 2]
    with pytest.raises(ValueError, match="no tree of the front has n_leaves <= 0"):
        f.select(n_leaves=0)


def test_fewer_leaves_are_no_less_accurate_where_sizes_are_not_sorted():
    nodes = two_tests()
    f = Front.from_vertices(
        [leaf(), nodes, stump()], np.array([4.0, 2.0, 1.0]), np.array([0.0, 5.0, 10.0]), "tests"
    )
    assert f.select(n_leaves=2) == 2  # the stump has fewer errors than the tree before it


def test_by_score_the_smaller_tree_at_a_tie():
    f = front()
    assert f.select(ROWS, ["cat", "cat", "dog"]) == 2
    assert f.select([[0.0, 0.0]], ["cat"]) == 0


@pytest.mark.parametrize(
    "criteria",
    [{}, {"alpha": 0, "n_leaves": 2}, {"X": ROWS}, {"y": ["cat"]}, {"X": ROWS, "alpha": 0}],
)
def test_exactly_one_criterion(criteria):
    with pytest.raises(ValueError, match="exactly one of them"):
        front().select(**criteria)


def test_bad_alpha():
    for alpha in (-0.1, np.nan):
        with pytest.raises(ValueError, match="alpha must be at least 0"):
            front().select(alpha=alpha)


def test_alpha_of_a_tree_chooses_it():
    f = front()
    assert [f.select(alpha=f.alpha_of(i)) for i in range(3)] == [0, 1, 2]
    assert f.alpha_of(2) == 0
    single = Front.from_vertices([leaf()], np.array([4.0]), np.array([0.0]), "tests")
    assert single.alpha_of(0) == 0


def test_repr_is_a_table():
    lines = repr(front()).splitlines()
    assert lines[0] == "Front of 3 trees, smallest first"
    assert lines[1].split() == [
        *("alpha", "low", "alpha", "high", "loss", "complexity"),
        *("mean", "tests", "n", "leaves", "depth", "proved"),
    ]
    assert lines[3].split() == ["1", "0.1667", "0.2", "0.2", "1", "1", "2", "1", "no"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_html_is_a_table():
    html = front()._repr_html_()
    assert html.count("<tr>") == 4
    assert "<td>0.1667</td>" in html


def test_to_frame():
    pytest.importorskip("pandas")
    frame = front().to_frame()
    assert frame.columns.tolist() == [
        *("alpha_low", "alpha_high", "loss", "complexity", "mean_tests", "n_leaves", "depth"),
        "proved",
    ]
    assert frame["loss"].tolist() == [0.4, 0.2, 0.1]


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[pandas\]'"):
        front().to_frame()


def test_by_size_holds_the_best_tree_of_every_size_and_the_front_those_on_the_hull():
    X, y = load_breast_cancer(return_X_y=True)
    model = DPDTClassifier(max_depth=3, complexity="splits").fit(X, y)
    sizes = model.front_.by_size
    errors = [int(np.sum(tree.predict(X) != y)) for tree in sizes.values()]
    assert list(sizes) == sorted(sizes)
    assert errors == sorted(errors, reverse=True)
    assert len(set(errors)) == len(errors)
    assert set(model.front_.trees) <= set(sizes.values())
    on_the_hull = np.interp(list(sizes), model.front_.complexity, model.front_.loss) * len(y)
    assert np.all(errors > on_the_hull - 1e-9)


def test_by_size_holds_trees_that_no_price_chooses():
    X = np.array([[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)])
    model = DPDTClassifier(max_depth=2, complexity="splits").fit(X, [0, 1, 1, 0])
    assert model.front_.complexity.tolist() == [0, 3]
    assert list(model.front_.by_size) == [0, 2, 3]


def test_by_size_survives_pickle_and_is_empty_for_average_tests():
    X, y = load_breast_cancer(return_X_y=True)
    model = DPDTClassifier(max_depth=2, complexity="splits").fit(X, y)
    assert pickle.loads(pickle.dumps(model.front_)) == model.front_
    assert pickle.loads(pickle.dumps(model.front_)).by_size == model.front_.by_size
    assert DPDTClassifier(max_depth=2).fit(X, y).front_.by_size == {}


def test_every_size_is_proved_by_the_exact_search():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (40, 3)).astype(float)
    y = rng.integers(0, 2, 40)
    options = {"max_depth": 3, "complexity": "splits"}
    proved = DPDTClassifier(splits="all", prove="front", **options).fit(X, y)
    listed = DPDTClassifier(splits=AllSplits(), **options).fit(X, y)
    assert proved.status_ == "optimal"
    wrong = [
        {size: int(np.sum(tree.predict(X) != y)) for size, tree in m.front_.by_size.items()}
        for m in (proved, listed)
    ]
    assert wrong[0] == wrong[1]
