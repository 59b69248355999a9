"""From columns of a file to numbers and labels, with errors that name column and row."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treefront.cli.errors import InputError
from treefront.cli.table import Table
from treefront.tree import Tree

NUMBER, CATEGORY, TIME = "number", "category", "time"
EXACT = 2.0**53  # beyond, float64 does not tell integers apart
MISSING = ("", "na", "n/a", "nan", "null", "none", "?")
TRUTH = {"true": True, "false": False}
CLASSES, NUMBERS = "classes", "numbers"
TASKS = ("auto", CLASSES, NUMBERS)
MOST_NUMERIC_CLASSES = 20  # different whole numbers: more are a quantity
FEWEST_ROWS_OF_IDS = 20  # in fewer rows values differ by chance
# patient_id, customerID, Index, row, and what pandas makes of a column without a name.
ID_NAME = re.compile(r"(?:(?:^|[\W_])(?i:id|index|idx|key|nr|row)|[a-z](?:Id|ID))$|^unnamed_\d+$")
# After a time: Z, or the distance from UTC in hours and minutes.
ZONE = r"(:\d\d(?:\.\d+)?) ?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$"
FEWEST_TIMES, MOSTLY_TIMES = 2, 0.9  # of a column's cells: the others are then mistakes
MICROSECONDS = 60_000_000  # of a minute
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
    column = _readable(table, name)
    if column.dtype == pl.Boolean and task != NUMBERS:
        _all_present(table, name, column)
        return Target(column.to_numpy(), is_numbers=False)
    text = column.cast(pl.String).str.strip_chars()
    number = (column if column.dtype.is_numeric() else text).cast(pl.Float64, strict=False)
    missing = text.is_null() | text.str.to_lowercase().is_in(MISSING)
    only_numbers = bool((missing | number.is_not_null()).all()) and not missing.all()
    label = _spelled_once(text.set(missing, None), number if only_numbers else None)
    guess = None
    if task == "auto" and only_numbers:
        task, guess = _guess(name, number.filter(~missing), label.drop_nulls().n_unique())
    if task == NUMBERS:
        return Target(_numbers(table, name, text, number, missing), True, guess)
    _all_present(table, name, label, text)
    return Target(_labels(column, label), False, guess)


def _spelled_once(text: pl.Series, number: pl.Series | None) -> pl.Series:
    """Labels: numbers (null: words) that are equal, and true and True, as one.

    Integers that float64 does not tell apart stay as they are written.
    """
    if number is None:
        return _truth_spelled_once(text, text.drop_nulls().unique())
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


def weights(table: Table, name: str) -> NDArray[np.float64]:
    """Weights of the rows.

    Raises
    ------
    InputError
        No such column; a cell that is missing, no number, infinite or negative; all are 0.
    """
    column = _readable(table, name)
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
    column = _readable(table, name)
    if kind is not None and kind.name == CATEGORY:
        return _as_categories(column, kind.categories)
    if kind is None or kind.name == TIME:
        times = _times(table, name, column, must_be=kind is not None)
        if times is not None:
            return times
    if column.dtype == pl.String:
        text = column.str.strip_chars()
        lower = text.str.to_lowercase()
        missing = lower.is_null() | lower.is_in(MISSING)
        if kind is None and _is_truth(lower.filter(~missing)):
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
        raise _refusal(table, name, column)
    good = missing | number.is_finite().fill_null(value=False)
    if not good.all():
        row = int((~good).arg_max() or 0)
        what = "a number" if number[row] is None else "a finite number"
        way_out = _as_words(name) if kind is None and number[row] is None else ""
        raise InputError(
            f"{table.path}: column {name!r}, {table.place(row)}: {text[row]!r} is not {what}"
            f"{way_out}"
        )
    return number.set(missing, None)


def _readable(table: Table, name: str) -> pl.Series:
    """A column whose cells can be written as text; categories of Parquet as their words.

    Without any cell it is one of text, as in a CSV, whatever its type.
    """
    column = table.column(name)
    if column.null_count() == len(column):
        return pl.Series(name, [None] * len(column), dtype=pl.String)
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        raise _refusal(table, name, column)
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def _refusal(table: Table, name: str, column: pl.Series) -> InputError:
    return InputError(
        f"{table.path}: column {name!r} holds values of type {column.dtype}; numbers, text and "
        f"dates are supported. Turn it into one of them, or leave it out (--drop {_in_shell(name)})"
    )


def _as_words(name: str) -> str:
    """The way out where words are meant, for the end of a message."""
    return f"; --categorical {_in_shell(name)} takes the column as words"


def _in_shell(name: str) -> str:
    """A name as a flag takes it, in one line."""
    return shlex.quote(name) if name.isprintable() else repr(name)


def _is_truth(words: pl.Series) -> bool:
    """Whether words, in small letters, say true or false, and nothing else."""
    return len(words) > 0 and bool(words.is_in(list(TRUTH)).all())


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
    return _truth_spelled_once(text, said)


def _truth_spelled_once(text: pl.Series, said: pl.Series) -> pl.Series:
    """True and TRUE as one word where `said` is nothing but true and false; else as it is."""
    if not _is_truth(said.cast(pl.String).str.to_lowercase()):
        return text
    spelling = dict(zip(said.str.to_lowercase(), said)) if len(said) <= len(TRUTH) else {}
    return text.str.to_lowercase().replace(spelling)


def _times(table: Table, name: str, column: pl.Series, *, must_be: bool) -> pl.Series | None:
    """Dates and times in ISO 8601, in UTC where they have a zone.

    None where the column holds something else, or nothing. Few cells that are no times among many
    that are, as times with and without a zone, are mistakes, not words.
    """
    if column.dtype in (pl.Date, pl.Datetime):
        return column
    if column.dtype != pl.String and not must_be:
        return None
    text = column.cast(pl.String).str.strip_chars()
    present = text.is_not_null() & ~text.str.to_lowercase().is_in(MISSING)
    parsed, zoned = _parsed(text)
    are_times = parsed.is_not_null()
    n_times, n_present = int(are_times.sum()), int(present.sum())
    if not must_be and n_times < max(FEWEST_TIMES, MOSTLY_TIMES * n_present):
        return parsed if 0 < n_times == n_present else None
    way_out = "" if must_be else _as_words(name)
    where = f"{table.path}: column {name!r}"
    bad = present & ~are_times
    if bad.any():
        row = int(bad.arg_max() or 0)
        raise InputError(
            f"{where}, {table.place(row)}: {text[row]!r} is not a date or time such as 2021-03-04 "
            f"or 2021-03-04 12:30{way_out}"
        )
    if (zoned & are_times).any() and not zoned.filter(are_times).all():
        first = bool(zoned[int(are_times.arg_max() or 0)])
        row = int((are_times & (zoned != first)).arg_max() or 0)
        has, others = ("no", "one") if first else ("a", "none")
        raise InputError(
            f"{where}, {table.place(row)}: {text[row]!r} has {has} time zone, but times before it "
            f"have {others}; give all of them one, or none{way_out}"
        )
    return parsed.dt.replace_time_zone("UTC") if zoned.any() else parsed


def _parsed(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Dates and times, those with a zone in UTC, null for all else; which have a zone."""
    zone = text.str.extract(ZONE, 2)
    zoned = zone.is_not_null()
    local = text.str.replace(ZONE, "${1}").str.replace("T", " ")
    parsed = local.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us"))
    for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f"):
        with_time = local.str.to_datetime(form, strict=False, time_unit="us")
        parsed = parsed.zip_with(parsed.is_not_null(), with_time)
    if not zoned.any():
        return parsed, zoned
    digits = zone.str.replace_all(r"\D", "")
    minutes = 60 * digits.str.slice(0, 2).cast(pl.Int64, strict=False).fill_null(0)
    minutes += digits.str.slice(2, 2).cast(pl.Int64, strict=False).fill_null(0)
    minutes = minutes.zip_with(~zone.str.starts_with("-").fill_null(value=False), -minutes)
    return parsed - (minutes * MICROSECONDS).cast(pl.Duration("us")), zoned


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
