"""What a search is asked to do, from the parameters of an estimator and the shape of its data."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from treefront import effort, feature_costs, monotone, splits
from treefront.data import TrainingData
from treefront.targets import Classes

ALL_TESTS = 2  # the longest tail: so many levels are solved over all tests without bounds
DEEPEST_WITH_EVERY_SIZE = 6  # beyond, the many sizes of a state would cost more than the search
LONG = 3600.0  # seconds after which a proof should not begin without a word


class LongSearchWarning(UserWarning):
    """A search that nothing limits would take hours."""


@dataclass(frozen=True)
class Plan:
    """What a search is to do."""

    splits: list[splits.Generator]
    exact_tail: int
    baselines: tuple[str, ...]
    signs: list[int]  # of the features; empty without
    prices: feature_costs.Prices
    every_size: bool  # the best tree of every size, not of the hull alone
    prove: str = "nothing"
    is_proof: bool = False  # a search that completes has then proved all its trees


def plan_of(estimator: Any, data: TrainingData, share: float = 1.0) -> Plan:
    """What the core is asked to do; warns before a proof that would take very long.

    Parameters
    ----------
    estimator : FrontEstimator
    data : TrainingData
    share : float
        How much of the work that "auto" allows the search may take.
    """
    names = getattr(estimator, "feature_names_in_", None)
    signs = monotone.resolve(
        estimator.monotonic_cst, names, data.categories, n_values=data.target.n_values
    )
    prices = feature_costs.resolve(
        estimator.feature_costs,
        estimator.feature_groups,
        names,
        data.n_features,
        once=estimator.feature_costs_once,
    )
    plan = partial(
        Plan,
        signs=signs,
        prices=prices,
        every_size=(
            estimator.complexity == "splits"
            and estimator.max_depth <= DEEPEST_WITH_EVERY_SIZE
            and prices.all_one
        ),
    )
    # What a leaf may predict then depends on the tests above it, so that no bound serves a proof.
    keeps_bounds = any(signs) and not isinstance(data.target, Classes)
    shape = _shape(estimator, data, keeps_bounds=keeps_bounds, share=share)
    if not _is_word(estimator.splits, "all"):
        baselines = _baselines(estimator.splits, estimator.time_limit)
        return plan(*effort.resolve(estimator.splits, estimator.exact_tail, shape), baselines)
    if keeps_bounds:  # all trees are looked at
        return plan([splits.AllSplits()], ALL_TESTS, splits.CRITERIA, is_proof=True)
    limit = math.inf if estimator.time_limit is None else float(estimator.time_limit)
    seconds = effort.predicted_exact_seconds(shape)
    if shape.max_depth > ALL_TESTS and limit == math.inf and seconds > LONG:
        warnings.warn(_too_long(shape, seconds), LongSearchWarning, stacklevel=4)
    start = effort.resolve(
        "auto", ALL_TESTS, replace(shape, share=effort.share_of_a_start(shape, limit))
    )
    if shape.max_depth > ALL_TESTS:
        return plan(*start, splits.CRITERIA, prove=estimator.prove, is_proof=True)
    # The tail is the proof. Where it will surely end in time it needs no greedy trees besides.
    ends = limit >= 1.0 and effort.predicted_seconds(*start, shape) < limit / 20
    return plan(*start, () if ends else splits.CRITERIA, is_proof=True)


def duration(seconds: float) -> str:
    """Some hours or more, in words."""
    for unit, size in (("years", 365 * 86400.0), ("days", 86400.0), ("hours", 3600.0)):
        if seconds >= 2 * size:
            n = seconds / size
            return f"{n:,.0f} {unit}" if n < 1000 else f"more than 1,000 {unit}"
    return "more than an hour"


def _shape(estimator: Any, data: TrainingData, *, keeps_bounds: bool, share: float) -> effort.Shape:
    """What the work of a search is predicted from."""
    return effort.Shape(
        data.n_rows,
        data.n_features + int(data.with_missing.sum()),  # both sides are tried
        _n_classes(data),
        int(estimator.max_depth),
        effort.n_values(data.X),
        visit_cost=effort.visit_cost(
            data.target,
            keeps_bounds=keeps_bounds,
            limits_weight=estimator.min_weight_fraction_leaf > 0 and data.sample_weight is not None,
        ),
        share=share,
    )


def _n_classes(data: TrainingData) -> int:
    """As far as the work goes: numbers take about as long as three classes."""
    return len(data.target.classes) if isinstance(data.target, Classes) else 3


def _baselines(given: Any, time_limit: float | None) -> tuple[str, ...]:
    """Criteria of the greedy trees below which no result may fall.

    A search that may be stopped needs them, and ``"auto"`` promises them; generators that were
    asked for span their own trees and no others.
    """
    if _is_word(given, "auto"):
        return splits.CRITERIA
    return () if time_limit is None else splits.criteria(splits.sequence(given)[0])


def _is_word(given: object, word: str) -> bool:
    """Whether a parameter that may be many things is a certain word."""
    return isinstance(given, str) and given == word


def _too_long(shape: effort.Shape, seconds: float) -> str:
    return (
        f"splits='all' on {shape.n_rows:,} rows, {shape.n_features:,} features and max_depth "
        f"{shape.max_depth} may take {duration(seconds)}; set time_limit to keep the best trees "
        "found until then, a smaller max_depth, or splits='auto'"
    )
