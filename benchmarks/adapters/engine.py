"""This library's compiled search alone, for the price of a whole front against one tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    from treefront import _core  # noqa: F401


def fit(
    X: np.ndarray,
    y: np.ndarray,
    *,
    depth: int,
    splits: list[list[Any]],
    exact_tail: int,
    alpha: float | None,
) -> Fit:
    from treefront import _core

    with Clock() as clock:
        result = _core.search(
            X,
            y.astype(np.int32),
            None,
            int(y.max()) + 1,
            max_depth=depth,
            splits=[tuple(spec) for spec in splits],
            exact_tail=exact_tail,
            complexity="tests",
            min_samples_leaf=1,
            n_threads=1,
            memo_bytes=2**31,
            time_limit=math.inf,
            alpha=alpha,
            baselines=[],
            kernel="auto",
            lanes="auto",
            on_progress=None,
        )
    tree = result.tree(len(result.errors) - 1)
    links = (tree[name] for name in ("feature", "threshold", "left", "right"))
    predicted = np.argmax(tree["value"], axis=1)[_core.apply(*links, X)]
    return Fit(clock, predicted, {"n_states": int(result.n_states), "trees": len(result.errors)})
