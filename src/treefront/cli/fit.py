"""`treefront fit`: read, hold out, search, choose, save, report, show."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from treefront.cli import choice, prices, rows, show
from treefront.cli.choice import ByPrice, Model
from treefront.cli.errors import InputError
from treefront.cli.flags import flag_name, with_flags
from treefront.cli.request import Request
from treefront.cli.rows import Rows
from treefront.cli.table import listed
from treefront.estimators import (
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
    LongSearchWarning,
)
from treefront.report import report

# By whether numbers are predicted, and whether cross-validation chooses the tree.
ESTIMATORS: Mapping[tuple[bool, bool], type[Model]] = {
    (False, False): DPDTClassifier,
    (False, True): DPDTClassifierCV,
    (True, False): DPDTRegressor,
    (True, True): DPDTRegressorCV,
}


def run(request: Request) -> None:
    """Fit a model of a file, write it where asked, and print it.

    Raises
    ------
    InputError
        Something in the file or in the flags is wrong.
    """
    request.check()
    all_rows = rows.read(request)
    params = _params(request, all_rows)
    try:
        by_price = choice.scorer_of(params, all_rows)
    except ValueError as error:
        raise InputError(with_flags(str(error))) from error
    choice.check_scoring(request, all_rows)
    if request.by_folds:
        params["scoring"] = request.scoring or by_price
    training, held_out = rows.hold_out(all_rows, request)
    params = _for_classes_of(training, all_rows, params)
    model, seconds = _fit(params, training, request)
    scores = choice.choose(model, held_out, request, by_price)
    # Files first: whoever reads the output may stop reading at any time.
    if request.out is not None:
        _save(model, request.out)
    if request.report is not None:
        _report(model, training if held_out is None else held_out, request, by_price)
    if not request.quiet:
        why = choice.why(model, scores, request)
        show.show_fit(model, scores, why, seconds, rows.about(training, held_out))


def _params(request: Request, data: Rows) -> dict[str, Any]:
    """Parameters of the estimator, with what is said by name as it takes it."""
    by_name = {
        "class_weight": _class_weight(request, data),
        "cost_matrix": request.cost_matrix,
        "feature_costs": prices.by_name(
            "--feature-costs",
            prices.pairs("--feature-costs", request.feature_costs),
            data.X.columns,
            "column",
            prices.price,
        ),
        "feature_groups": prices.groups("--feature-groups", request.feature_groups, data.X.columns),
        "monotonic_cst": prices.by_name(
            "--monotonic",
            prices.pairs("--monotonic", request.monotonic),
            data.X.columns,
            "column",
            prices.sign,
        ),
    }
    params = {**request.params, **{name: value for name, value in by_name.items() if value}}
    known = ESTIMATORS[data.is_numbers, request.by_folds]().get_params(deep=False)
    for name in params:
        if name not in known:
            here, there = ("numbers", "classes")[:: 1 if data.is_numbers else -1]
            raise InputError(
                f"{flag_name(name)} is for {there}, but {request.target!r} holds {here} "
                f"(--task {there} takes it as {there})"
            )
    if request.by_folds:
        _check_folds(params["cv"], data, request)
        # Files are often sorted, so rows are shuffled.
        splitter = KFold if data.is_numbers else StratifiedKFold
        params["cv"] = splitter(params["cv"], shuffle=True, random_state=request.seed)
    if request.cost_matrix is not None:
        params["cost_matrix"] = prices.cost_matrix(request.cost_matrix, np.unique(data.y))
        if not params["cost_matrix"].any():
            raise InputError(f"{request.cost_matrix}: every cost is 0, so all trees are as good")
    return params


def _for_classes_of(training: Rows, rows: Rows, params: dict[str, Any]) -> dict[str, Any]:
    """The same with costs of the classes that training rows have; says which have none."""
    if rows.is_numbers:
        return params
    present = training.y if training.weight is None else training.y[training.weight > 0]
    classes = np.unique(rows.y)
    trained = np.isin(classes, present)
    if trained.all() or not trained.any():
        return params
    lost = classes[~trained].tolist()
    what = "class" if len(lost) == 1 else "classes"
    show.warn(
        f"{what} {listed([repr(label) for label in lost])} of {rows.target!r} without a training "
        "row: never predicted"
    )
    if "cost_matrix" not in params:
        return params
    return {**params, "cost_matrix": params["cost_matrix"][np.ix_(trained, trained)]}


def _check_folds(n_folds: int, data: Rows, request: Request) -> None:
    if n_folds > len(data.y):
        raise InputError(f"--cv {n_folds}: there are only {len(data.y):,} rows")
    largest = (
        len(data.y) if data.is_numbers else int(np.unique(data.y, return_counts=True)[1].max())
    )
    if n_folds > largest:
        raise InputError(
            f"--cv {n_folds}: the largest class of {request.target!r} has only {largest:,} rows"
        )


def _class_weight(request: Request, data: Rows) -> Any:
    if request.class_weight == ["balanced"]:
        return "balanced"
    given = prices.pairs("--class-weight", request.class_weight, "balanced, NAME=WEIGHT")
    classes = [] if data.is_numbers else np.unique(data.y).tolist()
    if data.is_numbers:  # the flag itself is the mistake
        return given
    return prices.by_name("--class-weight", given, classes, "class", prices.weight)


def _fit(params: Mapping[str, Any], training: Rows, request: Request) -> tuple[Model, float]:
    show_progress = sys.stderr.isatty() and not request.quiet
    estimator = ESTIMATORS[training.is_numbers, request.by_folds]
    start = time.perf_counter()
    try:
        model = estimator(**params, verbose=int(show_progress))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("always", LongSearchWarning)
            warnings.showwarning = _show_warning
            model.fit(training.X, training.y, training.weight)
    except ValueError as error:
        raise InputError(with_flags(str(error))) from error
    seconds = time.perf_counter() - start
    if model.status_ == "time_limit":
        show.warn("the time limit was reached; this is the best front found until then")
    return model.set_params(verbose=0), seconds


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    show.warn(with_flags(str(message)))


def _save(model: Model, path: Path) -> None:
    try:
        model.save(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _report(model: Model, shown: Rows, request: Request, by_price: ByPrice | None) -> None:
    assert request.report is not None
    weight = shown.weight
    if by_price is not None and by_price.weights is not None:  # as the tree was chosen
        weight = by_price.row_weights(shown.y, weight)
    page = report(
        model,
        shown.X,
        shown.y,
        sample_weight=weight,
        rows=request.report_rows,
        name="validation" if request.holdout > 0 else "training",
        row_names=[str(number) for number in shown.numbers],
        title=request.title or f"{request.target} in {request.data.name}",
    )
    try:
        page.save(request.report)
    except OSError as error:
        raise InputError(
            f"{request.report} cannot be written: {error.strerror or error}"
        ) from error
