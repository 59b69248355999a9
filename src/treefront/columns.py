"""What the columns of X are, numbers or categories, and X as the matrix the core reads.

A category is coded by its place among the categories seen in fit, -1 where it was not seen there;
what is missing (NaN, None, NaT, ``pd.NA``) is NaN, in columns of either kind. Points in time are
numbers (`treefront.times`); durations are refused. A column keeps the kind it had in fit: none of
whose cells are of that kind is refused, not read as categories that were not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from treefront import times as points_in_time

Floats = NDArray[np.float64]
Categories = tuple["tuple[Any, ...] | None", ...]  # per column: sorted values; None: numbers
Times = tuple["str | None", ...]  # per column: "naive" or "UTC"; None: no points in time

T = TypeVar("T")

FROM_DTYPE = "from_dtype"
UNSEEN = -1.0
NUMBERS = "biuf"  # kinds of arrays


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
        chosen = {i for i in range(n_features) if _is_category(frame[:, i])}
    else:
        chosen = set(_chosen(categorical_features, n_features, names))
    return tuple(
        _categories(_cells(X, frame, i), named(i, names)) if i in chosen else None
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
        cells = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
        if cells.ndim != 2 or cells.dtype.kind not in "mMO":
            return None
        columns: list[Any] = list(cells.T)
    else:
        columns = [frame[:, i] for i in range(frame.shape[1])]
    names = list(frame.columns) if frame is not None else None
    known = categories or (None,) * len(columns)
    times = tuple(
        _time_kind(column, named(i, names)) if known[i] is None else None
        for i, column in enumerate(columns)
    )
    # Durations have no times, but are no matrix of numbers either.
    return times if any(times) or (frame is None and cells.dtype.kind == "m") else None


def is_plain(X: ArrayLike, categories: Categories | None, times: Times | None) -> bool:
    """Whether X is to be read as a matrix of numbers, all at once."""
    kind = getattr(getattr(X, "dtype", None), "kind", "")
    special = any(categories or ()) or any(times or ()) or kind in ("M", "m")
    return not special and as_frame(X) is None


def without_masks(X: Any) -> Any:
    """X with NaN where an array is masked, and for ``pd.NA``: numpy itself sees neither."""
    if isinstance(X, np.ma.MaskedArray):
        if X.dtype.kind in NUMBERS:
            return np.ma.filled(X.astype(np.float64), np.nan)
        if X.dtype.kind in "mM":
            return np.ma.filled(
                X, np.datetime64("NaT") if X.dtype.kind == "M" else np.timedelta64("NaT")
            )
        return np.ma.filled(X.astype(object), cast("Any", None))
    if isinstance(X, np.ndarray) and X.dtype == object:
        missing = [cell is not None and _is_missing(cell) for cell in X.ravel()]
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
        name = named(i, names)
        if known is not None:
            result[:, i] = _codes(_cells(X, frame, i), known, name)
        elif times is not None and times[i] is not None:
            column = frame[:, i] if frame is not None else np.asarray(X)[:, i]
            result[:, i] = _times(column, times[i], name)
        elif frame is not None:
            result[:, i] = _series_numbers(frame[:, i], name, in_fit=in_fit)
        else:
            result[:, i] = _numbers(np.asarray(X)[:, i], name, in_fit=in_fit)
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
    cells = np.asarray(given, dtype=object).ravel().tolist()
    if len(cells) != n_features:
        raise ValueError(f"{what} has {len(cells)} entries, but X has {n_features} features")
    return [read(value, column) for column, value in enumerate(cells)]


def advice(in_fit: bool) -> str:
    """What to do about text among numbers, for the end of a message."""
    if in_fit:
        return "; name the column in categorical_features if it holds categories"
    return ", but the column held numbers in fit; give it the type it had in fit"


def named(index: int, names: Sequence[str] | None) -> str:
    """How messages call a column."""
    return f"column {index}" if names is None else f"column {str(names[index])!r}"


def _is_category(series: nw.Series[Any]) -> bool:
    kind = series.dtype
    if kind in (nw.String, nw.Boolean) or isinstance(kind, (nw.Categorical, nw.Enum)):
        return True
    if kind != nw.Object:
        return False
    cells = series.to_numpy()
    present = [cell for cell in cells if not _is_missing(cell)]
    return bool(present) and all(isinstance(cell, (str, bool, np.bool_)) for cell in present)


def _cells(X: ArrayLike, frame: nw.DataFrame[Any] | None, column: int) -> NDArray[Any]:
    if frame is None:
        cells = np.asarray(X)[:, column]
    else:
        series = frame[:, column]
        if isinstance(series.dtype, (nw.Categorical, nw.Enum)) or series.null_count() > 0:
            return _objects(series.to_list())  # an array of floats would round integers
        cells = series.to_numpy()
    if cells.dtype.kind in "mM":
        # Nanoseconds would become plain integers.
        return cells.astype(f"{cells.dtype.kind}8[us]").astype(object)
    return cells


def _categories(cells: NDArray[Any], name: str) -> tuple[Any, ...]:
    if cells.dtype.kind in NUMBERS and np.isfinite(cells[cells == cells]).all():
        return tuple(np.unique(cells[cells == cells]).tolist())  # NaN differs from itself
    values = {_plain(cell) for cell in cells.tolist() if not _is_missing(cell)}
    if not values:
        return ()
    kinds = {_kind(value) for value in values}
    if any(isinstance(value, float) and not np.isfinite(value) for value in values):
        raise ValueError(f"{name} is to be categories, but one is infinite")
    if len(kinds) > 1 or kinds == {None}:
        example = next(iter(values))
        raise ValueError(
            f"{name} is to be categories, but its cells are neither all text nor all numbers "
            f"(one is {example!r})"
        )
    return tuple(sorted(values))


def _codes(cells: NDArray[Any], known: tuple[Any, ...], name: str) -> Floats:
    """Places in `known`, which is sorted.

    A category not seen in fit is legal; a column of which no cell could have been one is not.
    """
    codes = _places(cells, known, name)
    if known and not (codes >= 0).any():
        present = [_plain(cell) for cell in cells.tolist() if not _is_missing(cell)]
        kind = _kind(known[0])
        if present and all(_kind(value) != kind for value in present):
            here = {"text": "text", "number": "numbers"}.get(
                _kind(present[0]) or "", f"values of type {type(present[0]).__name__}"
            )
            raise ValueError(
                f"{name} holds {here} (one is {present[0]!r}), but held "
                f"{'text' if kind == 'text' else 'numbers or bools'} in fit (one was "
                f"{known[0]!r}); give it the type it had in fit"
            )
    return codes


def _places(cells: NDArray[Any], known: tuple[Any, ...], name: str) -> Floats:
    values = np.array(known)
    if cells.dtype.kind in NUMBERS and known and cells.dtype.kind == values.dtype.kind:
        place_of = np.minimum(np.searchsorted(values, cells), len(values) - 1)
        codes = np.where(values[place_of] == cells, place_of.astype(np.float64), UNSEEN)
        return np.where(cells == cells, codes, np.nan)
    place = {value: float(code) for code, value in enumerate(known)}
    try:
        return np.array(
            [
                np.nan if _is_missing(cell) else place.get(_plain(cell), UNSEEN)
                for cell in cells.tolist()
            ]
        )
    except TypeError as error:
        raise ValueError(f"{name}: a cell that is no category: {error}") from error


def _series_numbers(series: nw.Series[Any], name: str, *, in_fit: bool) -> Floats:
    kind = series.dtype
    if series.null_count() == len(series):  # also columns without any type
        return np.full(len(series), np.nan)
    if kind.is_numeric() or kind == nw.Boolean:
        cells = series.cast(nw.Float64).to_numpy()
        if cells.dtype == object:  # pandas 2.0, of Arrow's types with missing values
            return _numbers(cells, name, in_fit=in_fit)
        return cells.astype(np.float64)
    if kind == nw.Object or kind == nw.String or isinstance(kind, (nw.Categorical, nw.Enum)):
        return _numbers(_objects(series.to_list()), name, in_fit=in_fit)
    own = getattr(series.to_native(), "dtype", kind) if kind == nw.Unknown else kind
    raise ValueError(_refusal(name, own, isinstance(kind, nw.Datetime) or kind == nw.Date))


def _refusal(name: str, kind: object, is_time: bool) -> str:
    if is_time:
        return f"{name} holds points in time ({kind}), but held numbers in fit"
    return (
        f"{name} holds values of type {kind}; numbers, categories and points in time are "
        "supported. Turn it into numbers first (a duration into seconds, say)"
    )


def _time_kind(column: nw.Series[Any] | NDArray[Any], name: str) -> str | None:
    if isinstance(column, nw.Series):
        kind = column.dtype
        if isinstance(kind, nw.Datetime):
            return points_in_time.NAIVE if kind.time_zone is None else points_in_time.UTC
        if kind != nw.Object:
            return points_in_time.NAIVE if kind == nw.Date else None
        column = _objects(column.to_list())
    if column.dtype.kind == "M":
        return points_in_time.NAIVE
    present = (cell for cell in column if not _is_missing(cell))
    first = points_in_time.kind_of_cell(next(present, None))
    if first is None:
        return None
    kinds = {first, *(points_in_time.kind_of_cell(cell) for cell in present)}
    if len(kinds - {None}) == 2:
        raise ValueError(f"{name} holds times with and without a time zone; give all of them one")
    return kinds.pop() if len(kinds) == 1 else None


def _times(column: nw.Series[Any] | NDArray[Any], kind: str | None, name: str) -> Floats:
    """Points in time as numbers; `kind` is that of fit."""
    if _nothing_in(column):
        return np.full(len(column), np.nan)
    here = _time_kind(column, name)
    if here != kind:
        words = {
            None: "no points in time",
            points_in_time.NAIVE: "times without a zone",
            points_in_time.UTC: "times with a zone",
        }
        raise ValueError(
            f"{name} holds {words[here]}, but held {words[kind]} in fit; give it the type it had"
        )
    if isinstance(column, nw.Series):
        if isinstance(column.dtype, nw.Datetime) and column.dtype.time_zone is not None:
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        if isinstance(column.dtype, nw.Datetime):
            column = column.to_numpy()
        else:
            column = _objects(column.to_list())
    if column.dtype.kind == "M":
        return points_in_time.numbers(column)
    cells = [None if _is_missing(cell) else points_in_time.naive(cell) for cell in column]
    return points_in_time.numbers(np.array(cells, dtype="datetime64[us]"))


def _nothing_in(column: nw.Series[Any] | NDArray[Any]) -> bool:
    if isinstance(column, nw.Series):
        if column.null_count() == len(column):
            return True
        return column.dtype.is_float() and bool(column.is_nan().all())
    return all(_is_missing(cell) for cell in column.ravel()[:1]) and all(
        _is_missing(cell) for cell in column.tolist()
    )


def _numbers(cells: NDArray[Any], name: str, *, in_fit: bool) -> Floats:
    if cells.dtype.kind in NUMBERS:
        return cells.astype(np.float64)
    if cells.dtype.kind in "mM":
        raise ValueError(_refusal(name, cells.dtype, cells.dtype.kind == "M"))
    return np.array([_number(cell, name, row, in_fit) for row, cell in enumerate(cells)])


def _number(cell: Any, name: str, row: int, in_fit: bool) -> float:
    try:
        return np.nan if _is_missing(cell) else float(cell)
    except (TypeError, ValueError):
        raise ValueError(
            f"could not convert {cell!r} to float: {name}, row {row} (counted from 0) is "
            f"no number{advice(in_fit)}"
        ) from None


def _objects(cells: list[Any]) -> NDArray[Any]:
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _kind(value: object) -> str | None:
    if isinstance(value, str):
        return "text"
    return "number" if isinstance(value, (bool, int, float)) else None


def _is_missing(cell: Any) -> bool:
    if cell is None:
        return True
    if isinstance(cell, (str, bool, int)):
        return False
    try:
        return bool(cell != cell)
    except (TypeError, ValueError):  # pd.NA cannot say whether it equals itself
        return True
