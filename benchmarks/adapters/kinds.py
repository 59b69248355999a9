"""This library on one table three times: complete, with missing cells, and half in categories.

The three alternate in one process, so that a ratio of their times suffers little from what else
the machine does.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from benchmarks import problems
from benchmarks.adapters import Fit, treefront

LONG = 40.0  # seconds: past them the fits are not repeated


def prepare() -> None:
    treefront.prepare()


def fit(X: np.ndarray, y: np.ndarray, *, repeats: int, **options: Any) -> Fit:
    cut, categorical = problems.with_categories(X)
    tables = {
        "complete": (X, None),
        "missing": (problems.with_missing(X), None),
        "categories": (cut, categorical),
    }
    fits: dict[str, list[Fit]] = {kind: [] for kind in tables}
    spent = 0.0
    while len(fits["categories"]) < repeats and spent < LONG:
        for kind, (table, chosen) in tables.items():
            fits[kind].append(treefront.fit(table, y, **options, categorical_features=chosen))
            spent += fits[kind][-1].clock.seconds
    facts: dict[str, Any] = {"fits": len(fits["complete"])}
    for kind, found in fits.items():
        facts[f"{kind}_seconds"] = statistics.median(fit.clock.seconds for fit in found)
        facts[f"{kind}_states"] = found[-1].facts["n_states"]
        facts[f"{kind}_accuracy"] = float(np.mean(found[-1].predicted == y))
    last = fits["complete"][-1]
    return Fit(last.clock, last.predicted, facts)
