"""The data of the benchmarks: the paper's data sets, and synthetic tables of any size.

A problem is plain data, so that it can be named to another process:
``{"name": "bank"}`` or ``{"rows": 1000, "columns": 10}``.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

DEFAULT = Path(__file__).resolve().parents[1].parent / "shared" / "data"

# In the order of the paper's Table 1.
NAMES = (
    *("avila", "bank", "bean", "bidding", "eeg", "fault", "htru", "magic"),
    *("occupancy", "page", "raisin", "rice", "room", "segment", "skin", "wilt"),
)


def folder() -> Path:
    """Where ``quantbnb/NAME.npz`` are: TREEFRONT_DATA, or a folder beside the repository."""
    here = Path(os.environ.get("TREEFRONT_DATA", DEFAULT))
    if not (here / "quantbnb").is_dir():
        raise SystemExit("benchmarks: no data; set TREEFRONT_DATA to the folder with quantbnb/")
    return here


def load(problem: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Training rows and labels 0..K-1."""
    if "name" in problem:
        with np.load(folder() / "quantbnb" / f"{problem['name']}.npz") as data:
            return data["X_train"], data["y_train"]
    return synthetic(**problem)


def synthetic(rows: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Features without ties, of which five matter together; one label in ten is noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    first = [X[:, j % columns] for j in range(5)]
    signal = first[0] * first[1] + np.sin(2 * first[2]) + np.where(first[3] > 0.5, first[4], -0.3)
    return X, (signal > 0) ^ (rng.random(rows) < 0.1)


@cache
def shape(name: str) -> tuple[int, int, int]:
    """Rows, columns and classes of a data set."""
    X, y = load({"name": name})
    return *X.shape, len(np.unique(y))
