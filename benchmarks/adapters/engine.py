"""This library's compiled search alone: the price of a whole front against one tree.

Both searches alternate in one process, so that a ratio of their times suffers little from what else
the machine does.
"""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock

LONG = 20.0  # seconds: past them a pair is not repeated


def prepare() -> None:
    from treefront import _core  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, repeats: int, **options: Any) -> Fit:
    labels = y.astype(np.int32)
    front: list[Clock] = []
    one: list[Clock] = []
    while len(front) < repeats and sum(clock.seconds for clock in [*front, *one]) < LONG:
        with Clock() as clock:
            search(X, labels, alpha=0.0, **options)
        one.append(clock)
        with Clock() as clock:
            result = search(X, labels, alpha=None, **options)
        front.append(clock)
    facts = {
        "front_seconds": statistics.median(clock.seconds for clock in front),
        "one_alpha_seconds": statistics.median(clock.seconds for clock in one),
        "pairs": len(front),
        "trees": len(result.errors),
    }
    tree = result.tree(len(result.errors) - 1)
    return Fit(clock, predict(tree, X), facts)


def search(X: np.ndarray, y: np.ndarray, *, depth: int, splits: list[list[Any]], **options: Any):
    from treefront import _core

    return _core.search(
        X,
        y,
        None,
        int(y.max()) + 1,
        max_depth=depth,
        splits=[tuple(spec) for spec in splits],
        complexity="tests",
        min_samples_leaf=1,
        n_threads=1,
        memo_bytes=2**31,
        time_limit=math.inf,
        baselines=[],
        kernel="auto",
        lanes="auto",
        on_progress=None,
        **options,
    )


def predict(tree: dict[str, np.ndarray], X: np.ndarray) -> np.ndarray:
    from treefront import _core

    links = (tree[name] for name in ("feature", "threshold", "left", "right"))
    return np.argmax(tree["value"], axis=1)[_core.apply(*links, X)]
