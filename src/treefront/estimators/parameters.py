"""Parameters that all estimators share: what is allowed and what they mean."""

from __future__ import annotations

from collections.abc import Mapping

from treefront.estimators.options import (
    NOTHING,
    Anything,
    Bytes,
    Flags,
    Generators,
    Integers,
    NonzeroIntegers,
    Option,
    Reals,
    Scorers,
    Values,
)

COMMON: Mapping[str, Option] = {
    "max_depth": Option((Integers(0),), "most tests that a row may meet"),
    "splits": Option((Values(("auto", "all")), Generators()), "tests allowed in a state"),
    "exact_tail": Option(
        (Values(("auto", 0, 1, 2)),), "last levels solved over all tests: auto, 0, 1 or 2"
    ),
    "prove": Option(
        (Values(("tree", "front")),),
        "what splits=all proves optimal: the tree at alpha, or every tree of the front",
    ),
    "alpha": Option((Reals(0),), "price of a test, in units of the loss of a row"),
    "complexity": Option(
        (Values(("tests", "splits")),),
        "what is weighed against the error: tests made on average, or splits in the tree",
    ),
    "min_samples_leaf": Option(
        (Integers(1), Reals(0, 1, open=True)), "least number, or fraction, of rows in a leaf"
    ),
    "min_weight_fraction_leaf": Option(
        (Reals(0, 0.5),), "least share of the total weight in a leaf"
    ),
    "thresholds": Option(
        (Values(("short", "midpoint")),),
        "where in the gap between two values a threshold lies: few digits, or the midpoint",
    ),
    "categorical_features": Option(
        (Anything(),), "columns that hold categories: 'from_dtype', None, or which"
    ),
    "feature_costs": Option((Anything(),), "price of a test by feature; all 1 without"),
    "feature_costs_once": Option(
        (Flags(),), "whether the first test of a feature pays for all on the path"
    ),
    "feature_groups": Option((Anything(),), "features that are bought together"),
    "monotonic_cst": Option(
        (Anything(),), "by feature 1, -1 or 0: whether predictions must rise or fall with it"
    ),
    "time_limit": Option(
        (Reals(0, open=True), NOTHING), "seconds; the best front so far is kept then"
    ),
    "memory_limit": Option(
        (Bytes(), NOTHING), "bytes for solved states, such as 2GB; changes no result"
    ),
    "n_jobs": Option((NonzeroIntegers(), NOTHING), "threads; -1 is all"),
    "on_interrupt": Option(
        (Values(("raise", "return")),),
        "what Ctrl-C does: raise, or return the best front so far",
    ),
    "verbose": Option((Integers(0),), "1 shows a progress bar"),
}

CHOICE: Mapping[str, Option] = {
    "cv": Option((Anything(),), "folds: their number, a splitter, or pairs of row numbers"),
    "scoring": Option((Scorers(), NOTHING), "what is compared on held-out rows"),
    "rule": Option(
        (Values(("best", "one_standard_error")),),
        "the tree with the best score, or the smallest within one standard error of it",
    ),
}


def with_more(after: str, **options: Option) -> Mapping[str, Option]:
    """The shared parameters with others behind one of them: the order of the signature."""
    result: dict[str, Option] = {}
    for name, option in COMMON.items():
        result[name] = option
        if name == after:
            result |= options
    return result


def with_choice(options: Mapping[str, Option]) -> Mapping[str, Option]:
    """Parameters of an estimator with those of cross-validation in the place of `alpha`."""
    result: dict[str, Option] = {}
    for name, option in options.items():
        if name == "alpha":
            result |= CHOICE
        else:
            result[name] = option
    return result
