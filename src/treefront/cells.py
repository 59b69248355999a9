"""The cells of one column as float64: numbers, points in time, places of categories.

What is missing (NaN, None, NaT, ``pd.NA``) is NaN. A column keeps the kind it had in fit: none of
whose cells are of that kind is refused, not read as categories that were not seen.
"""

from __future__ import annotations

from typing import Any, Union

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from treefront import times as points_in_time

Floats = NDArray[np.float64]
Column = Union["nw.Series[Any]", NDArray[Any]]

UNSEEN = -1.0
NUMBERS = "biuf"  # kinds of arrays


def advice(in_fit: bool) -> str:
    """What to do about text among numbers, for the end of a message."""
    if in_fit:
        return "; name the column in categorical_features if it holds categories"
    return ", but the column held numbers in fit; give it the type it had in fit"


def is_category(series: nw.Series[Any]) -> bool:
    """Whether a column of a data frame holds text, bools or categories."""
    kind = series.dtype
    if kind in (nw.String, nw.Boolean) or isinstance(kind, (nw.Categorical, nw.Enum)):
        return True
    if kind != nw.Object:
        return False
    present = [cell for cell in series.to_numpy() if not is_missing(cell)]
    return bool(present) and all(isinstance(cell, (str, bool, np.bool_)) for cell in present)


def array(column: Column) -> NDArray[Any]:
    """Cells as an array: of numbers as they are, of objects where some are missing."""
    if isinstance(column, nw.Series):
        if isinstance(column.dtype, (nw.Categorical, nw.Enum)) or column.null_count() > 0:
            return _objects(column.to_list())  # an array of floats would round integers
        column = column.to_numpy()
    if column.dtype.kind in "mM":
        # Nanoseconds would become plain integers.
        return column.astype(f"{column.dtype.kind}8[us]").astype(object)
    return column


def categories(column: Column, name: str) -> tuple[Any, ...]:
    """Values that occur, sorted.

    Raises
    ------
    ValueError
        Infinity, or cells that are neither all text nor all numbers.
    """
    cells = array(column)
    if cells.dtype.kind in NUMBERS and np.isfinite(cells[cells == cells]).all():
        return tuple(np.unique(cells[cells == cells]).tolist())  # NaN differs from itself
    values = {_plain(cell) for cell in cells.tolist() if not is_missing(cell)}
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


def codes(column: Column, known: tuple[Any, ...], name: str) -> Floats:
    """Places in `known`, which is sorted; `UNSEEN` for a category that was not seen in fit.

    Raises
    ------
    ValueError
        No cell could be one of them.
    """
    cells = array(column)
    places = _places(cells, known, name)
    if known and not (places >= 0).any():
        present = [_plain(cell) for cell in cells.tolist() if not is_missing(cell)]
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
    return places


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
                np.nan if is_missing(cell) else place.get(_plain(cell), UNSEEN)
                for cell in cells.tolist()
            ]
        )
    except TypeError as error:
        raise ValueError(f"{name}: a cell that is no category: {error}") from error


def numbers(column: Column, name: str, *, in_fit: bool) -> Floats:
    """Numbers, NaN for what is missing.

    Raises
    ------
    ValueError
        A cell that is no number.
    """
    if isinstance(column, nw.Series):
        return _series_numbers(column, name, in_fit=in_fit)
    if column.dtype.kind in NUMBERS:
        return column.astype(np.float64)
    if column.dtype.kind in "mM":
        raise ValueError(_refusal(name, column.dtype, column.dtype.kind == "M"))
    return np.array([_number(cell, name, row, in_fit) for row, cell in enumerate(column)])


def _series_numbers(series: nw.Series[Any], name: str, *, in_fit: bool) -> Floats:
    kind = series.dtype
    if series.null_count() == len(series):  # also columns without any type
        return np.full(len(series), np.nan)
    if kind.is_numeric() or kind == nw.Boolean:
        cells = series.cast(nw.Float64).to_numpy()
        if cells.dtype == object:  # pandas 2.0, of Arrow's types with missing values
            return numbers(cells, name, in_fit=in_fit)
        return cells.astype(np.float64)
    if kind == nw.Object or kind == nw.String or isinstance(kind, (nw.Categorical, nw.Enum)):
        return numbers(_objects(series.to_list()), name, in_fit=in_fit)
    own = getattr(series.to_native(), "dtype", kind) if kind == nw.Unknown else kind
    raise ValueError(_refusal(name, own, isinstance(kind, nw.Datetime) or kind == nw.Date))


def _refusal(name: str, kind: object, is_time: bool) -> str:
    if is_time:
        return f"{name} holds points in time ({kind}), but held numbers in fit"
    return (
        f"{name} holds values of type {kind}; numbers, categories and points in time are "
        "supported. Turn it into numbers first (a duration into seconds, say)"
    )


def time_kind(column: Column, name: str) -> str | None:
    """Of points in time whether they have a zone; None for everything else.

    Raises
    ------
    ValueError
        Some have a zone, some not.
    """
    if isinstance(column, nw.Series):
        kind = column.dtype
        if isinstance(kind, nw.Datetime):
            return points_in_time.NAIVE if kind.time_zone is None else points_in_time.UTC
        if kind != nw.Object:
            return points_in_time.NAIVE if kind == nw.Date else None
        column = _objects(column.to_list())
    if column.dtype.kind == "M":
        return points_in_time.NAIVE
    present = (cell for cell in column if not is_missing(cell))
    first = points_in_time.kind_of_cell(next(present, None))
    if first is None:
        return None
    kinds = {first, *(points_in_time.kind_of_cell(cell) for cell in present)}
    if len(kinds - {None}) == 2:
        raise ValueError(f"{name} holds times with and without a time zone; give all of them one")
    return kinds.pop() if len(kinds) == 1 else None


def times(column: Column, kind: str | None, name: str) -> Floats:
    """Points in time as numbers; `kind` is that of fit.

    Raises
    ------
    ValueError
        Cells of another kind.
    """
    if _nothing_in(column):
        return np.full(len(column), np.nan)
    here = time_kind(column, name)
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
    cells = [None if is_missing(cell) else points_in_time.naive(cell) for cell in column]
    return points_in_time.numbers(np.array(cells, dtype="datetime64[us]"))


def _nothing_in(column: Column) -> bool:
    if isinstance(column, nw.Series):
        if column.null_count() == len(column):
            return True
        return column.dtype.is_float() and bool(column.is_nan().all())
    return all(is_missing(cell) for cell in column.ravel()[:1]) and all(
        is_missing(cell) for cell in column.tolist()
    )


def _number(cell: Any, name: str, row: int, in_fit: bool) -> float:
    try:
        return np.nan if is_missing(cell) else float(cell)
    except (TypeError, ValueError):
        raise ValueError(
            f"could not convert {cell!r} to float: {name}, row {row} (counted from 0) is "
            f"no number{advice(in_fit)}"
        ) from None


def _objects(cells: list[Any]) -> NDArray[Any]:
    objects = np.empty(len(cells), dtype=object)
    objects[:] = cells
    return objects


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _kind(value: object) -> str | None:
    if isinstance(value, str):
        return "text"
    return "number" if isinstance(value, (bool, int, float)) else None


def is_missing(cell: Any) -> bool:
    """NaN, None, NaT or ``pd.NA``."""
    if cell is None:
        return True
    if isinstance(cell, (str, bool, int)):
        return False
    try:
        return bool(cell != cell)
    except (TypeError, ValueError):  # pd.NA cannot say whether it equals itself
        return True
