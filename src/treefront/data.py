"""The one door for data: rows and weights are checked and cast here, once; targets in `targets`.

The core is handed float64 features without infinities, class codes and positive weights, and
checks nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
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

from treefront import cells, columns
from treefront.columns import Categories, Times
from treefront.targets import Classes, Numbers

Floats = NDArray[np.float64]

LEAST_WEIGHT = 1e-60  # beyond, products of weights could leave the range of float64
EXACT = 2**53
MOST_COUNTED = 1e6  # multiples of the least weight
SAME = 4e-16  # relative distance from a multiple that rounding may have made


@dataclass(frozen=True)
class TrainingData:
    """Checked training rows: those with positive weight."""

    X: Floats  # (n, p): numbers, codes of categories, NaN for what is missing
    categories: Categories  # (p,)
    sample_weight: Floats | None  # (n,), > 0; None where every row weighs 1
    target: Classes | Numbers
    times: Times  # (p,): which columns hold points in time
    weight_unit: float = 1.0  # what sample_weight is to be multiplied with

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of X."""
        return int(self.X.shape[1])

    @property
    def n_levels(self) -> list[int]:
        """Number of categories of every column; 0 for numbers."""
        return [0 if known is None else max(len(known), 1) for known in self.categories]

    @cached_property
    def with_missing(self) -> NDArray[np.bool_]:
        """Columns that have missing values: (p,)."""
        with np.errstate(over="ignore", invalid="ignore"):
            surely_none = not np.isnan(self.X.sum())
        if surely_none:
            return np.zeros(self.n_features, dtype=bool)
        return np.array([np.isnan(column).any() for column in self.X.T], dtype=bool)

    @property
    def row_weight(self) -> Floats | None:
        """Weights as `fit` was given them, for those rows; None where every row weighs 1."""
        if self.sample_weight is None:
            return None if self.weight_unit == 1 else np.full(self.n_rows, self.weight_unit)
        return self.sample_weight * self.weight_unit

    @cached_property
    def total_weight(self) -> float:
        """W: the sum of the weights, in weight units."""
        return float(self.n_rows if self.sample_weight is None else self.sample_weight.sum())

    def of_rows(self, rows: NDArray[np.intp]) -> TrainingData:
        """Some rows as training data: what `fit` would make of them, but with all classes.

        Parameters
        ----------
        rows : ndarray of int
            Their numbers; none is checked again.
        """
        X, categories = columns.seen(self.X[rows], self.categories)
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        target = self.target.of_rows(rows, weight)
        return _weighted(
            replace(self, X=X, categories=categories, sample_weight=weight, target=target)
        )


def check_training(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike | None,
    sample_weight: ArrayLike | None,
    as_target: Callable[[ArrayLike], NDArray[Any]],
    encode: Callable[[NDArray[Any], Floats | None], tuple[Classes | Numbers, Floats | None]],
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
    as_target : callable
        Makes y an array with one entry per row, or says why it cannot.
    encode : callable
        Makes the targets and weights of the rows that are kept what the core reads.

    Raises
    ------
    ValueError
        Infinity (the message names column and row), text among numbers, labels that are missing
        or of several types, weights that are negative, missing or all 0, lengths that differ.
    """
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
    X = columns.without_masks(X)
    known = columns.of_training(X, estimator.categorical_features)
    times = columns.times_of_training(X, known)
    if times is not None and known is None:
        known = columns.numbers_only(len(times))
    rows = _features(estimator, X, known, times, reset=True)
    if rows.shape[1] == 0:
        raise ValueError(
            f"0 feature(s) (shape={rows.shape}) while a minimum of 1 is required: X has no column"
        )
    known = known or columns.numbers_only(rows.shape[1])
    times = times or columns.no_times(rows.shape[1])
    target = as_target(y)
    check_consistent_length(rows, target)
    weight = check_weight(sample_weight, len(rows))
    if weight is not None:
        kept = weight > 0
        if not kept.all():
            rows, target, weight = rows[kept], target[kept], weight[kept]
    _warn_of_inexact_integers(X, known)
    encoded, weight = encode(target, weight)
    return _weighted(TrainingData(rows, known, weight, encoded, times))


def _weighted(data: TrainingData) -> TrainingData:
    """The same with weights in units that the core adds fast and can multiply."""
    if data.sample_weight is None:
        return data
    weight, unit = _in_units(data.sample_weight)
    return replace(
        data,
        # Counts of 1 are no weights: the core has faster arithmetic for them.
        sample_weight=None if (weight == 1).all() else weight,
        target=data.target if unit == 1.0 else data.target.per_unit(unit),
        weight_unit=data.weight_unit * unit,
    )


def _in_units(weight: Floats) -> tuple[Floats, float]:
    """Weights as multiples of a unit: counts, which the core adds fastest, where they are any."""
    if (weight == np.floor(weight)).all() and weight.max() < EXACT:
        return weight, 1.0
    least = float(weight.min())
    counts = np.round(weight / least)
    if counts.max() < MOST_COUNTED and (np.abs(weight - counts * least) <= SAME * weight).all():
        return counts, least
    if LEAST_WEIGHT < weight.max() < 1 / LEAST_WEIGHT:
        return weight, 1.0
    # A power of two changes no digit.
    unit = float(2.0 ** np.floor(np.log2(weight.max())))
    return weight / unit, unit


def _warn_of_inexact_integers(X: Any, known: Categories) -> None:
    """Float64, in which numbers are compared, holds every integer up to 2**53 only."""
    frame = columns.as_frame(X)
    if frame is None and not (isinstance(X, np.ndarray) and X.dtype.kind in "iu"):
        return
    for index, categories in enumerate(known):
        if frame is None:
            low, high = X[:, index].min(), X[:, index].max()
        elif frame[:, index].dtype.is_integer():
            low, high = frame[:, index].min() or 0, frame[:, index].max() or 0
        else:
            continue
        if categories is None and (high > EXACT or low < -EXACT):
            name = index if frame is None else repr(frame.columns[index])
            warnings.warn(
                f"column {name} holds integers beyond 2**53, which float64 does not tell apart; "
                "pass them as categories if they are ids",
                UserWarning,
                stacklevel=4,
            )


def check_rows(estimator: Any, X: ArrayLike) -> Floats:
    """Check what a fitted estimator is asked about.

    Raises
    ------
    ValueError
        As in `check_training`, or columns that are not those of `fit`.
    """
    X = columns.without_masks(X)
    return _features(estimator, X, estimator.categories_, estimator.times_, reset=False)


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


def as_rows(
    X: ArrayLike, feature_names: tuple[str, ...] | None, categories: Categories, times: Times
) -> Floats:
    """Check rows for a `Tree` or a `Front`, which are no estimators.

    Raises
    ------
    ValueError
        Infinity, or text among numbers, another number of columns, or named columns in another
        order.
    """
    X = columns.without_masks(X)
    names = _names(X)
    if names is not None and feature_names is not None and names != feature_names:
        raise ValueError(
            "the columns of X are not those the tree was fitted on: "
            f"expected {list(feature_names)}, got {list(names)}"
        )
    rows = _read(X, categories, times, in_fit=False)
    if rows.shape[1] != len(categories):
        raise ValueError(f"X has {rows.shape[1]} features, but the tree expects {len(categories)}")
    _refuse_infinity(rows, feature_names)
    return rows


def _features(
    estimator: Any, X: ArrayLike, known: Categories | None, times: Times | None, *, reset: bool
) -> Floats:
    if columns.is_plain(X, known, times):
        rows = _with_place_of_text(
            X,
            lambda: validate_data(
                estimator, X, reset=reset, dtype=np.float64, ensure_all_finite=False
            ),
            in_fit=reset,
        )
    else:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        rows = _read(X, known or (), times, in_fit=reset)
    _refuse_infinity(rows, getattr(estimator, "feature_names_in_", None))
    return rows


def _read(X: ArrayLike, known: Categories, times: Times | None, *, in_fit: bool) -> Floats:
    return _with_place_of_text(
        X, lambda: columns.matrix(X, known, times, in_fit=in_fit), in_fit=in_fit
    )


def _with_place_of_text(X: ArrayLike, read: Callable[[], Floats], *, in_fit: bool) -> Floats:
    """What `read` returns; text or times among numbers are reported with their column and row."""
    try:
        return read()
    except (ValueError, TypeError) as error:
        where = _first_that_is_no_number(X) if columns.as_frame(X) is None else None
        if where is None or "counted from 0" in str(error) or "in fit" in str(error):
            raise
        raise ValueError(f"{error}: {where}{cells.advice(in_fit)}") from error


def _first_that_is_no_number(X: ArrayLike) -> str | None:
    array = np.asarray(X)
    if array.ndim != 2 or array.dtype.kind not in "OUS":
        return None
    names = _names(X)
    for column in range(array.shape[1]):
        for row, cell in enumerate(array[:, column]):
            if isinstance(cell, (date, timedelta, str, bytes)) and not _is_number(cell):
                # numpy's str has a repr of its own, and dates are clearer without theirs.
                text = cell if isinstance(cell, bytes) else str(cell)
                return f"{columns.named(column, names)}, row {row} (counted from 0) holds {text!r}"
    return None


def _refuse_infinity(rows: Floats, names: Sequence[str] | None) -> None:
    # One pass without a temporary array; a sum that overflows only costs the second look.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(rows.sum()):
            return
    bad = np.isinf(rows)
    if not bad.any():
        return
    row, column = (int(index[0]) for index in np.nonzero(bad))
    raise ValueError(
        f"Input X contains infinity (inf): {columns.named(column, names)}, row {row} "
        "(counted from 0). Write NaN for a value that is missing, or a number larger than all "
        "others."
    )


def _names(X: ArrayLike) -> tuple[str, ...] | None:
    """Column names of a data frame, if all are text as scikit-learn asks."""
    frame = columns.as_frame(X)
    if frame is None or not all(isinstance(name, str) for name in frame.columns):
        return None
    return tuple(frame.columns)


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (ValueError, TypeError):
        return False
    return True
