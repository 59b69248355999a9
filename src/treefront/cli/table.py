"""Reading a CSV or Parquet file so that every cell can be found again by a person.

CSV columns are read as text and converted later: only text can be quoted in a message.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from treefront.cli.errors import InputError

SEPARATORS = ",;\t|"
PARQUET = (".parquet", ".pq")
NOT_UTF8 = "{path} is not encoded in UTF-8; save it as UTF-8 first"


@dataclass(frozen=True)
class Table:
    """Named columns: text for CSV, as stored for Parquet."""

    path: Path
    frame: pl.DataFrame
    separator: str | None  # None for Parquet

    @property
    def n_rows(self) -> int:
        """Number of data rows."""
        return self.frame.height

    def column(self, name: str) -> pl.Series:
        """One column; an unknown name is an error that lists the known ones."""
        if name not in self.frame.columns:
            raise InputError(
                f"{self.path} has no column {name!r}; its columns are {listed(self.frame.columns)}"
            )
        return self.frame[name]

    def place(self, row: int) -> str:
        """Where row `row` (from 0) is, as a person counts: rows of data, lines of the file."""
        if self.separator is None:
            return f"row {row + 1}"
        return f"row {row + 1} (line {self._line(row)} of the file)"

    def _line(self, row: int) -> int:
        # A quoted cell may hold line breaks, so lines are counted by reading up to the row.
        for index, (line, _) in enumerate(_records(self.path, self.separator or ",")):
            if index == row + 1:
                return line
        return row + 2


def read(path: Path) -> Table:
    """Read a file; its name says which kind it is, CSV when in doubt.

    Raises
    ------
    InputError
        No such file, nothing in it, not the expected format, columns with the same name.
    """
    if path.is_dir():
        raise InputError(f"{path} is a directory, not a file")
    try:
        table = _read_parquet(path) if path.suffix.lower() in PARQUET else _read_csv(path)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if table.n_rows == 0:
        raise InputError(f"{path} has column names but no rows of data")
    return table


def listed(names: list[str], most: int = 30) -> str:
    """Names for a message, not too many."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _read_parquet(path: Path) -> Table:
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty")
    try:
        return Table(path, pl.read_parquet(path), separator=None)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path} is not a Parquet file: {_first_line(error)}") from error


def _read_csv(path: Path) -> Table:
    separator = _separator(path)
    names = _column_names(path, separator)
    try:
        frame = pl.read_csv(path, separator=separator, infer_schema_length=0)
    except pl.exceptions.PolarsError as error:
        raise InputError(_what_is_wrong(path, separator, len(names))) from error
    if frame.width != len(names):
        raise InputError(f"{path} cannot be read as CSV: the line of column names is not clear")
    frame.columns = names
    return Table(path, _without_empty_end(frame), separator)


def _separator(path: Path) -> str:
    """The separator that the first line holds most of."""
    with path.open("rb") as file:
        start = file.read(1 << 16)
    if not start.strip():
        raise InputError(f"{path} is empty")
    if b"\0" in start:
        raise InputError(f"{path} is not a text file; CSV or Parquet is expected")
    first = start.lstrip().splitlines()[0].decode("utf-8", errors="replace")
    return max(SEPARATORS, key=first.count)


def _column_names(path: Path, separator: str) -> list[str]:
    try:
        _, header = next(_records(path, separator))
    except UnicodeDecodeError as error:
        raise InputError(NOT_UTF8.format(path=path)) from error
    except csv.Error as error:
        raise InputError(f"{path} cannot be read as CSV: {error}") from error
    names = [name.strip() or f"unnamed_{index + 1}" for index, name in enumerate(header)]
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise InputError(f"{path} has {count} columns named {name!r}; names must differ")
    return names


def _records(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line on which every record starts, and its cells; the header, after empty lines, first."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=separator)
        line, header_seen = 1, False
        for cells in reader:
            header_seen = header_seen or bool(cells)
            if header_seen:
                yield line, cells
            line = reader.line_num + 1


def _what_is_wrong(path: Path, separator: str, width: int) -> str:
    """Why polars refused a file: it does not say where, so the file is read again."""
    try:
        for index, (line, cells) in enumerate(_records(path, separator)):
            if len(cells) > width:
                return (
                    f"{path}: row {index} (line {line} of the file) has {len(cells)} cells, "
                    f"but there are {width} columns"
                )
    except UnicodeDecodeError:
        return NOT_UTF8.format(path=path)
    except csv.Error as problem:
        return f"{path} cannot be read as CSV: {problem}"
    return f"{path} cannot be read as CSV; is a quotation mark left open?"


def _without_empty_end(frame: pl.DataFrame) -> pl.DataFrame:
    """Empty lines at the end of a file are no rows; elsewhere they are missing values."""
    empty = frame.select(pl.all_horizontal(pl.all().is_null()))
    filled = (~empty.to_series()).arg_true()
    return frame.head(int(filled[-1]) + 1 if len(filled) else 0)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
