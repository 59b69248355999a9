"""Cells of a file as words: which say nothing, which say true or false."""

from __future__ import annotations

import shlex

import polars as pl

from treefront.cli.errors import InputError
from treefront.cli.table import Table

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")
TRUTH = {"true": True, "false": False}


def is_missing(text: pl.Series) -> pl.Series:
    """Which words stand for nothing."""
    return text.is_null() | text.str.to_lowercase().is_in(MISSING)


def readable(table: Table, name: str) -> pl.Series:
    """A column whose cells can be written as text; categories of Parquet as their words.

    Without any cell it is one of text, as in a CSV, whatever its type.
    """
    column = table.column(name)
    if column.null_count() == len(column):
        return pl.Series(name, [None] * len(column), dtype=pl.String)
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        raise refusal(table, name, column)
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def refusal(table: Table, name: str, column: pl.Series) -> InputError:
    """The error of a column of a type that is not supported."""
    return InputError(
        f"{table.path}: column {name!r} holds values of type {column.dtype}; numbers, text and "
        f"dates are supported. Turn it into one of them, or leave it out (--drop {_in_shell(name)})"
    )


def as_words(name: str) -> str:
    """The way out where words are meant, for the end of a message."""
    return f"; --categorical {_in_shell(name)} takes the column as words"


def _in_shell(name: str) -> str:
    """A name as a flag takes it, in one line."""
    return shlex.quote(name) if name.isprintable() else repr(name)


def is_truth(words: pl.Series) -> bool:
    """Whether words, in small letters, say true or false, and nothing else."""
    return len(words) > 0 and bool(words.is_in(list(TRUTH)).all())


def truth_spelled_once(text: pl.Series, said: pl.Series) -> pl.Series:
    """True and TRUE as one word where `said` is nothing but true and false; else as it is."""
    if not is_truth(said.cast(pl.String).str.to_lowercase()):
        return text
    spelling = dict(zip(said.str.to_lowercase(), said)) if len(said) <= len(TRUTH) else {}
    return text.str.to_lowercase().replace(spelling)
