"""The reference implementation of DPDT (github.com/KohlerHECTOR/DPDTreeEstimator).

It is not on the package index. Set TREEFRONT_REFERENCE to a checkout of it.
"""

from __future__ import annotations

import os
import sys

import numpy as np

from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock


def available() -> bool:
    return "TREEFRONT_REFERENCE" in os.environ


def prepare() -> None:
    sys.path.append(os.environ["TREEFRONT_REFERENCE"])
    import dpdt  # noqa: F401


def fit(X: np.ndarray, y: np.ndarray, *, max_depth: int, cart_nodes_list: list[int]) -> Fit:
    from dpdt import DPDTreeClassifier

    nodes = tuple(cart_nodes_list)
    model = DPDTreeClassifier(max_depth=max_depth, cart_nodes_list=nodes, random_state=0)
    with Clock() as clock:
        model.fit(X, y)
    return Fit(clock, np.asarray(model.predict(X)))
