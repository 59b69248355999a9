"""LicketySPLIT on its own binarised features; the time includes the binariser."""

from __future__ import annotations

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    import licketysplit  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int) -> Fit:
    from licketysplit import LicketySPLITClassifier, ThresholdGuessBinarizer

    binarizer = ThresholdGuessBinarizer(n_estimators=100, max_depth=3, column_elimination=False)
    model = LicketySPLITClassifier(lambda_leaf=1e-4, depth_budget=max_depth)
    with Clock() as clock:
        with Clock() as binarising:
            binary = binarizer.fit_transform(X, y)
        model.fit(binary, y)
    facts = {
        "binarizer_seconds": binarising.seconds,
        "binary_features": int(binary.shape[1]),
    }
    return Fit(clock, np.asarray(model.predict(binary)), facts)
