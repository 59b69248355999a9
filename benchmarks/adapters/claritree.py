"""claritree: regression trees found by looking one greedy tree ahead, over 20 quantiles.

It takes one target and knows no time limit. It is built from source and needs Eigen 3.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock

PRICE = 1e-3  # of a leaf and of squared slopes, where leaves are linear: its own example's


def available() -> bool:
    return find_spec("clari_tree") is not None


def prepare() -> None:
    import clari_tree  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, linear: bool = False) -> Fit:
    from clari_tree import CLARITree, CLARITreeConst

    if y.ndim > 1:
        raise ValueError("claritree takes one target")
    if linear:
        model = CLARITree(depth=max_depth, lambda_=PRICE, kappa=PRICE, verbose=False)
    else:
        model = CLARITreeConst(depth=max_depth, verbose=False)
    with Clock() as clock:
        model.fit(X, y)
    return Fit(clock, np.asarray(model.predict(X)), {"leaves": int(model.n_leaves())})
