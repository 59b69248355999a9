"""scikit-learn's CART, of classes or of numbers."""

from __future__ import annotations

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def prepare() -> None:
    import sklearn.tree  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, criterion: str) -> Fit:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    cart = DecisionTreeRegressor if y.dtype.kind == "f" else DecisionTreeClassifier
    model = cart(criterion=criterion, max_depth=max_depth, random_state=0)
    with Clock() as clock:
        model.fit(X, y)
    return Fit(clock, model.predict(X), {"leaves": int(model.get_n_leaves())})
