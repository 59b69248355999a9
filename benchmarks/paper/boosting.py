"""AdaBoost over DPDT against AdaBoost over CART, with the same depth and number of rounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from benchmarks import results
from benchmarks.paper import fits, pages
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.settings import Settings

SHOWS = ("boosting",)
NAMES = ("data", "method")
DEPTH = 3
OURS, CARTS = "DPDT-2", ("CART gini", "CART entropy")


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    for data in settings.boosting_data:
        for method in (OURS, *CARTS):
            fit = partial(boosted, data, method, settings.boosting_rounds)
            yield Task((data, method), fit)


def base(method: str) -> BaseEstimator:
    """The tree of a round."""
    from sklearn.tree import DecisionTreeClassifier

    from treefront import CartSplits, DPDTClassifier

    if method == OURS:
        # Midpoints: scikit-learn's CART has them too, and a round need not be read.
        return DPDTClassifier(
            max_depth=DEPTH, splits=CartSplits(depth=2), exact_tail=0, thresholds="midpoint"
        )
    criterion = method.removeprefix("CART ")
    return DecisionTreeClassifier(max_depth=DEPTH, criterion=criterion, random_state=0)


def boosted(data: str, method: str, rounds: int) -> Row:
    """Accuracy after every round's vote is that of the last; the best round's is not chosen."""
    from sklearn.ensemble import AdaBoostClassifier

    parts = fits.parts(data)
    model: Any = AdaBoostClassifier(base(method), n_estimators=rounds, random_state=0)
    _, seconds = fits.timed(lambda: model.fit(*parts["train"]), 1)
    row: Row = {"rounds": len(model.estimators_), "seconds": seconds}
    for name, (X, y) in parts.items():
        row[f"{name}_accuracy"] = float(model.score(X, y))
    # The share of weight that a round gets wrong, over the rounds: what boosting asks of a tree.
    row["round_error"] = float(np.mean(model.estimator_errors_[: len(model.estimators_)]))
    return row


def write(log: Log, settings: Settings) -> None:
    methods = (OURS, *CARTS)
    names = [data for data in settings.boosting_data if all(log.of(data, m) for m in methods)]
    lines = []
    test: dict[str, dict[str, float]] = {method: {} for method in methods}
    for data in names:
        found = {method: log.of(data, method)[0] for method in methods}
        line = [data]
        for method, row in found.items():
            test[method][data] = pages.printed(float(row["test_accuracy"]))
            line.append(f"{test[method][data]:.1f}")
        line += [pages.percent(float(row["train_accuracy"])) for row in found.values()]
        line += [pages.percent(float(row["round_error"])) for row in found.values()]
        line += [results.seconds(float(row["seconds"])) for row in found.values()]
        lines.append(line)
    header = ["data"]
    for what in ("test", "training", "error per round", "seconds"):
        header += [f"{method}: {what}" for method in methods]
    counts = [
        "- Against {}: better on the test rows on {}, equal on {}, worse on {} of {}.".format(
            method, *pages.wins(test[OURS], test[method]), len(names)
        )
        for method in CARTS
    ]
    parts = [
        (
            f"scikit-learn's AdaBoost, {settings.boosting_rounds} rounds of trees of depth "
            f"{DEPTH}: DPDT-2 by entropy (alpha = 0) and CART. Per cent; the error per round is "
            "the mean weighted training error of the rounds' trees. No figure of the paper "
            "stands beside: it has no experiment on boosting."
        ),
        results.table(header, lines),
        "\n".join(counts),
    ]
    pages.write(settings, "boosting", "AdaBoost over DPDT and over CART", parts, log.rows)
