"""The rows of a file as features, target and weights; which of them are held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from treefront.cli import columns, show, table, targets
from treefront.cli.errors import InputError
from treefront.cli.request import Request
from treefront.rules import rounded


@dataclass(frozen=True)
class Rows:
    """Features, what is to be predicted, and weights."""

    X: pl.DataFrame
    y: NDArray[Any]
    weight: NDArray[np.float64] | None
    numbers: NDArray[np.intp]  # of the rows in the file, from 1
    target: str
    is_numbers: bool  # what is predicted
    guess: str | None  # how that was found, where it could be classes as well

    def part(self, rows: NDArray[np.intp]) -> Rows:
        """Some rows, in the order of the file."""
        rows = np.sort(rows)
        weight = None if self.weight is None else self.weight[rows]
        return Rows(
            self.X[rows],
            self.y[rows],
            weight,
            self.numbers[rows],
            self.target,
            self.is_numbers,
            self.guess,
        )


def read(request: Request) -> Rows:
    """Rows of the file that was asked for; warns of what may be meant otherwise.

    Raises
    ------
    InputError
        No such file or column; cells that cannot be read.
    """
    data = table.read(request.data)
    names = data.frame.columns
    if request.target is None:
        raise InputError(
            "say which column to predict with --target; "
            f"the columns of {data.path} are {table.listed(names)}"
        )
    if data.n_rows == 1:
        raise InputError(f"{data.path} has only one row of data; at least two are needed")
    target = targets.target(data, request.target, request.task)
    weight = None if request.weight is None else targets.weights(data, request.weight)
    aside = [request.target, *request.drop, *([] if request.weight is None else [request.weight])]
    left_out = {data.column(name).name for name in aside}
    used = [name for name in names if name not in left_out]
    if not used:
        raise InputError(f"{data.path} has no column besides {', '.join(sorted(left_out))}")
    for name in request.categorical:
        if name not in used:
            data.column(name)  # an unknown name is its own error
            raise InputError(f"--categorical {name}: that column is not used")
    kinds = [
        columns.Kind(columns.CATEGORY) if name in request.categorical else None for name in used
    ]
    X = columns.features(data, used, kinds)
    _warn_of_surprises(request, X, target)
    return Rows(
        X,
        target.y,
        weight,
        np.arange(1, data.n_rows + 1),
        request.target,
        target.is_numbers,
        target.guess,
    )


def _warn_of_surprises(request: Request, X: pl.DataFrame, target: targets.Target) -> None:
    n_different = len(np.unique(target.y))
    if n_different == 1:
        what = "number" if target.is_numbers else "class"
        show.warn(f"column {request.target!r} holds one {what} only; the tree is a single leaf")
    elif not target.is_numbers and n_different > max(targets.MOST_NUMERIC_CLASSES, X.height // 2):
        show.warn(
            f"column {request.target!r} holds {n_different:,} different classes in "
            f"{X.height:,} rows: is it the right one?"
        )
    for name in columns.ids(X):
        if name not in request.categorical:
            show.warn(
                f"column {name!r} looks like a name or number of the rows; if it is, leave it out: "
                f"--drop {show.quoted(name)}"
            )


def hold_out(rows: Rows, request: Request) -> tuple[Rows, Rows | None]:
    """Training and validation rows, drawn by class where every class has rows for both.

    Raises
    ------
    InputError
        Too few rows for both.
    """
    if request.holdout == 0:
        return rows, None
    n_rows = len(rows.y)
    if np.ceil(request.holdout * n_rows) >= n_rows:
        raise InputError(
            f"--holdout {request.holdout:g}: none of the {n_rows:,} rows would be left to learn "
            "from; take a smaller fraction"
        )
    by_class = None if rows.is_numbers else rows.y
    if by_class is not None and not _can_stratify(by_class, request.holdout):
        by_class = None
    try:
        training, held_out = train_test_split(
            np.arange(len(rows.y)),
            test_size=request.holdout,
            random_state=request.seed,
            stratify=by_class,
        )
    except ValueError as error:
        raise InputError(f"--holdout {request.holdout:g}: {error}") from error
    parts = rows.part(training), rows.part(held_out)
    for which, part in zip(("training", "held-out"), parts):
        if part.weight is not None and not part.weight.any():
            raise InputError(
                f"--weight {request.weight}: all {len(part.y):,} {which} rows have the weight 0; "
                "take another --seed or another --holdout"
            )
    return parts


def _can_stratify(classes: NDArray[Any], holdout: float) -> bool:
    _, counts = np.unique(classes, return_counts=True)
    n_held_out = int(np.ceil(holdout * counts.sum()))
    return bool(counts.min() >= 2) and len(counts) <= min(n_held_out, counts.sum() - n_held_out)


def about(training: Rows, held_out: Rows | None) -> str:
    """The data in a line or two."""
    if training.is_numbers:
        low, high = (rounded(float(end)) for end in (training.y.min(), training.y.max()))
        what = f"{training.target} from {low} to {high}"
    else:
        n_classes = len(np.unique(training.y))
        what = f"{n_classes} class{'es' if n_classes != 1 else ''}"
    width = training.X.width
    text = (
        f"{training.X.height:,} training rows, {width} feature{'s' if width != 1 else ''}, {what}"
    )
    if held_out is not None:
        text += f"; {held_out.X.height:,} rows held out"
    return text if training.guess is None else f"{text}\n{training.guess}"
