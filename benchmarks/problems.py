"""The data of the benchmarks: real data sets by name, and synthetic tables of any size.

A problem is plain data, so that it can be named to another process:
``{"name": "bank"}`` or ``{"rows": 1000, "columns": 10}``. Targets that are floats are numbers to
predict, others are labels.
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

# With numbers to predict; carbon has three.
REGRESSION = ("concrete", "fish", "qsar", "query1", "grid", "carbon")
DIABETES = "diabetes"  # comes with scikit-learn


def folder() -> Path:
    """Where ``quantbnb/NAME.npz`` and ``regression/NAME.npz`` are: TREEFRONT_DATA, or beside us."""
    here = Path(os.environ.get("TREEFRONT_DATA", DEFAULT))
    if not (here / "quantbnb").is_dir():
        raise SystemExit("benchmarks: no data; set TREEFRONT_DATA to the folder with quantbnb/")
    return here


def load(problem: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Training rows, and labels 0..K-1 or numbers."""
    if "name" not in problem:
        return synthetic(**problem)
    name = problem["name"]
    if name == DIABETES:
        from sklearn.datasets import load_diabetes

        return load_diabetes(return_X_y=True)
    with np.load(folder() / group(name) / f"{name}.npz") as data:
        return data["X_train"], data["y_train"]


def test_part(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Test rows of a data set by name, and their labels or numbers."""
    with np.load(folder() / group(name) / f"{name}.npz") as data:
        return data["X_test"], data["y_test"]


def group(name: str) -> str:
    """The folder of a data set."""
    return "regression" if name in REGRESSION else "quantbnb"


def synthetic(
    rows: int, columns: int, seed: int = 0, classes: int = 2
) -> tuple[np.ndarray, np.ndarray]:
    """Features without ties, of which five matter together; one label in ten is noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    first = [X[:, j % columns] for j in range(5)]
    signal = first[0] * first[1] + np.sin(2 * first[2]) + np.where(first[3] > 0.5, first[4], -0.3)
    noisy = rng.random(rows) < 0.1
    if classes == 2:
        return X, (signal > 0) ^ noisy
    label = np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes))
    return X, (label + noisy * rng.integers(1, classes, rows)) % classes


def with_missing(X: np.ndarray, share: float = 0.2) -> np.ndarray:
    """X with that share of its cells missing at random."""
    return np.where(np.random.default_rng(0).random(X.shape) < share, np.nan, X)


def with_categories(X: np.ndarray, levels: int = 10) -> tuple[np.ndarray, list[int]]:
    """X with every other column cut at its quantiles into categories, and which they are."""
    X, chosen = X.copy(), list(range(0, X.shape[1], 2))
    inner = np.arange(1, levels) / levels
    for column in chosen:
        X[:, column] = np.digitize(X[:, column], np.quantile(X[:, column], inner))
    return X, chosen


@cache
def shape(name: str) -> tuple[int, int, int]:
    """Rows, columns and classes of a data set."""
    X, y = load({"name": name})
    return *X.shape, len(np.unique(y))
