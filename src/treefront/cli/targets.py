"""What is to be predicted, and what the rows weigh: columns of a file as labels and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treefront.cli.errors import InputError
from treefront.cli.table import Table
from treefront.cli.words import is_missing, readable, truth_spelled_once

EXACT = 2.0**53  # beyond, float64 does not tell integers apart
CLASSES, NUMBERS = "classes", "numbers"
TASKS = ("auto", CLASSES, NUMBERS)
MOST_NUMERIC_CLASSES = 20  # different whole numbers: more are a quantity


@dataclass(frozen=True)
class Target:
    """What is to be predicted."""

    y: NDArray[Any]
    is_numbers: bool
    guess: str | None = None  # how a task that was not named was found, and how to change it


def target(table: Table, name: str, task: str = "auto") -> Target:
    """Labels or numbers of a column.

    Labels are integers where all cells are integers, else text; bools where the file says so.
    Cells that are the same number, or the same truth, are one label, spelled as the first is.
    Numbers are predicted where all cells are numbers and one is not whole, or more than
    `MOST_NUMERIC_CLASSES` of them differ, unless `task` says "classes".

    Raises
    ------
    InputError
        No such column, labels or numbers missing, no numbers where they are asked for.
    """
    column = readable(table, name)
    if column.dtype == pl.Boolean and task != NUMBERS:
        _all_present(table, name, column)
        return Target(column.to_numpy(), is_numbers=False)
    text = column.cast(pl.String).str.strip_chars()
    number = (column if column.dtype.is_numeric() else text).cast(pl.Float64, strict=False)
    missing = is_missing(text)
    only_numbers = bool((missing | number.is_not_null()).all()) and not missing.all()
    label = _spelled_once(text.set(missing, None), number if only_numbers else None)
    guess = None
    if task == "auto" and only_numbers:
        task, guess = _guess(name, number.filter(~missing), label.drop_nulls().n_unique())
    if task == NUMBERS:
        return Target(_numbers(table, name, text, number, missing), True, guess)
    _all_present(table, name, label, text)
    return Target(_labels(column, label), False, guess)


def weights(table: Table, name: str) -> NDArray[np.float64]:
    """Weights of the rows.

    Raises
    ------
    InputError
        No such column; a cell that is missing, no number, infinite or negative; all are 0.
    """
    column = readable(table, name)
    text = column.cast(pl.String).str.strip_chars()
    are_numbers = column.dtype.is_numeric() or column.dtype == pl.Boolean
    number = (column if are_numbers else text).cast(pl.Float64, strict=False)
    bad = ~(number.is_finite() & (number >= 0)).fill_null(value=False)
    if bad.any():
        row = int(bad.arg_max() or 0)
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row] or ''!r} is no weight: "
            "a number of at least 0"
        )
    if number.sum() == 0:
        raise InputError(f"{table.path}: column {name!r} is 0 in all rows: no row has a weight")
    return number.to_numpy()


def _spelled_once(text: pl.Series, number: pl.Series | None) -> pl.Series:
    """Labels: numbers (null: words) that are equal, and true and True, as one.

    Integers that float64 does not tell apart stay as they are written.
    """
    if number is None:
        return truth_spelled_once(text, text.drop_nulls().unique())
    if text.str.contains(r"^0\d").any():  # codes such as 007, which is not 7
        return text
    first: dict[float, str] = {}
    return pl.Series(
        text.name,
        [
            word if word is None or not abs(value) < EXACT else first.setdefault(value, word)
            for word, value in zip(text.to_list(), number.to_list())
        ],
        dtype=pl.String,
    )


def _guess(name: str, number: pl.Series, n_different: int) -> tuple[str, str]:
    """Whether numbers are classes or numbers to predict, and words that say so."""
    are_whole = bool((number == number.round()).all())
    if are_whole and n_different <= MOST_NUMERIC_CLASSES:
        return CLASSES, (
            f"{name!r} holds {n_different} different whole numbers, taken as classes "
            "(--task numbers predicts a number instead)"
        )
    why = f"{n_different:,} different numbers" if are_whole else "numbers that are not all whole"
    return NUMBERS, f"{name!r} holds {why}: a number is predicted (--task classes predicts a class)"


def _labels(column: pl.Series, text: pl.Series) -> NDArray[Any]:
    integers = text.cast(pl.Int64, strict=False)
    # Text that is no plain integer, such as 007, stays text: it would not read back.
    if (integers.cast(pl.String) == text).fill_null(value=False).all():
        return integers.to_numpy()
    whole = column.cast(pl.Int64, strict=False) if column.dtype.is_float() else None
    if whole is not None and (whole == column).fill_null(value=False).all():
        return whole.to_numpy()
    return np.array(text.to_list())


def _numbers(
    table: Table, name: str, text: pl.Series, number: pl.Series, missing: pl.Series
) -> NDArray[Any]:
    _all_present(table, name, text.set(missing, None))
    bad = ~number.is_finite().fill_null(value=False)
    if bad.any():
        row = int(bad.arg_max() or 0)
        kind = "a number" if number[row] is None else "a finite number"
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row]!r} is not {kind}, "
            "but numbers are to be predicted"
        )
    return number.to_numpy()


def _all_present(
    table: Table, name: str, column: pl.Series, written: pl.Series | None = None
) -> None:
    """Raise InputError where a column is null; `written` is what its cells hold."""
    n_missing = column.null_count()
    if n_missing == 0:
        return
    where = f"{table.path}: column {name!r}"
    if n_missing == table.n_rows:
        raise InputError(f"{where} is empty in all {table.n_rows} rows; there is nothing to learn")
    row = int(column.is_null().arg_max() or 0)
    more = "" if n_missing == 1 else f", and in {n_missing - 1} more"
    word = None if written is None else written[row]
    way_out = f"; if {word!r} is a class, call it otherwise" if word else ""
    raise InputError(
        f"{where}: what is to be predicted is missing in {table.place(row)}{more}; "
        f"leave such rows out{way_out}"
    )
