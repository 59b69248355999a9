"""`treefront fit`: read, hold out, search, choose, show, save, report."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from treefront.cli import columns, show, table
from treefront.cli.errors import InputError
from treefront.cli.flags import flag_name
from treefront.estimators import DPDTClassifier, LongSearchWarning
from treefront.report import MOST_ROWS, report


@dataclass(frozen=True)
class Request:
    """What was asked for."""

    data: Path
    target: str | None
    drop: list[str] = field(default_factory=list)
    params: Mapping[str, Any] = field(default_factory=dict)
    holdout: float = 0.0
    seed: int = 0
    out: Path | None = None
    report: Path | None = None
    report_rows: int = MOST_ROWS
    title: str | None = None  # of the report
    quiet: bool = False


@dataclass(frozen=True)
class Rows:
    """Features and labels."""

    X: pl.DataFrame
    y: NDArray[Any]
    numbers: NDArray[np.intp]  # of the rows in the file, from 1


def run(request: Request) -> None:
    """Fit a model of a file, print it, and write it where asked.

    Raises
    ------
    InputError
        Something in the file or in the flags is wrong.
    """
    _check_request(request)
    rows = _read(request)
    training, held_out = _hold_out(rows, request)
    model, seconds = _fit(training, request)
    validation = None
    if held_out is not None:
        validation = model.front_.score(held_out.X, held_out.y)
        model.select(held_out.X, held_out.y)
    # Files first: whoever reads the output may stop reading at any time.
    if request.out is not None:
        _save(model, request.out)
    if request.report is not None:
        _report(model, rows if held_out is None else held_out, request, held_out is not None)
    if not request.quiet:
        show.show_fit(model, validation, seconds, _counts(training, held_out))


def _report(model: DPDTClassifier, rows: Rows, request: Request, is_held_out: bool) -> None:
    assert request.report is not None
    page = report(
        model,
        rows.X,
        rows.y,
        rows=request.report_rows,
        name="validation" if is_held_out else "training",
        row_names=[str(number) for number in rows.numbers],
        title=request.title or f"{request.target} in {request.data.name}",
    )
    try:
        page.save(request.report)
    except OSError as error:
        raise InputError(
            f"{request.report} cannot be written: {error.strerror or error}"
        ) from error


def _save(model: DPDTClassifier, path: Path) -> None:
    try:
        model.save(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _check_request(request: Request) -> None:
    """What can be seen before the work starts is not reported after it."""
    if not 0 <= request.holdout < 1:
        raise InputError(
            f"--holdout must be a fraction of at least 0 and below 1, got {request.holdout:g}"
        )
    _check_can_be_written("--out", request.out, "a model")
    _check_can_be_written("--report", request.report, "a report")
    try:
        for name, value in request.params.items():
            DPDTClassifier._parameter_constraints[name].check(flag_name(name), value)
    except ValueError as error:
        raise InputError(str(error)) from error


def _check_can_be_written(flag: str, path: Path | None, what: str) -> None:
    try:
        if path is not None and not path.parent.is_dir():
            raise InputError(f"there is no folder {path.parent} to write {what} to")
        if path is not None and path.is_dir():
            raise InputError(f"{path} is a folder; {flag} needs the name of a file")
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _read(request: Request) -> Rows:
    data = table.read(request.data)
    names = data.frame.columns
    if request.target is None:
        raise InputError(
            "say which column to predict with --target; "
            f"the columns of {data.path} are {table.listed(names)}"
        )
    if data.n_rows == 1:
        raise InputError(f"{data.path} has only one row of data; at least two are needed")
    y = columns.target(data, request.target)
    left_out = {request.target, *(data.column(name).name for name in request.drop)}
    used = [name for name in names if name not in left_out]
    if not used:
        raise InputError(f"{data.path} has no column besides {', '.join(sorted(left_out))}")
    if len(np.unique(y)) == 1:
        show.warn(f"column {request.target!r} holds one class only; the tree is a single leaf")
    return Rows(columns.features(data, used), y, np.arange(1, data.n_rows + 1))


def _hold_out(rows: Rows, request: Request) -> tuple[Rows, Rows | None]:
    """Training and validation rows, drawn by class where every class has rows for both."""
    if request.holdout == 0:
        return rows, None
    _, counts = np.unique(rows.y, return_counts=True)
    try:
        training, held_out = train_test_split(
            np.arange(len(rows.y)),
            test_size=request.holdout,
            random_state=request.seed,
            stratify=rows.y if _can_stratify(counts, request.holdout) else None,
        )
    except ValueError as error:
        raise InputError(f"--holdout {request.holdout:g}: {error}") from error
    return _taken(rows, training), _taken(rows, held_out)


def _taken(rows: Rows, part: NDArray[np.intp]) -> Rows:
    """Some rows, in the order of the file."""
    part = np.sort(part)
    return Rows(rows.X[part], rows.y[part], rows.numbers[part])


def _can_stratify(counts: NDArray[np.intp], holdout: float) -> bool:
    n_held_out = int(np.ceil(holdout * counts.sum()))
    return bool(counts.min() >= 2) and len(counts) <= min(n_held_out, counts.sum() - n_held_out)


def _fit(rows: Rows, request: Request) -> tuple[DPDTClassifier, float]:
    show_progress = sys.stderr.isatty() and not request.quiet
    model = DPDTClassifier(**request.params, verbose=int(show_progress))
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("always", LongSearchWarning)
            warnings.showwarning = _show_warning
            model.fit(rows.X, rows.y)
    except ValueError as error:
        raise InputError(str(error)) from error
    seconds = time.perf_counter() - start
    if model.status_ == "time_limit":
        show.warn("the time limit was reached; this is the best front found until then")
    return model.set_params(verbose=0), seconds


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    show.warn(str(message))


def _counts(training: Rows, held_out: Rows | None) -> str:
    classes = len(np.unique(training.y))
    text = (
        f"{training.X.height:,} training rows, {training.X.width} features, "
        f"{classes} class{'es' if classes != 1 else ''}"
    )
    return text if held_out is None else f"{text}; {held_out.X.height:,} rows held out"
