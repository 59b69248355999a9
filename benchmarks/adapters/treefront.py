"""This library, through its estimators. ``splits`` is ``{"class": name, ...parameters}``."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    import treefront  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, **options: Any) -> Fit:
    import treefront

    splits = options.get("splits")
    if isinstance(splits, dict):
        parameters = dict(splits)
        generator = getattr(treefront, parameters.pop("class"))
        options["splits"] = generator(**parameters)
    numbers = y.dtype.kind == "f"
    model = (treefront.DPDTRegressor if numbers else treefront.DPDTClassifier)(**options)
    with Clock() as clock:
        model.fit(X, y)
    facts = {
        "n_states": int(model.n_states_),
        "trees": len(model.front_),
        "mean_tests": float(model.front_.mean_tests[-1]),
        "leaves": int(model.front_.n_leaves[-1]),
        "fit_status": model.status_,
        "lower_bound": float(model.lower_bound_),
        "proved": bool(model.gap_ == 0),
    }
    return Fit(clock, model.predict(X), facts)
