"""The rule of "auto": what is set stays, and predicted work decides the rest."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from treefront import AllSplits, CartSplits, QuantileSplits, TopSplits
from treefront.effort import (
    SHARE_OF_A_START,
    Shape,
    predicted_exact_seconds,
    predicted_work,
    resolve,
    share_of_a_start,
)

SMALL = {"n_rows": 150, "n_features": 4, "n_classes": 3, "max_depth": 3}
LARGE = {"n_rows": 20_000_000, "n_features": 200, "n_classes": 2, "max_depth": 6}
GENERATORS = [CartSplits(3), CartSplits(max_leaves=8), TopSplits(4), QuantileSplits(3), AllSplits()]


def strength(generators):
    """Most tests of each level's CART."""
    return [generator.max_leaves - 1 for generator in generators]


def test_more_data_or_depth_never_gets_more_effort():
    small, tail_of_small = resolve("auto", "auto", Shape(**SMALL))
    large, tail_of_large = resolve("auto", "auto", Shape(**LARGE))
    assert (tail_of_small, tail_of_large) == (2, 1)
    assert strength(small)[0] > strength(large)[0]


@pytest.mark.parametrize("shape", [SMALL, LARGE])
@pytest.mark.parametrize("tail", [0, 1, 2])
def test_a_tail_that_is_set_stays(shape, tail):
    assert resolve("auto", tail, Shape(**shape))[1] == tail


@pytest.mark.parametrize("shape", [SMALL, LARGE])
@pytest.mark.parametrize("generator", GENERATORS)
def test_splits_that_are_set_stay(shape, generator):
    generators, tail = resolve(generator, "auto", Shape(**shape))
    assert generators == [generator]
    assert tail in (1, 2)
    assert resolve([generator, generator], 0, Shape(**shape)) == ([generator, generator], 0)


@pytest.mark.parametrize("max_depth", [0, 1, 2])
def test_shallow_searches_have_a_plan(max_depth):
    generators, tail = resolve("auto", "auto", Shape(**{**SMALL, "max_depth": max_depth}))
    assert generators
    assert tail == 2


@pytest.mark.parametrize("generator", [*GENERATORS, lambda X, y, w: []])
def test_work_grows_with_rows_features_and_depth(generator):
    def work(**change):
        return predicted_work([generator], 1, Shape(**{**SMALL, **change}))

    assert work() < work(n_rows=300)
    assert work() < work(n_features=8)
    assert work(max_depth=2) < work()


def test_the_plan_fits_the_budget_or_is_the_weakest():
    for shape in (SMALL, LARGE, {**SMALL, "n_rows": 50_000, "n_features": 30, "max_depth": 5}):
        generators, tail = resolve("auto", "auto", Shape(**shape))
        fits = predicted_work(generators, tail, Shape(**shape)) <= Shape(**shape).budget
        assert fits or (set(strength(generators)) == {1} and tail == 1)


def test_a_very_deep_tree_is_searched_greedily_at_last():
    generators, _ = resolve("auto", "auto", Shape(**{**LARGE, "max_depth": 60}))
    assert strength(generators)[-1] == 1


def test_a_share_of_the_budget_is_a_weaker_or_a_stronger_plan():
    shape = Shape(**{**SMALL, "n_rows": 5000, "max_depth": 4})
    plans = [resolve("auto", 2, replace(shape, share=share))[0] for share in (0.1, 1.0, 20.0)]
    widths = [sum(strength(plan)) for plan in plans]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize(
    ("n_rows", "n_features", "max_depth", "seconds"),
    [
        (720, 7, 3, 0.03),
        (720, 7, 4, 1),
        (3048, 7, 4, 28),
        (11984, 14, 4, 3200),
        (20, 1, 1000, 2e-5),
        (10**9, 100, 10**6, math.exp(690)),
    ],
)
def test_the_time_of_a_proof_is_predicted_roughly(n_rows, n_features, max_depth, seconds):
    predicted = predicted_exact_seconds(Shape(n_rows, n_features, 2, max_depth))
    assert seconds / 2 < predicted < seconds * 2 or predicted > seconds > 1e250


def test_a_proof_that_will_not_end_in_time_starts_from_more():
    shape = Shape(3000, 7, 2, 4)
    assert share_of_a_start(shape, math.inf) == SHARE_OF_A_START
    shares = [share_of_a_start(shape, limit) for limit in (1e-3, 0.1, 1.0, 5.0, 20.0)]
    assert shares == sorted(set(shares))
    assert share_of_a_start(shape, 1e-3) < SHARE_OF_A_START < share_of_a_start(shape, 1.0) < 1
    assert share_of_a_start(replace(shape, max_depth=9), 1e6) == 20
