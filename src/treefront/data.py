"""The one door for data: everything is checked and cast here, once.

The core is handed finite float64 features, class codes and positive weights, and checks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    validate_data,
)

from treefront import labels

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrainingData:
    """Checked training rows: those with positive weight."""

    X: Floats  # (n, p), finite
    codes: NDArray[np.int32]  # (n,), in [0, n_classes)
    classes: labels.Labels  # (n_classes,), sorted
    sample_weight: Floats | None  # (n,), > 0; None where every row weighs 1

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of X."""
        return int(self.X.shape[1])

    @cached_property
    def total_weight(self) -> float:
        """W: the sum of the weights."""
        return float(self.n_rows if self.sample_weight is None else self.sample_weight.sum())


def check_training(
    estimator: Any, X: ArrayLike, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> TrainingData:
    """Check what `fit` was given; sets the estimator's ``n_features_in_`` and feature names.

    Parameters
    ----------
    estimator : object
        The estimator being fitted; named in messages.
    X : array-like of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
    sample_weight : array-like of shape (n_rows,) or number, optional
        Rows of weight 0 are dropped: weight 0 equals no row.

    Raises
    ------
    ValueError
        NaN or infinity (the message names column and row), text, labels that are missing or of
        several types, weights that are negative, missing or all 0, lengths that differ.
    """
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
    rows = _features(estimator, X, reset=True)
    target = labels.as_labels(y)
    check_consistent_length(rows, target)
    weight = check_weight(sample_weight, len(rows))
    if weight is not None:
        kept = weight > 0
        if not kept.all():
            rows, target, weight = rows[kept], target[kept], weight[kept]
        if (weight == 1).all():
            weight = None  # counts are integers: the core has faster arithmetic for them
    classes, codes = labels.encode(target)
    return TrainingData(rows, codes, classes, weight)


def check_rows(estimator: Any, X: ArrayLike) -> Floats:
    """Check what a fitted estimator is asked about.

    Raises
    ------
    ValueError
        As in `check_training`, or columns that are not those of `fit`.
    """
    return _features(estimator, X, reset=False)


def check_weight(sample_weight: ArrayLike | None, n_rows: int) -> Floats | None:
    """Weights as float64 of shape (n_rows,), or None.

    Raises
    ------
    ValueError
        Weights that are negative, NaN, infinite or all 0, or of another length.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, float(sample_weight))
    weight: Floats = check_array(
        sample_weight,
        ensure_2d=False,
        dtype=np.float64,
        ensure_all_finite=False,
        input_name="sample_weight",
    )
    if weight.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weight.shape}, expected ({n_rows},)")
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"sample_weight must be finite and not negative; row {row} has {float(weight[row])}"
        )
    if not weight.any():
        raise ValueError("sample_weight is zero for every row; there is nothing to learn from")
    return weight


def as_rows(X: ArrayLike, n_features: int, feature_names: tuple[str, ...] | None) -> Floats:
    """Check rows for a `Tree` or a `Front`, which are no estimators.

    Raises
    ------
    ValueError
        NaN, infinity or text, another number of columns, or named columns in another order.
    """
    names = _names(X)
    if names is not None and feature_names is not None and names != feature_names:
        raise ValueError(
            "the columns of X are not those the tree was fitted on: "
            f"expected {list(feature_names)}, got {list(names)}"
        )
    rows = _as_floats(lambda: check_array(X, dtype=np.float64, ensure_all_finite=False), X)
    if rows.shape[1] != n_features:
        raise ValueError(f"X has {rows.shape[1]} features, but the tree expects {n_features}")
    _refuse_missing(rows, feature_names, "a tree")
    return rows


def check_scored(y: ArrayLike, classes: labels.Labels, n_rows: int) -> NDArray[np.int64]:
    """Codes of the labels predictions are compared with; -1, always wrong, for one not in fit.

    Raises
    ------
    ValueError
        Labels that are missing or of another type than in fit, or another number of them.
    """
    codes = labels.codes_of(y, classes)
    if len(codes) != n_rows:
        raise ValueError(f"X has {n_rows} rows, y has {len(codes)}")
    return codes


def _features(estimator: Any, X: ArrayLike, *, reset: bool) -> Floats:
    def read() -> Floats:
        rows: Floats = validate_data(
            estimator, X, reset=reset, dtype=np.float64, ensure_all_finite=False
        )
        return rows

    rows = _as_floats(read, X)
    names = getattr(estimator, "feature_names_in_", None)
    _refuse_missing(rows, names, type(estimator).__name__)
    return rows


def _as_floats(read: Callable[[], Floats], X: ArrayLike) -> Floats:
    """What `read` returns; text in X is reported with its column and row."""
    try:
        return read()
    except ValueError as error:
        where = _first_text(X)
        if where is None:
            raise
        raise ValueError(f"{error}: {where}; text columns are not supported yet") from error


def _first_text(X: ArrayLike) -> str | None:
    cells = np.asarray(X)
    if cells.ndim != 2 or cells.dtype.kind not in "OUS":
        return None
    names = _names(X)
    for column in range(cells.shape[1]):
        for row, cell in enumerate(cells[:, column]):
            if isinstance(cell, (str, bytes)) and not _is_number(cell):
                text = str(cell) if isinstance(cell, str) else cell  # numpy's str has its own repr
                return f"{_column(column, names)}, row {row} (counted from 0) holds {text!r}"
    return None


def _refuse_missing(rows: Floats, names: Sequence[str] | None, owner: str) -> None:
    # One pass without a temporary array; a sum that overflows only costs the second look.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(rows.sum()):
            return
    bad = ~np.isfinite(rows)
    if not bad.any():
        return
    row, column = (int(index[0]) for index in np.nonzero(bad))
    what = "NaN" if np.isnan(rows[row, column]) else "infinity (inf)"
    raise ValueError(
        f"Input X contains {what}: {_column(column, names)}, row {row} (counted from 0). "
        f"{owner[0].upper()}{owner[1:]} needs a finite number in every cell: "
        "missing values are not supported yet."
    )


def _column(index: int, names: Sequence[str] | None) -> str:
    return f"column {index}" if names is None else f"column {str(names[index])!r}"


def _names(X: ArrayLike) -> tuple[str, ...] | None:
    """Column names of a data frame, if all are text as scikit-learn asks."""
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return tuple(columns)


def _is_number(cell: str | bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
