"""Dates and times of a file, in ISO 8601."""

from __future__ import annotations

import polars as pl

from treefront.cli.errors import InputError
from treefront.cli.table import Table
from treefront.cli.words import as_words, is_missing

# After a time: Z, or the distance from UTC in hours and minutes.
ZONE = r"(:\d\d(?:\.\d+)?) ?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$"
FEWEST_TIMES, MOSTLY_TIMES = 2, 0.9  # of a column's cells: the others are then mistakes
MICROSECONDS = 60_000_000  # of a minute


def times(table: Table, name: str, column: pl.Series, *, must_be: bool) -> pl.Series | None:
    """Dates and times in ISO 8601, in UTC where they have a zone.

    None where the column holds something else, or nothing. Few cells that are no times among many
    that are, as times with and without a zone, are mistakes, not words.
    """
    if column.dtype in (pl.Date, pl.Datetime):
        return column
    if column.dtype != pl.String and not must_be:
        return None
    text = column.cast(pl.String).str.strip_chars()
    present = ~is_missing(text)
    parsed, zoned = _parsed(text)
    are_times = parsed.is_not_null()
    n_times, n_present = int(are_times.sum()), int(present.sum())
    if not must_be and n_times < max(FEWEST_TIMES, MOSTLY_TIMES * n_present):
        return parsed if 0 < n_times == n_present else None
    way_out = "" if must_be else as_words(name)
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
