"""AdaBoost over DPDT against AdaBoost over CART, with the same depth and number of rounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from benchmarks import results
from benchmarks.paper import fits, pages, wins
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.settings import Settings
from benchmarks.paper.wins import Counts, Figures

SHOWS = ("boosting",)
NAMES = ("data", "method")
DEPTH = 3
OURS, CARTS = "DPDT-2", ("CART gini", "CART entropy")
METHODS = (OURS, *CARTS)


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    for data in settings.data:
        for method in METHODS:
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
    _, spent = fits.timed(lambda: model.fit(*parts["train"]), 1)
    row: Row = {"rounds": len(model.estimators_), **spent}
    for name, (X, y) in parts.items():
        row[f"{name}_accuracy"] = float(model.score(X, y))
    # The share of weight that a round gets wrong, over the rounds: what boosting asks of a tree.
    row["round_error"] = float(np.mean(model.estimator_errors_[: len(model.estimators_)]))
    return row


def complete(log: Log, settings: Settings) -> list[str]:
    """Data sets of which all is measured."""
    return [data for data in settings.data if all(log.of(data, method) for method in METHODS)]


def test_accuracy(log: Log, names: list[str], method: str) -> Figures:
    return {data: pages.printed(float(log.of(data, method)[0]["test_accuracy"])) for data in names}


def versus(log: Log, names: list[str]) -> dict[str, Counts]:
    """On the test rows, against each of CART's."""
    ours = test_accuracy(log, names, OURS)
    return {method: wins.compare(ours, test_accuracy(log, names, method)) for method in CARTS}


def write(log: Log, settings: Settings) -> None:
    pages.write(
        settings, "boosting", "AdaBoost over DPDT and over CART", page(log, settings), log.rows
    )


def page(log: Log, settings: Settings) -> list[str]:
    names = complete(log, settings)
    lines = []
    for data in names:
        found = [log.of(data, method)[0] for method in METHODS]
        line = [data]
        for part in ("test_accuracy", "train_accuracy", "round_error"):
            line += [pages.percent(float(row[part])) for row in found]
        line += [results.seconds(float(row["seconds"])) for row in found]
        lines.append(line)
    header = ["data"]
    for what in ("test", "training", "error per round", "seconds"):
        header += [f"{method}: {what}" for method in METHODS]
    counts = [
        f"- Against {method}: better on the test rows on {count.better}, equal on {count.equal}, "
        f"worse on {count.worse} of {len(names)}."
        for method, count in versus(log, names).items()
    ]
    left_out = [data for data in settings.data if data not in names]
    return [
        (
            f"scikit-learn's AdaBoost, {settings.boosting_rounds} rounds of trees of depth "
            f"{DEPTH}: DPDT-2 by entropy (alpha = 0) and CART. Per cent; the error per round is "
            "the mean weighted training error of the rounds' trees. No figure of the paper "
            "stands beside: it has no experiment on boosting."
        ),
        *([f"Not measured: {', '.join(left_out)}."] if left_out else []),
        results.table(header, lines),
        "\n".join(counts),
    ]
