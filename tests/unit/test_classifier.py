"""The classifier: one fit, the whole front, a choice without a refit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from treefront import AllSplits, CartSplits, DPDTClassifier, Front, Tree, _native
from treefront.estimators.plan import duration

IRIS = load_iris()
X, Y = IRIS.data, IRIS.target_names[IRIS.target]


@pytest.fixture(scope="module")
def model():
    return DPDTClassifier(max_depth=3).fit(X, Y)


def test_fitted_attributes(model):
    assert isinstance(model.front_, Front)
    assert isinstance(model.tree_, Tree)
    assert model.tree_ is model.front_[-1]
    assert model.alpha_ == 0
    assert model.status_ == "complete"
    assert model.n_states_ > 0
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.n_features_in_ == 4
    assert model.exact_tail_ in (1, 2)
    assert all(isinstance(generator, CartSplits) for generator in model.splits_)


def test_the_front_says_what_its_trees_do(model):
    front = model.front_
    assert front.score(X, Y) == pytest.approx(1 - front.loss)
    assert front.complexity == pytest.approx(front.mean_tests)
    assert front.n_leaves[0] == 1
    assert np.all(np.diff(front.loss) < 0)
    assert np.all(np.diff(front.complexity) > 0)
    assert np.all(np.diff(front.alpha_low) < 0)
    assert (front.alpha_low[0], front.alpha_high[0]) == (front.alpha_high[1], np.inf)


def test_the_methods_of_the_chosen_tree(model):
    tree = model.tree_
    assert (model.predict(X) == tree.predict(X)).all()
    assert (model.predict_proba(X) == tree.predict_proba(X)).all()
    assert (model.apply(X) == tree.apply(X)).all()
    assert (model.decision_path(X) != tree.decision_path(X)).nnz == 0
    assert (model.get_depth(), model.get_n_leaves()) == (tree.depth, tree.n_leaves)
    with np.errstate(divide="ignore"):
        assert (model.predict_log_proba(X) == np.log(model.predict_proba(X))).all()
    assert model.score(X, Y) == model.front_.score(X, Y)[-1]


def test_no_worse_than_cart(model):
    cart = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
    assert model.score(X, Y) >= cart.score(X, Y)


def test_importances_are_the_decrease_of_gini_impurity():
    x, y = np.array([[0.0, 1], [1, 1], [2, 1], [3, 1]]), [0, 0, 1, 1]
    assert DPDTClassifier(max_depth=1).fit(x, y).feature_importances_.tolist() == [1, 0]
    assert DPDTClassifier(max_depth=0).fit(x, y).feature_importances_.tolist() == [0, 0]


def test_importances_equal_those_of_scikit_learn_for_the_same_tree():
    cart = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y)

    def tests_of_cart(rows, y, sample_weight):
        tests = zip(cart.tree_.feature.tolist(), cart.tree_.threshold.tolist())
        return [test for test in tests if test[0] >= 0]

    ours = DPDTClassifier(max_depth=2, splits=tests_of_cart, exact_tail=0).fit(X, Y)
    assert ours.predict(X).tolist() == cart.predict(X).tolist()
    assert ours.feature_importances_ == pytest.approx(cart.feature_importances_)


def test_select_chooses_without_a_refit(model):
    model = DPDTClassifier(max_depth=3).fit(X, Y)
    front = model.front_
    assert model.select(n_leaves=3) is model
    assert model.tree_.n_leaves == 3
    assert model.front_ is front
    assert model.select(alpha=0.1).alpha_ == 0.1
    assert front.select(alpha=0.1) == front.index(model.tree_)
    for index, tree in enumerate(front):
        model.select(mean_tests=tree.mean_tests)
        assert model.tree_ is tree
        assert front.select(alpha=model.alpha_) == index
    model.select(X, Y)
    assert model.tree_ is front[-1]
    model.select(X[:1], Y[:1], sample_weight=[2.0])
    assert model.score(X[:1], Y[:1]) == 1
    assert model.get_params()["alpha"] == 0.0


def test_select_prefers_the_smaller_tree_at_a_tie(model):
    same_class = model.front_[0].predict(X[:1])
    assert DPDTClassifier(max_depth=3).fit(X, Y).select(X[:1], same_class).tree_.n_leaves == 1


def test_select_needs_a_fit_and_one_criterion(model):
    with pytest.raises(NotFittedError):
        DPDTClassifier().select(alpha=0)
    with pytest.raises(ValueError, match="exactly one"):
        model.select()
    with pytest.raises(ValueError, match="3 features"):
        model.select(X[:, :3], Y)


@pytest.mark.parametrize("complexity", ["tests", "splits"])
@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.03, 0.2, 5.0])
def test_alpha_picks_the_tree_with_the_least_cost(complexity, alpha):
    model = DPDTClassifier(max_depth=3, complexity=complexity, alpha=alpha).fit(X, Y)
    cost = model.front_.loss + alpha * model.front_.complexity
    assert cost[model.front_.index(model.tree_)] == pytest.approx(cost.min())
    assert model.alpha_ == alpha


def test_complexity_splits_counts_tests_in_the_tree():
    front = DPDTClassifier(max_depth=3, complexity="splits").fit(X, Y).front_
    assert (front.complexity == front.n_leaves - 1).all()


@pytest.mark.parametrize(("given", "rows"), [(1, 1), (20, 20), (0.101, 16), (0.9, 135)])
def test_min_samples_leaf(given, rows):
    front = DPDTClassifier(max_depth=3, min_samples_leaf=given).fit(X, Y).front_
    for tree in front[1:]:
        assert tree.n_rows[tree.feature < 0].min() >= rows
    assert (len(front) == 1) == (rows > 75)


def test_depth_0_is_a_leaf():
    model = DPDTClassifier(max_depth=0).fit(X, Y)
    assert (len(model.front_), model.get_depth()) == (1, 0)
    assert model.predict(X[:2]).tolist() == ["setosa"] * 2


def test_one_class_and_one_row():
    assert DPDTClassifier().fit(X, np.ones(len(X))).predict_proba(X).tolist() == [[1.0]] * len(X)
    assert DPDTClassifier().fit(X[:1], ["a"]).predict(X[:1]).tolist() == ["a"]


def test_a_depth_beyond_the_number_of_rows():
    model = DPDTClassifier(max_depth=1000).fit(X[:20], IRIS.target[:20] + np.arange(20) % 3)
    assert model.get_depth() < 20


def test_a_callable_sees_the_users_labels_and_decides_the_tests():
    seen = set()

    def medians(rows, y, sample_weight):
        seen.update(y.tolist())
        assert sample_weight is None
        return [(f, float(np.median(rows[:, f]))) for f in range(rows.shape[1])]

    model = DPDTClassifier(max_depth=2, splits=medians, exact_tail=0).fit(X, Y)
    assert seen == set(IRIS.target_names)
    # The core may move a threshold within its gap; the rows it sends left stay the same.
    root = X[:, model.tree_.feature[0]]
    assert ((root <= model.tree_.threshold[0]) == (root <= np.median(root))).all()


def test_an_error_in_a_callable_reaches_the_user():
    def broken(rows, y, sample_weight):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        DPDTClassifier(splits=broken, exact_tail=0).fit(X, Y)
    with pytest.raises(ValueError, match="feature 4; features are integers from 0 to 3"):
        DPDTClassifier(splits=lambda X, y, w: [(4, 0.0)], exact_tail=0).fit(X, Y)


def test_threads_and_memory_change_nothing():
    data = load_breast_cancer(return_X_y=True)
    fronts = [
        DPDTClassifier(max_depth=3, **params).fit(*data).front_
        for params in ({}, {"n_jobs": 2}, {"memory_limit": 1}, {"memory_limit": "1GB"})
    ]
    assert all(front == fronts[0] for front in fronts)


def test_a_time_limit_is_a_result_no_worse_than_cart():
    data = load_breast_cancer(return_X_y=True)
    model = DPDTClassifier(max_depth=5, splits=AllSplits(), time_limit=0.2).fit(*data)
    assert model.status_ == "time_limit"
    cart = DecisionTreeClassifier(max_depth=5, criterion="entropy", random_state=0).fit(*data)
    assert model.score(*data) >= cart.score(*data)


def test_a_failed_fit_leaves_the_last_one_as_it_was():
    model = DPDTClassifier(max_depth=2).fit(X, Y)
    before = model.front_
    for bad in (
        lambda: model.fit(X[:, :2], np.where(np.arange(150) == 3, "", Y)[:10]),
        lambda: model.set_params(splits=lambda X, y, w: 1 / 0, exact_tail=0).fit(X[:, :3], Y),
    ):
        with pytest.raises((ValueError, ZeroDivisionError)):
            bad()
        assert model.front_ is before
        assert model.n_features_in_ == 4
        assert model.score(X, Y) > 0.9


def test_ctrl_c_passes_through_and_leaves_the_last_fit():
    model = DPDTClassifier(max_depth=2).fit(X, Y)

    def interrupted(rows, y, sample_weight):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.set_params(splits=interrupted, exact_tail=0).fit(X[:, :2], Y)
    assert model.n_features_in_ == 4
    assert model.set_params(splits="auto").fit(X[:, :2], Y).n_features_in_ == 2


def test_a_sequence_of_generators_serves_one_depth_each():
    both = DPDTClassifier(max_depth=2, splits=["all", AllSplits()], exact_tail=0).fit(X, Y)
    one = DPDTClassifier(max_depth=2, splits=AllSplits(), exact_tail=0).fit(X, Y)
    assert both.front_ == one.front_


def test_columns_without_text_names_have_none():
    pd = pytest.importorskip("pandas")
    model = DPDTClassifier(max_depth=1).fit(pd.DataFrame(X), Y)
    assert model.tree_.feature_names is None
    assert not hasattr(model, "feature_names_in_")
    named = DPDTClassifier(max_depth=1).fit(pd.DataFrame(X, columns=list("abcd")), Y)
    assert named.tree_.feature_names == ("a", "b", "c", "d")
    assert str(named.tree_).splitlines()[1].startswith("if ")


# ---- splits="all": proofs ----


@pytest.mark.parametrize("prove", ["tree", "front"])
@pytest.mark.parametrize("complexity", ["tests", "splits"])
@pytest.mark.parametrize("alpha", [0.0, 0.004, 0.3])
@pytest.mark.parametrize("max_depth", [0, 1, 2, 3])
def test_a_proof_says_what_enumeration_says(prove, complexity, alpha, max_depth):
    params = {"max_depth": max_depth, "complexity": complexity, "alpha": alpha}
    proof = DPDTClassifier(splits="all", prove=prove, **params).fit(X, Y)
    every = DPDTClassifier(splits=AllSplits(), exact_tail=1, **params).fit(X, Y)
    assert (proof.status_, every.status_) == ("optimal", "complete")
    assert proof.exact_tail_ == 2
    best = proof.front_.index(proof.tree_)
    value = proof.front_.loss[best] + alpha * proof.front_.complexity[best]
    assert (proof.lower_bound_, proof.gap_) == (value, 0.0)
    assert value == pytest.approx(every.gap_, abs=1e-15)
    assert (every.lower_bound_, every.front_.proved.any()) == (0.0, False)
    assert proof.front_.proved[best]
    if prove == "front" or max_depth <= 2:
        assert proof.front_.proved.all()
        assert (proof.front_.loss == every.front_.loss).all()
        assert (proof.front_.complexity == every.front_.complexity).all()


def test_choosing_another_tree_changes_no_proof():
    model = DPDTClassifier(max_depth=3, splits="all", alpha=0.01).fit(X, Y)
    before = model.lower_bound_, model.gap_
    assert (model.select(n_leaves=1).lower_bound_, model.gap_) == before


def test_weights_scale_no_bound():
    params = {"max_depth": 3, "splits": "all", "alpha": 1 / 64, "complexity": "splits"}
    one, many = (DPDTClassifier(**params).fit(X, Y, np.full(len(Y), w)) for w in (1, 8))
    assert one.lower_bound_ == many.lower_bound_ > 0


def test_a_stopped_proof_has_a_bound_and_a_gap():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(3000, 12)), rng.integers(0, 3, size=3000)
    model = DPDTClassifier(max_depth=4, splits="all", time_limit=0.3).fit(x, y)
    assert model.status_ == "time_limit"
    assert not model.front_.proved.any()
    assert 0 <= model.lower_bound_ < model.front_.loss[-1]
    assert model.gap_ == model.front_.loss[-1] - model.lower_bound_
    shallow = DPDTClassifier(max_depth=2, splits="all", time_limit=1e-9).fit(x, y)
    assert (shallow.status_, shallow.lower_bound_) == ("time_limit", 0.0)
    assert not shallow.front_.proved.any()


def test_a_proof_without_end_is_said_before_it_begins(monkeypatch):
    class BegunError(Exception):
        pass

    def search(*_, **__):
        raise BegunError

    monkeypatch.setattr(_native, "search", search)
    x = np.random.default_rng(0).normal(size=(5000, 20))
    y = x[:, 0] > 0
    with (
        pytest.warns(UserWarning, match=r"on 5,000 rows, 20 features and max_depth 5 may take \d+"),
        pytest.raises(BegunError),
    ):
        DPDTClassifier(max_depth=5, splits="all").fit(x, y)
    for params in ({"time_limit": 60}, {"max_depth": 3}, {"splits": AllSplits()}):
        model = DPDTClassifier(**{"max_depth": 5, "splits": "all", **params})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(BegunError):
                model.fit(x, y)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (4000, "more than an hour"),
        (3 * 3600, "3 hours"),
        (60 * 3600, "2 days"),
        (5e8, "16 years"),
        (1e300, "more than 1,000 years"),
    ],
)
def test_durations(seconds, words):
    assert duration(seconds) == words


# ---- what a leaf must keep ----


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("splits", ["auto", "all"])
def test_every_leaf_keeps_a_share_of_the_weight(weighted, splits):
    weight = np.random.default_rng(0).exponential(size=len(Y)) if weighted else None
    free = DPDTClassifier(max_depth=3, splits=splits).fit(X, Y, weight)
    model = DPDTClassifier(max_depth=3, splits=splits, min_weight_fraction_leaf=0.2)
    model.fit(X, Y, weight)
    for tree in model.front_:
        assert (tree.weight[tree.feature < 0] >= 0.2 * tree.weight[0] * (1 - 1e-12)).all()
    assert model.front_.loss[-1] >= free.front_.loss[-1]
    if splits == "all":
        assert model.status_ == "optimal"
    cart = DecisionTreeClassifier(max_depth=3, min_weight_fraction_leaf=0.2, random_state=0)
    score = cart.fit(X, Y, weight).score(X, Y, weight)
    assert model.front_.loss[-1] <= 1 - score + 1e-12
