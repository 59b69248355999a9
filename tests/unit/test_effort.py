"""The rule of "auto": what is set stays, and predicted work decides the rest."""

from __future__ import annotations

import pytest

from treefront import AllSplits, CartSplits, QuantileSplits, TopSplits
from treefront.effort import Shape, predicted_work, resolve

SMALL = {"n_rows": 150, "n_features": 4, "n_classes": 3, "max_depth": 3}
LARGE = {"n_rows": 20_000_000, "n_features": 200, "n_classes": 2, "max_depth": 6}
GENERATORS = [CartSplits(3), CartSplits(max_leaves=8), TopSplits(4), QuantileSplits(3), AllSplits()]


def strength(generators):
    """Most tests of each level's CART."""
    return [generator.max_leaves - 1 for generator in generators]


def test_more_data_or_depth_never_gets_more_effort():
    small, tail_of_small = resolve("auto", "auto", **SMALL)
    large, tail_of_large = resolve("auto", "auto", **LARGE)
    assert (tail_of_small, tail_of_large) == (2, 1)
    assert strength(small)[0] > strength(large)[0]


@pytest.mark.parametrize("shape", [SMALL, LARGE])
@pytest.mark.parametrize("tail", [0, 1, 2])
def test_a_tail_that_is_set_stays(shape, tail):
    assert resolve("auto", tail, **shape)[1] == tail


@pytest.mark.parametrize("shape", [SMALL, LARGE])
@pytest.mark.parametrize("generator", GENERATORS)
def test_splits_that_are_set_stay(shape, generator):
    generators, tail = resolve(generator, "auto", **shape)
    assert generators == [generator]
    assert tail in (1, 2)
    assert resolve([generator, generator], 0, **shape) == ([generator, generator], 0)


@pytest.mark.parametrize("max_depth", [0, 1, 2])
def test_shallow_searches_have_a_plan(max_depth):
    generators, tail = resolve("auto", "auto", **{**SMALL, "max_depth": max_depth})
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
        generators, tail = resolve("auto", "auto", **shape)
        fits = predicted_work(generators, tail, Shape(**shape)) <= Shape(**shape).budget
        assert fits or (set(strength(generators)) == {1} and tail == 1)


def test_a_very_deep_tree_is_searched_greedily_at_last():
    generators, _ = resolve("auto", "auto", **{**LARGE, "max_depth": 60})
    assert strength(generators)[-1] == 1
