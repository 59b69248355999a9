"""pystreed: optimal trees on binary features; 20 quantiles of every feature, by its own code.

The binarisation is inside the time, as it is inside ``fit``.
"""

from __future__ import annotations

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock

QUANTILES = 20


def prepare() -> None:
    import pystreed  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, time_limit: float) -> Fit:
    from pystreed import STreeDClassifier

    model = STreeDClassifier(max_depth=max_depth, time_limit=time_limit, n_thresholds=QUANTILES)
    with Clock() as clock:
        model.fit(X, y)
    return Fit(clock, np.asarray(model.predict(X)), {"proved": bool(model.fit_result.is_optimal())})
