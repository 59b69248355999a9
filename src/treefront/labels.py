"""Class labels: of any type outside, integers 0 .. K-1 inside, and in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

Labels = NDArray[Any]


def as_labels(y: ArrayLike, *, name: str = "y") -> Labels:
    """One-dimensional array of labels that all have one type: str, bool or number.

    Raises
    ------
    ValueError
        Labels that are missing, of several types, or not one-dimensional.
    """
    if isinstance(y, (list, tuple)):
        y = np.array(y, dtype=object)  # plain numpy would turn [1, "a"] into two strings
    labels: Labels = np.asarray(column_or_1d(y, warn=True))
    missing = _missing(labels)
    if missing.any():
        row = int(np.argmax(missing))
        raise ValueError(f"Input {name} contains NaN: the label of row {row} is missing")
    return _of_one_type(labels, name) if labels.dtype == object else labels


def encode(y: ArrayLike) -> tuple[Labels, NDArray[np.int32]]:
    """Sorted classes, and the index of every label among them.

    Raises
    ------
    ValueError
        As in `as_labels`, or labels that are numbers to predict rather than classes.
    """
    labels = as_labels(y)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def codes_of(y: ArrayLike, classes: Labels) -> NDArray[np.int64]:
    """Index of every label in `classes`; -1 for a label that is none of them.

    Raises
    ------
    ValueError
        As in `as_labels`, or text compared with numbers.
    """
    labels = as_labels(y)
    if len(labels) == 0:
        return np.empty(0, dtype=np.int64)
    if _is_text(labels) != _is_text(classes):
        kinds = {True: "text", False: "numbers"}
        raise ValueError(
            f"y holds {kinds[_is_text(labels)]}, but the classes seen in fit are "
            f"{kinds[_is_text(classes)]}"
        )
    position = np.searchsorted(classes, labels)
    position = np.minimum(position, len(classes) - 1)
    return np.where(classes[position] == labels, position, -1)


def names(classes: Labels) -> list[str]:
    """Classes as text, for people."""
    return [str(value) for value in classes.tolist()]


def to_json(classes: Labels) -> dict[str, Any]:
    """Classes as plain values with their dtype.

    Raises
    ------
    ValueError
        Labels of a type that JSON does not know.
    """
    values = classes.tolist()
    if classes.dtype.kind not in "biufUO" or not all(_is_plain(value) for value in values):
        raise ValueError(f"labels of type {classes.dtype} cannot be written to a file")
    return {"dtype": classes.dtype.str.lstrip("|<=>"), "values": values}


def from_json(document: Mapping[str, Any]) -> Labels:
    """Inverse of `to_json`."""
    dtype, values = str(document["dtype"]), document["values"]
    if dtype[:1] not in tuple("biufUO") or not all(_is_plain(value) for value in values):
        raise ValueError(f"labels of type {dtype!r} are not known")
    return np.array(values, dtype=np.dtype(dtype))


def _missing(labels: Labels) -> NDArray[np.bool_]:
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    if labels.dtype.kind == "O":
        # None, NaN, NaT and pandas' NA: what is missing does not equal itself, or cannot say so.
        return np.array(
            [value is None or _unequal_to_itself(value) for value in labels], dtype=bool
        )
    return np.zeros(len(labels), dtype=bool)


def _unequal_to_itself(value: Any) -> bool:
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return True


def _of_one_type(labels: Labels, name: str) -> Labels:
    """Object labels: text stays as it is, bools and numbers get their own dtype."""
    kinds = [_kind(value) for value in labels]
    other = next((row for row, kind in enumerate(kinds) if kind != kinds[0]), None)
    if other is not None:
        raise ValueError(
            f"Input {name} mixes labels of several types: row 0 is {labels[0]!r} ({kinds[0]}), "
            f"row {other} is {labels[other]!r} ({kinds[other]})"
        )
    return np.array(labels.tolist()) if kinds and kinds[0] in ("bool", "number") else labels


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    return "number" if isinstance(value, Real) else type(value).__name__


def _is_text(labels: Labels) -> bool:
    return labels.dtype.kind in "UO"


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, bool, int, float))
