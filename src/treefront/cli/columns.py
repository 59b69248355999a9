"""Features of a file as numbers, words and times, with errors that name column and row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from treefront.cli import dates
from treefront.cli.errors import InputError
from treefront.cli.table import Table
from treefront.cli.words import (
    MISSING,
    TRUTH,
    as_words,
    is_missing,
    is_truth,
    readable,
    refusal,
    truth_spelled_once,
)
from treefront.tree import Tree

NUMBER, CATEGORY, TIME = "number", "category", "time"
FEWEST_ROWS_OF_IDS = 20  # in fewer rows values differ by chance
# patient_id, customerID, Index, row, and what pandas makes of a column without a name.
ID_NAME = re.compile(r"(?:(?:^|[\W_])(?i:id|index|idx|key|nr|row)|[a-z](?:Id|ID))$|^unnamed_\d+$")
MOSTLY = 0.8  # share of different words from which a column looks like a name of the rows


@dataclass(frozen=True)
class Kind:
    """What a column is to be read as."""

    name: str  # NUMBER, CATEGORY or TIME
    categories: tuple[Any, ...] = ()  # those that a model knows; empty: those of the file


def features(
    table: Table, names: list[str], of_model: Sequence[Kind | None] | None = None
) -> pl.DataFrame:
    """Columns of float64, of categories where they hold words, or of times; null for empty cells.

    Parameters
    ----------
    table : Table
    names : list of str
    of_model : sequence of Kind or None, optional
        As what a model knows the columns, as `kinds` says; without, and at None, the cells tell.

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


def kinds(tree: Tree) -> list[Kind]:
    """As what a tree knows its columns."""
    return [
        Kind(CATEGORY, known) if known is not None else Kind(TIME if time is not None else NUMBER)
        for known, time in zip(tree.categories, tree.times, strict=True)
    ]


def ids(X: pl.DataFrame) -> list[str]:
    """Columns that look like names or numbers of rows: a tree of them says nothing of new rows.

    Words of which most come once, and whole numbers that all differ in a column called so.
    """
    return [column.name for column in X if X.height >= FEWEST_ROWS_OF_IDS and _is_id(column)]


def _is_id(column: pl.Series) -> bool:
    present = column.drop_nulls()
    if column.dtype == pl.String:
        return present.n_unique() > MOSTLY * max(len(present), 1)
    if column.dtype != pl.Float64 or not ID_NAME.search(column.name):
        return False
    return bool((present == present.round()).all()) and present.n_unique() == len(column)


def _feature(table: Table, name: str, kind: Kind | None) -> pl.Series:
    """`kind` says what the column is to be; None: what its cells say."""
    column = readable(table, name)
    if kind is not None and kind.name == CATEGORY:
        return _as_categories(column, kind.categories)
    if kind is None or kind.name == TIME:
        times = dates.times(table, name, column, must_be=kind is not None)
        if times is not None:
            return times
    if column.dtype == pl.String:
        text = column.str.strip_chars()
        missing = is_missing(text)
        if kind is None and is_truth(text.filter(~missing).str.to_lowercase()):
            return _as_categories(column, ())
        number = text.cast(pl.Float64, strict=False)
        words = ~missing & number.is_null()
        if kind is None and 2 * words.sum() > (~missing).sum():
            return text.set(missing, None)
    elif kind is None and column.dtype == pl.Boolean:
        return column
    elif column.dtype.is_numeric() or column.dtype == pl.Boolean:
        text = column.cast(pl.String)
        number = column.cast(pl.Float64)
        missing = number.is_null() | number.is_nan()
    else:
        raise refusal(table, name, column)
    good = missing | number.is_finite().fill_null(value=False)
    if not good.all():
        row = int((~good).arg_max() or 0)
        what = "a number" if number[row] is None else "a finite number"
        way_out = as_words(name) if kind is None and number[row] is None else ""
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row]!r} is not {what}"
            f"{way_out}"
        )
    return number.set(missing, None)


def _as_categories(column: pl.Series, known: tuple[Any, ...]) -> pl.Series:
    """Words of a column, or what a model knows in their place; null for what it does not know.

    "True" and "TRUE" are one word where a column says nothing but true and false.
    """
    text = column.cast(pl.String).str.strip_chars()
    lower = text.str.to_lowercase()
    text = text.set(lower.is_in(MISSING) & ~text.is_in([str(value) for value in known]), None)
    if known and isinstance(known[0], bool):
        return lower.replace_strict(TRUTH, default=None, return_dtype=pl.Boolean)
    if known and not isinstance(known[0], str):
        return text.cast(pl.Float64, strict=False)
    said = pl.Series(known) if known else text.drop_nulls().unique()
    return truth_spelled_once(text, said)
