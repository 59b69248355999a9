"""`treefront predict`: a saved model and a file give one prediction per row."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from treefront.cli import columns, outputs, table
from treefront.cli.errors import InputError
from treefront.estimators import DPDTClassifier, DPDTRegressor, load
from treefront.export import names
from treefront.tree import Tree

Model = DPDTClassifier | DPDTRegressor


def run(
    model_path: Path, data: Path, out: Path | None, *, proba: bool, number: int | None = None
) -> None:
    """Predict, and write a table with one row per row of the file.

    Raises
    ------
    InputError
        The model or the data cannot be read, or do not fit each other.
    """
    outputs.check_not_read("--out", out, [model_path, data])
    model = load_model(model_path)
    tree = tree_of(model, number)
    if proba and tree.classes is None:
        raise InputError(f"{model_path} predicts numbers, which have no class shares: no --proba")
    rows = table.read(data)
    X = columns.features(rows, _columns(model, rows), columns.kinds(tree))
    if tree.feature_names is None:
        X = X.rename(dict(zip(X.columns, map(str, range(X.width)), strict=True)))
    try:
        predicted = tree.predict(X).reshape(X.height, -1)
        result = dict(zip(names.of_outputs(tree), predicted.T))
        if proba:
            result |= dict(zip(names.of_shares(tree), tree.predict_proba(X).T))
    except ValueError as error:  # such as times without a zone for those with one
        raise InputError(f"{data}: {error}") from error
    _write(pl.DataFrame(result), out)


def _write(predictions: pl.DataFrame, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(predictions.write_csv())
        return
    try:
        if out.suffix.lower() in table.PARQUET:
            predictions.write_parquet(out)
        else:
            predictions.write_csv(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error


def tree_of(model: Model, number: int | None) -> Tree:
    """The chosen tree of a model, or the one of this number in its front."""
    if number is None:
        return model.tree_
    if not 0 <= number < len(model.front_):
        raise InputError(f"--tree must be from 0 to {len(model.front_) - 1}, got {number}")
    return model.front_[number]


def load_model(path: Path) -> Model:
    """A saved model; what is wrong with the file becomes one line."""
    try:
        return load(path)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(str(error)) from error


def _columns(model: Model, rows: table.Table) -> list[str]:
    """Columns of the file in the model's order: by name, or by position if it has no names."""
    known = model.tree_.feature_names
    if known is not None:
        missing = [name for name in known if name not in rows.frame.columns]
        if missing:
            what = "column" if len(missing) == 1 else "columns"
            raise InputError(f"{rows.path} lacks the {what} {table.listed(missing)} of the model")
        return list(known)
    if rows.frame.width != model.n_features_in_:
        raise InputError(
            f"the model was fitted without column names on {model.n_features_in_} columns, "
            f"but {rows.path} has {rows.frame.width}"
        )
    return rows.frame.columns
