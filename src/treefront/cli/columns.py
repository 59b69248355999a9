"""From columns of a file to numbers and labels, with errors that name column and row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treefront.cli.errors import InputError
from treefront.cli.table import Table
from treefront.tree import Tree

NUMBER, CATEGORY, TIME = "number", "category", "time"
MISSING = ("", "na", "n/a", "nan", "null", "none", "?")
TRUTH = {"true": 1.0, "false": 0.0}
MOST_NUMERIC_CLASSES = 20  # or half as many as rows: more is a quantity, not a class


def features(table: Table, names: list[str], of_model: Sequence[str] | None = None) -> pl.DataFrame:
    """Columns of float64, of text where a column holds words, or of times; null where one is empty.

    Parameters
    ----------
    table : Table
    names : list of str
    of_model : sequence of str, optional
        As what a model knows the columns, as `kinds` says; without, the cells tell.

    Raises
    ------
    InputError
        No such column; a cell that is no number in a column of numbers, or infinite; one that is
        no date or time in a column of these.
    """
    known = [None] * len(names) if of_model is None else of_model
    return pl.DataFrame(
        [_feature(table, name, kind) for name, kind in zip(names, known, strict=True)]
    )


def kinds(tree: Tree) -> list[str]:
    """As what a tree knows its columns: categories, times or numbers."""
    return [
        CATEGORY if known is not None else TIME if time is not None else NUMBER
        for known, time in zip(tree.categories, tree.times, strict=True)
    ]


def target(table: Table, name: str) -> NDArray[Any]:
    """Labels: integers where all cells are integers, else text; bools where the file says so.

    Raises
    ------
    InputError
        No such column, labels missing, or numbers that are no classes.
    """
    column = table.column(name)
    if column.dtype == pl.Boolean:
        _all_present(table, name, column)
        return column.to_numpy()
    text = column.cast(pl.String).str.strip_chars()
    text = text.set(text == "", None)
    _all_present(table, name, text)
    _classes_not_quantities(table, name, text)
    integers = text.cast(pl.Int64, strict=False)
    # Text that is no plain integer, such as 007, stays text: it would not read back.
    if (integers.cast(pl.String) == text).fill_null(value=False).all():
        return integers.to_numpy()
    whole = column.cast(pl.Int64, strict=False) if column.dtype.is_float() else None
    if whole is not None and (whole == column).all():
        return whole.to_numpy()
    return np.array(text.to_list())


def _feature(table: Table, name: str, kind: str | None) -> pl.Series:
    """`kind` says what the column is to be; None: what its cells say."""
    column, category = table.column(name), None if kind is None else kind == CATEGORY
    if kind in (None, TIME):
        times = _times(table, name, column, must_be=kind == TIME)
        if times is not None:
            return times
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        text = column.str.strip_chars()
        lower = text.str.to_lowercase()
        missing = lower.is_null() | lower.is_in(MISSING)
        if not category and (missing | lower.is_in(list(TRUTH))).all() and not missing.all():
            truth = lower.set(missing, None)
            return truth.replace_strict(TRUTH, default=None, return_dtype=pl.Float64)
        number = text.cast(pl.Float64, strict=False)
        words = ~missing & number.is_null()
        if category or (category is None and 2 * words.sum() > (~missing).sum()):
            return text.set(missing, None)
    elif column.dtype.is_numeric() or column.dtype == pl.Boolean:
        if category:
            return column.cast(pl.String)
        text = column.cast(pl.String)
        number = column.cast(pl.Float64)
        missing = number.is_null() | number.is_nan()
    else:
        raise InputError(
            f"{table.path}: column {name!r} holds values of type {column.dtype}; numbers, text "
            f"and dates are supported. Drop it (--drop {name}) or turn it into one of them"
        )
    good = missing | number.is_finite().fill_null(value=False)
    if not good.all():
        row = int((~good).arg_max() or 0)
        kind = "a number" if number[row] is None else "a finite number"
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row]!r} is not {kind}"
        )
    return number.set(missing, None)


def _times(table: Table, name: str, column: pl.Series, *, must_be: bool) -> pl.Series | None:
    """Dates and times in ISO 8601; None where the column holds something else, or nothing."""
    if column.dtype in (pl.Date, pl.Datetime):
        return column
    if column.dtype != pl.String and not must_be:
        return None
    text = column.cast(pl.String).str.strip_chars()
    missing = text.is_null() | text.str.to_lowercase().is_in(MISSING)
    parsed = text.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us"))
    for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f"):
        with_time = text.str.replace("T", " ").str.to_datetime(form, strict=False, time_unit="us")
        parsed = parsed.zip_with(parsed.is_not_null(), with_time)
    bad = ~missing & parsed.is_null()
    if not must_be:
        return None if bad.any() or missing.all() else parsed
    if bad.any():
        row = int(bad.arg_max() or 0)
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row]!r} is not a date or "
            "time such as 2021-03-04 or 2021-03-04 12:30"
        )
    return parsed


def _all_present(table: Table, name: str, column: pl.Series) -> None:
    n_missing = column.null_count()
    if n_missing == 0:
        return
    where = f"{table.path}: column {name!r}"
    if n_missing == table.n_rows:
        raise InputError(f"{where} is empty in all {table.n_rows} rows; there are no labels")
    row = int(column.is_null().arg_max() or 0)
    more = "" if n_missing == 1 else f", and in {n_missing - 1} more"
    raise InputError(f"{where}: the label is missing in {table.place(row)}{more}")


def _classes_not_quantities(table: Table, name: str, text: pl.Series) -> None:
    n_classes = text.n_unique()
    if n_classes <= max(MOST_NUMERIC_CLASSES, table.n_rows // 2):
        return
    if text.cast(pl.Float64, strict=False).null_count() == 0:
        raise InputError(
            f"{table.path}: column {name!r} holds {n_classes} different numbers in "
            f"{table.n_rows} rows: a quantity; only classes can be predicted yet"
        )
