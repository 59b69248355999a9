"""Prices of tests, through the estimators."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from treefront import DPDTClassifier, DPDTRegressor, load

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
MEAN, ERROR, WORST = list(X.columns[:10]), list(X.columns[10:20]), list(X.columns[20:])
PRICES = {**dict.fromkeys(MEAN, 10.0), **dict.fromkeys(ERROR, 20.0), **dict.fromkeys(WORST, 50.0)}
ONCE = {
    "feature_costs": PRICES,
    "feature_costs_once": True,
    "feature_groups": [MEAN, ERROR, WORST],
}


def paid(tree, *, once: bool) -> float:
    """Average price per training row, following the tests of every path."""
    group = {name: g for g, names in enumerate([MEAN, ERROR, WORST]) for name in names}
    total = 0.0
    open_nodes = [(0, frozenset())]
    while open_nodes:
        node, bought = open_nodes.pop()
        if tree.feature[node] < 0:
            continue
        name = X.columns[tree.feature[node]]
        if not (once and group[name] in bought):
            total += PRICES[name] * tree.weight[node]
        after = bought | {group[name]}
        open_nodes += [(tree.left[node], after), (tree.right[node], after)]
    return total / tree.weight[0]


@pytest.mark.parametrize("splits", ["auto", "all"])
@pytest.mark.parametrize("once", [False, True])
def test_the_complexity_is_what_a_row_pays(splits, once):
    params = ONCE if once else {"feature_costs": PRICES}
    model = DPDTClassifier(max_depth=3, splits=splits, time_limit=30, **params).fit(X, Y)
    for complexity, tree in zip(model.front_.complexity, model.front_):
        assert complexity == pytest.approx(paid(tree, once=once))


def test_what_is_bought_once_costs_no_more():
    each = DPDTClassifier(max_depth=3, feature_costs=PRICES).fit(X, Y)
    once = DPDTClassifier(max_depth=3, **ONCE).fit(X, Y)
    for price in (0.0001, 0.001, 0.01):
        cost = [(m.front_.loss + price * m.front_.complexity).min() for m in (each, once)]
        assert cost[1] <= cost[0]


def test_prices_of_1_are_no_prices():
    plain = DPDTClassifier(max_depth=3).fit(X, Y)
    assert DPDTClassifier(max_depth=3, feature_costs=np.ones(30)).fit(X, Y).front_ == plain.front_


def test_a_price_keeps_a_feature_out_where_it_is_not_worth_it():
    model = DPDTClassifier(max_depth=2, alpha=0.001).fit(X, Y)
    used = {X.columns[f] for f in model.tree_.feature if f >= 0}
    dear = dict.fromkeys(used, 1e6)
    cheap = DPDTClassifier(max_depth=2, alpha=0.001, feature_costs=dear).fit(X, Y)
    assert not used & {X.columns[f] for f in cheap.tree_.feature if f >= 0}


@pytest.mark.parametrize("prove", ["tree", "front"])
def test_what_is_free_needs_no_leaf(prove):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        data, y = rng.integers(0, 15, size=(60, 3)).astype(float), rng.integers(0, 2, 60)
        params = {"max_depth": 3, "splits": "all", "prove": prove, "feature_costs": [0, 1, 1]}
        model = DPDTClassifier(**params).fit(data, y)
        wrong = (model.front_.predict(data) != y).mean(axis=1)
        assert model.front_.loss == pytest.approx(wrong)


def test_regression_and_files(tmp_path):
    model = DPDTRegressor(max_depth=2, splits="all", **ONCE).fit(X, X["mean area"] + Y)
    assert model.status_ == "optimal"
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.front_ == model.front_
    assert loaded.feature_costs == PRICES


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"feature_costs": [1, 2]}, "has 2 entries, but X has 30 features"),
        ({"feature_costs": {"age": 1}}, "names 'age', which is no column of X"),
        ({"feature_costs": {30: 1}}, "holds 30; it takes names or numbers of columns from 0 to 29"),
        ({"feature_costs": {"mean area": -1}}, "that of 'mean area' is -1"),
        ({"feature_costs": {"mean area": np.nan}}, "that of 'mean area' is nan"),
        ({"feature_groups": [MEAN]}, "needs feature_costs_once=True"),
        ({**ONCE, "feature_groups": [MEAN, MEAN]}, "names a column twice"),
        ({**ONCE, "feature_groups": [MEAN + ERROR]}, "share one price"),
        ({**ONCE, "feature_groups": MEAN}, "must be a list of lists"),
        ({**ONCE, "feature_groups": 5}, "must be a list of lists"),
        ({"feature_costs": {"mean area": 1e308}}, r"from 0 to 1e\+100"),
    ],
)
def test_bad_prices(params, message):
    with pytest.raises(ValueError, match=message):
        DPDTClassifier(**params).fit(X, Y)
