"""What is said by name: prices of columns and classes, signs of columns, costs of errors."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from treefront import labels
from treefront.cli import table
from treefront.cli.errors import InputError

T = TypeVar("T")

Pairs = list[tuple[str, str]]


def pairs(flag: str, words: Sequence[str], forms: str = "NAME=VALUE") -> Pairs:
    """Names with their values, of words such as ``age=3``, or of files with two columns.

    A word without ``=`` is the name of a CSV file; its first line names the columns and is passed
    over, but where it ends in a number: then it is the first pair. `forms` is what a word may be
    but a file, for messages.

    Raises
    ------
    InputError
        Neither a pair nor a file; a file with other columns; a name that comes twice.
    """
    found: Pairs = []
    for word in words:
        name, equals, value = word.rpartition("=")
        found += [(name.strip(), value.strip())] if equals else _of_file(flag, Path(word), forms)
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{flag} names {twice!r} twice")
    return found


def by_name(
    flag: str, given: Pairs, known: Sequence[T], what: str, read: Callable[[str], float]
) -> dict[T, float]:
    """Values by column or by class.

    Parameters
    ----------
    flag : str
    given : list of pairs
    known : sequence
        What may be named, by its text.
    what : str
        "column" or "class", for messages.
    read : callable
        What a value means, or a ValueError.

    Raises
    ------
    InputError
        A name that is not known, or a value that cannot be read.
    """
    by_text = {str(name): name for name in known}
    result: dict[T, float] = {}
    for name, value in given:
        if name not in by_text:
            raise InputError(
                f"{flag} names {name!r}, which is no {what}; there are "
                f"{table.listed(list(by_text))}"
            )
        try:
            result[by_text[name]] = read(value)
        except ValueError as error:
            raise InputError(f"{flag} {name}={value}: {error}") from None
    return result


def price(text: str) -> float:
    """A number of at least 0."""
    return _at_least_0(text, "price")


def weight(text: str) -> float:
    """A number of at least 0, by which a class counts."""
    return _at_least_0(text, "weight")


def _at_least_0(text: str, what: str) -> float:
    number = float(text) if _is_number(text) else np.nan
    if not 0 <= number < np.inf:
        raise ValueError(f"a {what} is a number of at least 0")
    return number


def sign(text: str) -> int:
    """+1 (rises), -1 (falls) or 0."""
    if text not in ("+1", "1", "-1", "0"):
        raise ValueError("it is +1 (predictions rise with the column), -1 (they fall) or 0")
    return int(text)


def groups(flag: str, words: Sequence[str], known: Sequence[str]) -> list[list[str]]:
    """Groups of columns, of words such as ``a,b,"c, d"``.

    Raises
    ------
    InputError
        A name that is no column.
    """
    result = [[name.strip() for name in row] for row in csv.reader(words, skipinitialspace=True)]
    for name in (name for group in result for name in group):
        if name not in known:
            raise InputError(
                f"{flag} names {name!r}, which is no column; there are {table.listed(list(known))}"
            )
    return result


def cost_matrix(path: Path, classes: labels.Labels) -> NDArray[np.float64]:
    """Costs of a table: a true class in the first cell of a row, a prediction over every column.

    Returns
    -------
    ndarray of float64, shape (n_classes, n_classes)
        In the order of `classes`.

    Raises
    ------
    InputError
        Classes that the table lacks, or that the data lack; a cell that is no price.
    """
    data = table.read(path)
    names = labels.names(classes)
    true, *predicted = data.frame.columns
    rows = [str(cell).strip() for cell in data.frame[true].to_list()]
    for which, found in (("rows", rows), ("columns", predicted)):
        if sorted(found) != sorted(names):
            raise InputError(
                f"{path}: its {which} are {table.listed(found)}, but the classes are "
                f"{table.listed(names)}; every class needs one row (what is true) and one column "
                "(what is predicted)"
            )
    result = np.zeros((len(names), len(names)))
    for column in predicted:
        for row, cell in enumerate(data.frame[column].to_list()):
            try:
                cost = price(str(cell))
            except ValueError as error:
                raise InputError(
                    f"{path}: column {column!r}, {data.place(row)}: {cell!r}: {error}"
                ) from None
            result[names.index(rows[row]), names.index(column)] = cost
    return result


def _of_file(flag: str, path: Path, forms: str) -> Pairs:
    if not path.exists():
        raise InputError(f"{flag}: {str(path)!r} is neither {forms} nor a file")
    data = table.read(path)
    if data.frame.width != 2:
        raise InputError(
            f"{flag}: {path} has {data.frame.width} columns; it needs two, names and values"
        )
    names, values = data.frame
    found = [
        (str(name).strip(), str(value).strip())
        for name, value in zip(names.to_list(), values.to_list())
    ]
    return [(names.name, values.name), *found] if _is_number(values.name) else found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
