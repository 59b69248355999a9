"""What the experiments compute on their own equals the engine, scikit-learn and slow twins."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from benchmarks.paper import (
    binary,
    binoct,
    complete,
    mdp,
    mfoct,
    selection,
    stages,
    tradeoffs,
    wins,
)
from benchmarks.paper import oct as bertsimas_dunn
from benchmarks.paper.points import merge
from benchmarks.paper.pruning import pruned, pruning_path
from tests.oracle.hull import lower_left_hull, price_where_worse
from treefront import CartSplits, DPDTClassifier


def noise(seed: int, rows: int, columns: int, classes: int = 3, values: int = 4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, size=(rows, columns)).astype(float)
    return X, np.arange(rows) % classes if rows < classes else rng.integers(0, classes, size=rows)


@pytest.fixture(params=[bertsimas_dunn, mfoct, binoct], ids=lambda m: m.__name__)
def formulation(request):
    pytest.importorskip("highspy")
    return request.param


@pytest.mark.parametrize(("seed", "started"), [(0, False), (1, True)])
def test_integer_programmes_find_the_optimum(formulation, seed, started):
    X, y = noise(seed, 14, 2)
    codes = np.unique(y, return_inverse=True)[1]
    start = complete.among(complete.cart(X, codes, 2), X) if started else None
    tree, result = formulation.solve(X, codes, 2, 60.0, start)
    assert result.proved
    best = DPDTClassifier(max_depth=2, splits="all").fit(X, y)
    assert tree.errors(X, codes) == round(len(y) * best.front_.loss[-1])


def test_a_programme_without_time_gives_its_start_back(formulation):
    X, y = noise(2, 40, 3)
    start = complete.among(complete.cart(X, y, 3), X)
    tree, _ = formulation.solve(X, y, 3, 0.0, start)
    assert (tree.predict(X) == start.predict(X)).all()


def test_stages_are_never_worse_than_cart(formulation):
    X, y = noise(4, 30, 3)
    found = stages.solve(formulation.solve, X, y, 3, 1.0)
    trees = (found.tree, found.by_subtrees, found.by_depths, complete.cart(X, y, 3))
    errors = [tree.errors(X, y) for tree in trees]
    assert errors == sorted(errors)


def test_stages_of_rows_that_are_alike_or_of_few_classes(formulation):
    """Subtrees whose rows are one point, or lack the last classes."""
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [3, 4, 5, 6], axis=0)
    y = np.array([0, 0, 1, 1, 1, 0, 1, 2, 2, 2, 1, 2, 0, 0, 0, 0, 1, 2])
    found = stages.solve(formulation.solve, X, y, 3, 1.0)
    assert found.tree.errors(X, y) == merge(X, y).least_errors


def test_leaves_predict_their_heaviest_class():
    X, y = noise(5, 50, 3)
    tree = complete.cart(X, y, 3)
    moved = complete.CompleteTree(3, tree.test, dict.fromkeys(tree.label, 2))
    assert moved.labelled(X, y).errors(X, y) == tree.errors(X, y)


@pytest.mark.parametrize("seed", range(5))
def test_a_complete_tree_does_the_same_among_the_midpoints_of_its_rows(seed):
    X, y = noise(seed, 60, 3, values=6)
    whole = complete.among(complete.cart(X, y, 4), X)
    greedy = DecisionTreeClassifier(criterion="entropy", max_depth=4, random_state=0).fit(X, y)
    assert (whole.predict(X) == greedy.predict(X)).all()
    for node in (2, 3, 6):
        here = whole.leaves(X) >> (4 - (node.bit_length() - 1)) == node
        part = complete.among(whole.below(node), X[here])
        assert (part.predict(X[here]) == whole.predict(X[here])).all()
        cuts = [complete.thresholds(column) for column in X[here].T]
        assert all(threshold in cuts[j] for j, threshold in part.test.values())
        again = complete.among(whole.put(node, part), X)
        assert (again.predict(X) == whole.predict(X)).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_mdp_of_algorithm_1_has_the_engines_optimum(seed):
    X, y = noise(seed, 40, 3)
    rows = mdp.Rows(X, y)
    exhaustive = mdp.Mdp(rows, 3, mdp.exhaustive)
    best = DPDTClassifier(max_depth=3, splits="all").fit(X, y)
    assert exhaustive.best[exhaustive.root] == round(len(y) * best.front_.loss[-1])
    restricted = mdp.Mdp(rows, 3, mdp.cart(2))
    greedy = DecisionTreeClassifier(criterion="entropy", max_depth=3, random_state=0).fit(X, y)
    assert exhaustive.best[exhaustive.root] <= restricted.best[restricted.root]
    assert restricted.best[restricted.root] <= np.count_nonzero(greedy.predict(X) != y)
    assert restricted.n_states <= exhaustive.n_states <= exhaustive.n_unmerged


def test_a_tree_of_cuts_asks_what_one_of_the_features_asks():
    X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    cuts = [np.array([0.5, 2.0]), np.array([])]
    assert binary.passed(X, cuts).tolist() == [[1, 1], [0, 1], [0, 1], [0, 0]]
    assert binary.intervals(X, cuts).tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("seed", range(4))
def test_the_value_of_the_mdp_is_the_accuracy_of_its_best_tree(seed):
    X, y = noise(seed, 40, 3)
    made = mdp.Mdp(mdp.Rows(X, y), 3, mdp.cart(2), keep=True)
    assert made.value(made.root) == Fraction(40 - made.best[made.root], 40)
    tests = sum(len(cuts) for cuts in made.transitions.values())
    assert made.n_actions == tests + 3 * len(made.best)
    # of states once: a test has two sides, and each state but the first is one
    assert len(made.best) <= 1 + 2 * tests


def test_dpdt_on_data_without_ties_is_algorithm_1():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] * X[:, 1] > 0.3 * rng.normal(size=120)).astype(int)
    ours = mdp.Mdp(mdp.Rows(X, y), 3, mdp.cart(2))
    engine = DPDTClassifier(max_depth=3, splits=CartSplits(depth=2), exact_tail=0).fit(X, y)
    assert ours.best[ours.root] == round(120 * engine.front_.loss[-1])


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("seed", range(3))
def test_the_pruning_path_is_scikit_learns(criterion, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3))
    y = rng.integers(0, 3, size=150)
    X_test, y_test = rng.normal(size=(50, 3)), rng.integers(0, 3, size=50)
    options = {"criterion": criterion, "max_depth": 5, "random_state": 0}
    model = DecisionTreeClassifier(**options).fit(X, y)
    path = pruning_path(model, {"train": (X, y), "test": (X_test, y_test)})
    ours = {row["leaves"]: row for row in path}
    drawn = {row["leaves"]: pruned(model, place) for place, row in enumerate(path)}
    for price in model.cost_complexity_pruning_path(X, y).ccp_alphas:
        # a little more, as the price that cuts a branch is rounded
        tree = DecisionTreeClassifier(ccp_alpha=max(price, 0) + 1e-12, **options).fit(X, y)
        row = ours[tree.get_n_leaves()]
        for part, rows, labels in (("train", X, y), ("test", X_test, y_test)):
            assert (drawn[tree.get_n_leaves()].predict(rows) == tree.predict(rows)).all()
            assert row[f"{part}_accuracy"] == pytest.approx(tree.score(rows, labels))
            made = np.asarray(tree.decision_path(rows).sum(axis=1)).mean() - 1
            assert row[f"{part}_tests"] == pytest.approx(made)


POINTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=6)


@given(front=POINTS, tree=st.tuples(st.integers(0, 12), st.integers(0, 12)))
def test_dominance_is_the_oracles(front, tree):
    price = tradeoffs.beaten_at(front, tree)
    if tradeoffs.dominated(front, tree):
        assert price is None  # what is not dominated may be dearer at every price
    assert (price is None) == (price_where_worse(lower_left_hull(front), [tree]) is None)
    if price is not None:
        assert all(tree[1] + price * tree[0] < e + price * c for c, e in front)


@given(
    lows=st.lists(st.integers(1, 2000), min_size=1, max_size=6, unique=True),
    count=st.integers(2, 20),
)
def test_trees_at_prices_are_those_best_at_one(lows, count):
    bounds = [0.0, *(low / 2000 for low in sorted(lows))]
    rows = [{"alpha": str(low), "place": str(place)} for place, low in enumerate(bounds)]
    kept = {row["place"] for row in selection.at_prices(rows[::-1], count)}
    best = {
        str(max(place for place, low in enumerate(bounds) if low <= price))
        for price in np.linspace(0, 1, count)
    }
    assert kept == best


@given(
    ours=st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), max_size=4),
    others=st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), max_size=4),
)
def test_a_figure_that_is_missing_is_neither_won_nor_lost(ours, others):
    counts = wins.compare(ours, others)
    assert sum(counts) == len(ours.keys() & others.keys())
    back = wins.compare(others, ours)
    assert (back.worse, back.equal, back.better) == counts
    fewer = wins.against(wins.Outcome({}, others), wins.Outcome({}, ours)).tests
    assert fewer == back


@pytest.mark.parametrize(
    ("rule", "ours", "cart"),
    [
        (selection.ON_HALF, "small", "large"),
        (selection.SMALLEST, "small", "small"),
        (selection.LARGEST, "large", "large"),
    ],
)
def test_which_tree_counts_at_a_tie(rule, ours, cart):
    rows = [
        {"tree": name, "first_accuracy": accuracy, "train_tests": tests}
        for name, accuracy, tests in [("low", 0.1, 0.0), ("small", 0.9, 2.0), ("large", 0.9, 3.0)]
    ]
    assert selection.choose(rows, "DPDT-3", rule)["tree"] == ours
    assert selection.choose(rows[::-1], selection.CART, rule)["tree"] == cart
