"""`treefront demo`: the main job on data that scikit-learn carries."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import polars as pl
from rich.text import Text
from sklearn.datasets import load_breast_cancer

from treefront.cli import fit, show
from treefront.cli.errors import InputError
from treefront.cli.request import Request

N_NEW = 20  # last rows of the data, kept apart for `treefront predict`
TARGET = "diagnosis"
HOLDOUT = 0.25


def run(folder: Path, *, quiet: bool) -> None:
    """Write the data, fit, show the front and the chosen tree, save and report, say what is next.

    Raises
    ------
    InputError
        The folder cannot be written.
    """
    data, new, model, report = (
        folder / name for name in ("train.csv", "new.csv", "model.json", "report.html")
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_data(data, new)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from error
    if not quiet:
        show.console().print(
            Text(
                "Breast cancer (Wisconsin, diagnostic): is a tumour benign or malignant? "
                "30 measurements of cell nuclei.\n"
            ),
            soft_wrap=True,
        )
    fit.run(
        Request(
            data=data,
            target=TARGET,
            holdout=HOLDOUT,
            out=model,
            report=report,
            title="Breast cancer (Wisconsin): benign or malignant",
            quiet=quiet,
        )
    )
    if not quiet:
        _say_what_next(data, new, model, report)


def _write_data(data: Path, new: Path) -> None:
    bunch = load_breast_cancer()
    frame = pl.DataFrame(bunch.data, schema=[str(name) for name in bunch.feature_names])
    diagnosis = pl.Series(TARGET, bunch.target_names[bunch.target].tolist())
    frame.head(-N_NEW).with_columns(diagnosis.head(-N_NEW)).write_csv(data)
    frame.tail(N_NEW).write_csv(new)


def _say_what_next(data: Path, new: Path, model: Path, report: Path) -> None:
    command = _command()
    show.console().print(
        Text(
            f"\nThe model, with every tree of the front, is in {model}\n"
            f"The report is in {report}: open it in a browser to compare the trees and choose\n\n"
            f"Next:\n"
            f"  {command} predict {_quoted(model)} {_quoted(new)} --proba\n"
            f"  {command} export {_quoted(model)} --to sql --table patients\n"
            f"  {command} fit {_quoted(data)} --target {TARGET} --holdout {HOLDOUT} "
            f"--max-depth 3\n"
        ),
        soft_wrap=True,
        end="",
    )


def _command() -> str:
    """The command as it was called, so that the next lines can be pasted."""
    called = Path(sys.argv[0])
    if shutil.which("treefront") == str(called) or called.stem != "treefront":
        return "treefront"
    try:
        return _quoted(called.relative_to(Path.cwd()))
    except ValueError:
        return _quoted(called)


def _quoted(path: Path) -> str:
    return show.quoted(str(path))
