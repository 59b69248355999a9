"""Fitted models of every kind, and rows they have not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.export.cases import STRANGE
from treefront import DPDTClassifier, DPDTClassifierCV, DPDTRegressor

N = 300


@dataclass(frozen=True)
class Fitted:
    """A model, the rows it was fitted on, and others."""

    model: Any
    X_train: Any
    y_train: Any
    X: Any
    y: Any


def _fitted(model: Any, X: Any, y: Any) -> Fitted:
    """Two thirds to fit; the model chooses its tree by the others."""
    n = 2 * len(X) // 3
    first, last = (X[:n], X[n:]) if isinstance(X, np.ndarray) else (X.iloc[:n], X.iloc[n:])
    model.fit(first, y[:n]).select(last, y[n:])
    return Fitted(model, first, y[:n], last, y[n:])


@cache
def binary() -> Fitted:
    random = np.random.default_rng(0)
    X = random.normal(size=(N, 4)).round(3)
    y = np.where((X[:, 0] > 0.2) ^ (X[:, 1] > 0.5) ^ (random.random(N) < 0.1), "yes", "no")
    return _fitted(DPDTClassifier(max_depth=3), X, y)


@cache
def many_classes() -> Fitted:
    random = np.random.default_rng(1)
    X = random.normal(size=(N, 3))
    y = (X @ [3.0, 2.0, 1.0]).round().astype(int) % 15
    return _fitted(DPDTClassifier(max_depth=5), X, y)


@cache
def missing() -> Fitted:
    random = np.random.default_rng(2)
    X = random.normal(size=(N, 3)).round(1)
    X[random.random(X.shape) < 0.25] = np.nan
    y = np.isnan(X[:, 0]) ^ (X[:, 1] > 0.3) ^ (np.isnan(X[:, 2]) | (X[:, 2] < -0.5))
    return _fitted(DPDTClassifier(max_depth=4), X, y)


@cache
def strange_names() -> Fitted:
    """Categories and missing values; every name of a column, class or category is a strange one."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            STRANGE[3]: random.normal(size=N).round(2),
            STRANGE[5]: random.choice(STRANGE, N),
            STRANGE[7]: random.choice([3.5, 4.0, -7.0, 12.0], N),
            STRANGE[9]: random.random(N) < 0.5,
            "@0": random.normal(size=N),
        },
        index=[f"</script>{i}" for i in range(N)],
    )
    X.loc[X.index[random.random(N) < 0.2], STRANGE[3]] = np.nan
    X.loc[X.index[random.random(N) < 0.2], STRANGE[5]] = None
    y = np.array(STRANGE)[
        2 * X[STRANGE[5]].isin(STRANGE[:6]).to_numpy()
        + 4 * X[STRANGE[7]].isin([3.5, 12.0]).to_numpy()
        + (X[STRANGE[9]].to_numpy() & (X["@0"] > 0).to_numpy())
    ]
    chosen = [STRANGE[5], STRANGE[7], STRANGE[9]]
    fitted = _fitted(DPDTClassifier(max_depth=5, categorical_features=chosen), X, y)
    X = fitted.X.copy()
    X.iloc[:20, 1] = "never seen"
    return Fitted(fitted.model, fitted.X_train, fitted.y_train, X, fitted.y)


@cache
def dates() -> Fitted:
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(4)
    day = pd.Timestamp("2021-03-04") + pd.to_timedelta(random.integers(0, 400, N), unit="D")
    moment = pd.Timestamp("2024-01-01", tz="UTC") + pd.to_timedelta(
        random.integers(0, 10**12, N), unit="us"
    )
    X = pd.DataFrame({"day": day, "moment": moment, "x": random.normal(size=N)})
    X.loc[random.random(N) < 0.1, "day"] = pd.NaT
    late = (moment > pd.Timestamp("2024-01-05 06:30", tz="UTC")) ^ (X["x"] > 0).to_numpy()
    y = np.where(late, "late", np.where(X["day"] > pd.Timestamp("2021-10-01"), "b", "a"))
    return _fitted(DPDTClassifier(max_depth=4), X, y)


@cache
def costs() -> Fitted:
    random = np.random.default_rng(5)
    X = random.normal(size=(N, 2))
    y = np.where(X.sum(axis=1) + random.normal(size=N) > 1, 2.0, np.where(X[:, 0] > 0, 0.0, -1.0))
    matrix = [[0, 1, 2], [3, 0, 1], [9, 4, 0]]
    return _fitted(DPDTClassifier(max_depth=3, cost_matrix=matrix), X, y)


@cache
def prices() -> Fitted:
    """Tests that cost, bought once and in groups."""
    random = np.random.default_rng(6)
    X = random.normal(size=(N, 4))
    y = (X[:, 0] + X[:, 1] > 0) ^ (X[:, 2] > 1)
    model = DPDTClassifier(
        max_depth=4,
        feature_costs=[5.0, 5.0, 1.0, 0.5],
        feature_costs_once=True,
        feature_groups=[[0, 1]],
    )
    return _fitted(model, X, y)


@cache
def sizes() -> Fitted:
    random = np.random.default_rng(7)
    X = random.normal(size=(N, 3))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > X[:, 2])
    return _fitted(DPDTClassifier(max_depth=3, complexity="splits", class_weight="balanced"), X, y)


@cache
def in_order() -> Fitted:
    """Shares of leaves are moved so that they rise."""
    random = np.random.default_rng(8)
    X = random.normal(size=(N, 2))
    y = X[:, 0] + random.normal(size=N) > 0
    return _fitted(DPDTClassifier(max_depth=3, monotonic_cst=[1, 0]), X, y)


@cache
def regression() -> Fitted:
    random = np.random.default_rng(9)
    X = random.normal(size=(N, 3))
    X[random.random(X.shape) < 0.1] = np.nan
    y = np.nan_to_num(X[:, 0]) ** 3 + random.normal(size=N)
    return _fitted(DPDTRegressor(max_depth=3), X, y)


@cache
def medians() -> Fitted:
    random = np.random.default_rng(10)
    X = random.normal(size=(N, 2))
    return _fitted(DPDTRegressor(max_depth=2, loss="absolute_error"), X, 1000 * np.exp(X[:, 0]))


@cache
def targets() -> Fitted:
    random = np.random.default_rng(11)
    X = random.normal(size=(N, 2))
    y = np.column_stack([X[:, 0] / 3, X[:, 1] ** 2])
    return _fitted(DPDTRegressor(max_depth=3), X, y)


@cache
def cross_validated() -> Fitted:
    random = np.random.default_rng(12)
    X = random.normal(size=(N, 3))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0.5) ^ (random.random(N) < 0.2)
    n = 2 * N // 3
    model = DPDTClassifierCV(max_depth=3, cv=4).fit(X[:n], y[:n])
    return Fitted(model, X[:n], y[:n], X[n:], y[n:])


@cache
def leaf() -> Fitted:
    X = np.zeros((9, 1))
    return _fitted(DPDTClassifier(max_depth=1), X, np.array(["<only>"] * 9))


CLASSIFIERS: dict[str, Callable[[], Fitted]] = {
    maker.__name__: maker
    for maker in (
        *(binary, many_classes, missing, strange_names, dates, costs, prices, sizes, in_order),
        *(cross_validated, leaf),
    )
}
REGRESSORS = {maker.__name__: maker for maker in (regression, medians, targets)}
ALL = CLASSIFIERS | REGRESSORS
