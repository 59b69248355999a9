"""pycontree: optimal trees on continuous features, with a time limit of its own."""

from __future__ import annotations

import warnings

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    import pycontree  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, time_limit: float) -> Fit:
    from pycontree import ConTree

    model = ConTree(max_depth=max_depth, time_limit=time_limit)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with Clock() as clock:
            model.fit(X, y)
    # It tells only by a warning that it ran into the limit.
    proved = not any("time limit" in str(w.message) for w in caught)
    return Fit(clock, np.asarray(model.predict(X)), {"proved": proved})
