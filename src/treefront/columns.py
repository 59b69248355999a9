"""What the columns of X are, numbers or categories, and X as the matrix the core reads.

A category is coded by its place among the categories seen in fit, -1 where it was not seen there;
what is missing is NaN, in columns of either kind. Points in time are numbers (`treefront.times`);
durations are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from treefront import cells

Floats = NDArray[np.float64]
Categories = tuple["tuple[Any, ...] | None", ...]  # per column: sorted values; None: numbers
Times = tuple["str | None", ...]  # per column: "naive" or "UTC"; None: no points in time

T = TypeVar("T")

FROM_DTYPE = "from_dtype"


def numbers_only(n_features: int) -> Categories:
    """Categories of a matrix of numbers."""
    return (None,) * n_features


def no_times(n_features: int) -> Times:
    """Columns of which none holds points in time."""
    return (None,) * n_features


def of_training(X: ArrayLike, categorical_features: Any) -> Categories | None:
    """Categories of the columns that are to be read as such; None for a matrix of numbers.

    Parameters
    ----------
    X : array-like or data frame of shape (n_rows, n_features)
    categorical_features : "from_dtype", None, or array-like of bool, int or str
        ``"from_dtype"``: columns of a data frame that hold text, bools or categories.

    Raises
    ------
    ValueError
        A column that is not there; one that holds neither numbers nor categories.
    """
    frame = as_frame(X)
    if frame is None and _is_nothing(categorical_features):
        return None
    if frame is None:
        X = check_array(X, dtype=None, ensure_all_finite=False)
    names = list(frame.columns) if frame is not None else None
    n_features = len(names) if names is not None else np.asarray(X).shape[1]
    if isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        assert frame is not None  # else there is nothing to choose from
        chosen = {i for i in range(n_features) if cells.is_category(frame[:, i])}
    else:
        chosen = set(_chosen(categorical_features, n_features, names))
    return tuple(
        cells.categories(_column(X, frame, i), named(i, names)) if i in chosen else None
        for i in range(n_features)
    )


def times_of_training(X: ArrayLike, categories: Categories | None) -> Times | None:
    """Which columns hold points in time, of which kind; None for a matrix of numbers.

    Raises
    ------
    ValueError
        A column with and without time zones.
    """
    frame = as_frame(X)
    if frame is None:
        array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
        if array.ndim != 2 or array.dtype.kind not in "mMO":
            return None
        columns: list[Any] = list(array.T)
    else:
        columns = [frame[:, i] for i in range(frame.shape[1])]
    names = list(frame.columns) if frame is not None else None
    known = categories or (None,) * len(columns)
    times = tuple(
        cells.time_kind(column, named(i, names)) if known[i] is None else None
        for i, column in enumerate(columns)
    )
    # Durations have no times, but are no matrix of numbers either.
    return times if any(times) or (frame is None and array.dtype.kind == "m") else None


def is_plain(X: ArrayLike, categories: Categories | None, times: Times | None) -> bool:
    """Whether X is to be read as a matrix of numbers, all at once."""
    kind = getattr(getattr(X, "dtype", None), "kind", "")
    special = any(categories or ()) or any(times or ()) or kind in ("M", "m")
    return not special and as_frame(X) is None


def without_masks(X: Any) -> Any:
    """X with NaN where an array is masked, and for ``pd.NA``: numpy itself sees neither."""
    if isinstance(X, np.ma.MaskedArray):
        if X.dtype.kind in cells.NUMBERS:
            return np.ma.filled(X.astype(np.float64), np.nan)
        if X.dtype.kind in "mM":
            return np.ma.filled(
                X, np.datetime64("NaT") if X.dtype.kind == "M" else np.timedelta64("NaT")
            )
        return np.ma.filled(X.astype(object), cast("Any", None))
    if isinstance(X, np.ndarray) and X.dtype == object:
        missing = [cell is not None and cells.is_missing(cell) for cell in X.ravel()]
        if any(missing):
            X = X.copy()
            X[np.reshape(missing, X.shape)] = np.nan
    return X


def matrix(
    X: ArrayLike, categories: Categories, times: Times | None = None, *, in_fit: bool = False
) -> Floats:
    """X as float64: numbers, codes of categories, NaN for what is missing; one column per entry.

    Parameters
    ----------
    X : array-like or data frame of shape (n_rows, n_features)
    categories, times : tuple of length n_features
        What the columns were in fit.
    in_fit : bool
        Whether this is the data of fit itself; for messages.

    Raises
    ------
    ValueError
        Cells that are no numbers where numbers are expected; a column of another kind than in fit;
        another number of columns.
    """
    frame = as_frame(X)
    if is_plain(X, categories, times):
        rows: Floats = check_array(X, dtype=np.float64, ensure_all_finite=False)
        return rows
    names = list(frame.columns) if frame is not None else None
    if frame is None:
        X = check_array(X, dtype=None, ensure_all_finite=False)
    n_rows, n_features = frame.shape if frame is not None else np.shape(X)
    if n_features != len(categories):
        raise ValueError(f"X has {n_features} features, but the tree expects {len(categories)}")
    if n_rows == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    result = np.empty((n_rows, n_features), order="F")
    for i, known in enumerate(categories):
        column, name = _column(X, frame, i), named(i, names)
        if known is not None:
            result[:, i] = cells.codes(column, known, name)
        elif times is not None and times[i] is not None:
            result[:, i] = cells.times(column, times[i], name)
        else:
            result[:, i] = cells.numbers(column, name, in_fit=in_fit)
    return result


def seen(X: Floats, categories: Categories) -> tuple[Floats, Categories]:
    """A matrix of `matrix` with new codes, for those categories alone that occur in it.

    X belongs to the caller, who gives it up: it is written to.
    """
    occurring = list(categories)
    for i, known in enumerate(categories):
        if known is None:
            continue
        present = ~np.isnan(X[:, i])
        codes, places = np.unique(X[present, i].astype(np.int64), return_inverse=True)
        X[present, i] = places
        occurring[i] = tuple(known[code] for code in codes)
    return X, tuple(occurring)


def rows_of(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of an array, a list or a data frame, as the same."""
    frame = as_frame(X)
    if frame is not None:
        return frame[rows.tolist()].to_native()
    if isinstance(X, (list, tuple)):
        return [X[row] for row in rows]
    return np.asanyarray(X)[rows]  # any: masks stay


def as_frame(X: object) -> nw.DataFrame[Any] | None:
    """A data frame of any library narwhals knows; None for everything else."""
    try:
        frame = nw.from_native(cast("Any", X), pass_through=True)
        if isinstance(frame, nw.DataFrame):
            frame.columns  # noqa: B018 - some libraries look for names that repeat only here
    except nw.exceptions.DuplicateError as error:
        raise ValueError("the columns of X must have different names") from error
    if isinstance(frame, nw.LazyFrame):
        raise ValueError("X is a lazy frame, whose rows are not there yet: pass X.collect()")
    return frame if isinstance(frame, nw.DataFrame) else None


def _column(X: ArrayLike, frame: nw.DataFrame[Any] | None, index: int) -> cells.Column:
    return np.asarray(X)[:, index] if frame is None else frame[:, index]


def _is_nothing(categorical_features: Any) -> bool:
    return categorical_features is None or (
        isinstance(categorical_features, str) and categorical_features == FROM_DTYPE
    )


def _chosen(given: Any, n_features: int, names: list[str] | None) -> Iterable[int]:
    if given is None:
        return []
    if isinstance(given, str):
        raise ValueError(f"categorical_features must be 'from_dtype' or a list, got {given!r}")
    chosen = list(np.asarray(given, dtype=object).ravel())
    if chosen and all(isinstance(c, (bool, np.bool_)) for c in chosen):
        if len(chosen) != n_features:
            raise ValueError(
                f"categorical_features has {len(chosen)} flags, but X has {n_features} columns"
            )
        return [i for i, flag in enumerate(chosen) if flag]
    return [position(c, n_features, names, "categorical_features") for c in chosen]


def position(column: Any, n_features: int, names: Sequence[str] | None, what: str) -> int:
    """Place of a column given by name or number in the parameter `what`.

    Raises
    ------
    ValueError
        No such column.
    """
    if isinstance(column, str):
        if names is None or column not in list(names):
            raise ValueError(f"{what} names {column!r}, which is no column of X")
        return list(names).index(column)
    is_number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    if not is_number or not 0 <= column < n_features:
        raise ValueError(
            f"{what} holds {column!r}; it takes names or numbers of columns from 0 to "
            f"{n_features - 1}"
        )
    return int(column)


def by_column(
    given: Any,
    n_features: int,
    names: Sequence[str] | None,
    what: str,
    read: Callable[[Any, Any], T],
    default: T,
) -> list[T]:
    """One value per column, of an array or of a mapping from names or numbers of columns.

    Parameters
    ----------
    given : array-like of shape (n_features,), or mapping
        What a mapping leaves out is `default`.
    n_features : int
    names : sequence of str or None
        Names of the columns.
    what : str
        The parameter, for messages.
    read : callable
        ``(value, column)`` -> what the value means, or a ValueError.
    default : object

    Raises
    ------
    ValueError
        Another number of values, an unknown column, or what `read` raises.
    """
    if isinstance(given, Mapping):
        values = [default] * n_features
        for column, value in given.items():
            values[position(column, n_features, names, what)] = read(value, column)
        return values
    entries = np.asarray(given, dtype=object).ravel().tolist()
    if len(entries) != n_features:
        raise ValueError(f"{what} has {len(entries)} entries, but X has {n_features} features")
    return [read(value, column) for column, value in enumerate(entries)]


def named(index: int, names: Sequence[str] | None) -> str:
    """How messages call a column."""
    return f"column {index}" if names is None else f"column {str(names[index])!r}"
