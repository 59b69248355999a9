"""scikit-learn's CART."""

from __future__ import annotations

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    import sklearn.tree  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, criterion: str) -> Fit:
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(criterion=criterion, max_depth=max_depth, random_state=0)
    with Clock() as clock:
        model.fit(X, y)
    return Fit(clock, model.predict(X), {"leaves": int(model.get_n_leaves())})
