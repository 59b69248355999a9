"""Proofs through the estimator: stopped at any time what they say is true, and more is better."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tests.laws.pruning_path import pruned_trees, reject_if_rounding_decides
from tests.laws.test_limits import endless
from tests.laws.walk import ARRAYS, true_point
from tests.oracle.engine import search
from tests.oracle.examples import examples
from tests.oracle.hull import price_where_worse
from tests.oracle.tables import Table, noisy_tables
from treefront import AllSplits, CartSplits, DPDTClassifier

ROUNDING = 1e-12
ANY_WEIGHTS = ("none", "eighths", "reals")
small = noisy_tables(min_rows=30, max_rows=60, max_features=3, weights=ANY_WEIGHTS)
alphas = st.sampled_from([0.0, 1 / 64, 1 / 16, 1 / 3])
complexities = st.sampled_from(["tests", "splits"])
LIMITS = [1e-9, 1e-4, 1e-3, 3e-3, 1e-2, 10.0]


def fit(table: Table, **params) -> DPDTClassifier:
    weight = None if table.weight is None else np.array(table.weight, dtype=float)
    return DPDTClassifier(**params).fit(table.X, table.y, weight)


def cost(model: DPDTClassifier, alpha: float) -> float:
    """Loss and price of tests of the best tree at `alpha`."""
    return float((model.front_.loss + alpha * model.front_.complexity).min())


def check(model: DPDTClassifier, table: Table) -> None:
    """Claims of trees, bound, gap and status agree with each other and with the rows."""
    value = cost(model, model.alpha)
    assert 0 <= model.lower_bound_ <= value + ROUNDING
    assert model.gap_ == pytest.approx(value - model.lower_bound_, abs=ROUNDING)
    assert model.gap_ >= 0
    assert model.status_ in ("optimal", "time_limit")
    if model.status_ == "optimal":
        assert model.gap_ == 0.0
        assert model.front_.proved[model.front_.index(model.tree_)]
    total = float(sum(table.exact_weight))
    for i, tree in enumerate(model.front_):
        nodes = {name: getattr(tree, name) for name in ARRAYS}
        tests_made, errors = true_point(nodes, table, model.complexity)
        unit = total if model.complexity == "tests" else 1
        assert model.front_.loss[i] == pytest.approx(float(errors) / total, abs=ROUNDING)
        assert model.front_.complexity[i] == pytest.approx(float(tests_made) / unit, abs=1e-9)


@pytest.mark.parametrize("prove", ["tree", "front"])
@given(small, alphas, complexities, st.integers(1, 5), st.sampled_from(LIMITS), st.integers(1, 2))
@examples(30)
def test_stopped_at_any_time(prove, table: Table, alpha, complexity, leaf, limit, n_jobs):
    params = {"max_depth": 3, "alpha": alpha, "complexity": complexity, "min_samples_leaf": leaf}
    params |= {"splits": "all", "prove": prove}
    stopped = fit(table, **params, time_limit=limit, n_jobs=n_jobs)
    check(stopped, table)
    optimal = fit(table, **params)
    check(optimal, table)
    assert optimal.status_ == "optimal"
    assert stopped.lower_bound_ <= optimal.lower_bound_ + ROUNDING
    assert cost(stopped, alpha) >= optimal.lower_bound_ - ROUNDING


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@given(noisy_tables(), st.integers(1, 4), st.sampled_from(LIMITS[:-1]), st.integers(1, 3))
@examples(15)
def test_stopped_at_any_time_no_pruned_cart_is_better(
    criterion, table: Table, max_depth, limit, leaf
):
    reject_if_rounding_decides(table, criterion, max_depth, leaf)
    params = {"max_depth": max_depth, "min_samples_leaf": leaf}
    model = fit(table, splits="all", time_limit=limit, **params)
    total = sum(table.exact_weight)  # whole numbers, so that points are exact
    front = [
        (Fraction(round(c * total)), Fraction(round(e * total)))
        for c, e in zip(model.front_.complexity, model.front_.loss, strict=True)
    ]
    path = pruned_trees(table, criterion=criterion, **params)
    assert price_where_worse(front, path) is None


@given(small, alphas, complexities, st.integers(1, 5))
@examples(15)
def test_never_worse_than_dpdt_and_equal_to_enumeration(table: Table, alpha, complexity, leaf):
    params = {"max_depth": 3, "alpha": alpha, "complexity": complexity, "min_samples_leaf": leaf}
    tree, front = (fit(table, splits="all", prove=prove, **params) for prove in ("tree", "front"))
    for splits in ("auto", CartSplits(4), AllSplits()):
        other = fit(table, splits=splits, **params)
        assert cost(tree, alpha) <= cost(other, alpha) + ROUNDING
        for price in (0.0, 1 / 64, 1 / 16, 1 / 3):
            assert cost(front, price) <= cost(other, price) + ROUNDING
    assert front.front_.proved.all()
    assert front.lower_bound_ == pytest.approx(tree.lower_bound_, abs=ROUNDING)
    assert front.lower_bound_ == pytest.approx(other.gap_, abs=ROUNDING)  # over all tests


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("prove", ["tree", "front"])
def test_a_time_limit_is_kept_and_the_result_is_no_worse_than_cart(prove, n_jobs):
    table = endless()
    start = time.perf_counter()
    model = fit(table, splits="all", prove=prove, max_depth=4, time_limit=0.5, n_jobs=n_jobs)
    seconds = time.perf_counter() - start
    assert seconds < 0.5 + 1.0  # the machine may be busy
    assert model.status_ == "time_limit"
    check(model, table)
    for criterion in ("entropy", "gini"):
        cart = DecisionTreeClassifier(max_depth=4, criterion=criterion, random_state=0)
        assert model.score(table.X, table.y) >= cart.fit(table.X, table.y).score(table.X, table.y)


def test_more_time_is_never_worse():
    table = endless(n=2000, p=6)
    models = [fit(table, splits="all", max_depth=3, time_limit=t) for t in (0.02, 0.3, 60)]
    losses = [model.front_.loss[-1] for model in models]
    assert losses == sorted(losses, reverse=True)
    assert models[-1].status_ == "optimal"


@pytest.mark.parametrize("n_threads", [1, 2])
def test_value_and_bound_are_reported_as_they_move(n_threads):
    table = endless(n=1500, p=5)
    told = []

    def note(fraction, n_states, value, bound):
        told.append((fraction, value, bound))

    result = search(
        table.X,
        table.y,
        depth=4,
        splits=[("cart", 1, 0, "gini")],
        exact_tail=2,
        prove="tree",
        time_limit=2.0,
        n_threads=n_threads,
        on_progress=note,
    )
    _, values, bounds = np.array([t for t in told if not np.isnan(t[1])]).T
    assert len(values) >= 4
    assert np.all(np.diff(values) <= 0)
    assert np.all(np.diff(bounds) >= 0)
    assert np.all(bounds <= values)
    assert bounds[-1] <= result.lower_bound <= result.errors[-1] <= values[-1]
