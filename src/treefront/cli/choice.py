"""Which tree `treefront fit` chooses: by rows held out, by folds, by size, or by alpha."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treefront import costs, selection
from treefront.cli.errors import InputError
from treefront.cli.flags import with_flags
from treefront.cli.request import Request
from treefront.cli.rows import Rows
from treefront.estimators import (
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
)
from treefront.estimators import scores as scorers
from treefront.front import SCORES
from treefront.labels import codes_of
from treefront.rules import leaves as leaves_in_words
from treefront.rules import percent, rounded

Floats = NDArray[np.float64]
Model = DPDTClassifier | DPDTRegressor | DPDTClassifierCV | DPDTRegressorCV

SHARES = [name for name, _ in SCORES.values()]


@dataclass(frozen=True)
class Scores:
    """How good the trees of the front are on rows they were not fitted on."""

    where: str  # "validation", or "3 folds"
    name: str
    values: Floats  # (n_trees,)
    spread: Floats | None = None  # standard errors
    less_is_better: bool = False

    def said(self, index: int) -> str:
        """One score as text."""
        return _said(self.name, float(self.values[index]), "{:.2%}".format)

    def said_with_spread(self, index: int) -> str:
        """One score, and its standard error where it has one."""
        spread = None if self.spread is None else float(self.spread[index])
        return self.said(index) if spread is None else f"{self.said(index)} ± {rounded(spread, 2)}"


def _said(name: str, value: float, as_percent: Callable[[float], str]) -> str:
    if name == "accuracy":
        return as_percent(value)
    if name in SHARES:
        return f"{round(value, 4) + 0.0:.4f}"  # no minus sign before a nought
    return rounded(value)


def choose(model: Model, held_out: Rows | None, request: Request) -> Scores | None:
    """Choose the tree that predicts; returns the scores it can be compared by, if there are any.

    Raises
    ------
    InputError
        No tree is so small, or the scorer does not fit the data.
    """
    try:
        scores = _scores(model, held_out, request)
        by = request.chosen_by
        if "alpha" not in by and by:
            model.select(n_leaves=request.n_leaves, mean_tests=request.mean_tests)
        elif not by and scores is not None and held_out is not None:
            values = -scores.values if scores.less_is_better else scores.values
            model.select(alpha=model.front_.alpha_of(selection.best(values[:, None])))
    except ValueError as error:
        raise InputError(with_flags(str(error))) from error
    return scores


def _scores(model: Model, held_out: Rows | None, request: Request) -> Scores | None:
    if isinstance(model, (DPDTClassifierCV, DPDTRegressorCV)):
        results = model.cv_results_
        where = f"{model.n_splits_} folds"
        return Scores(
            where, model.score_name, results["mean_test_score"], results["standard_error"]
        )
    if held_out is None:
        return None
    if request.scoring is not None:
        scorer = scorers.check_scorer(model, request.scoring)
        weighs = held_out.weight is not None and scorers.takes_weights(scorer)
        given = {"sample_weight": held_out.weight} if weighs else {}
        values, _ = scorers.of_trees(
            model, model.front_.trees, scorer, held_out.X, held_out.y, given
        )
        return Scores("validation", request.scoring.replace("_", " "), values)
    if isinstance(model, DPDTClassifier) and model.cost_matrix is not None:
        prices = costs.cost_matrix(model.cost_matrix, model.classes_)
        paid = _mean_costs(model, prices, held_out)
        return Scores("validation", "cost", paid, less_is_better=True)
    front = model.front_
    values = front.score(held_out.X, held_out.y, held_out.weight)
    return Scores("validation", front.score_name, values)


def _mean_costs(model: DPDTClassifier, prices: Floats, rows: Rows) -> Floats:
    """What the predictions of every tree cost on average, by true class and prediction."""
    true = codes_of(rows.y, model.classes_)
    paid = (prices[true, codes_of(p, model.classes_)] for p in model.front_.predict(rows.X))
    return np.array([np.average(cost, weights=rows.weight) for cost in paid])


def why(model: Model, scores: Scores | None, request: Request) -> str:
    """Which tree is marked, and by what."""
    leaves = leaves_in_words(model.tree_.n_leaves)
    chosen = model.front_.index(model.tree_)
    words: Callable[[str], str] = "* chosen by {}".format
    if request.n_leaves is not None:
        return words(f"--n-leaves {request.n_leaves}: {leaves}")
    if request.mean_tests is not None:
        return words(f"--mean-tests {request.mean_tests:g}: {leaves}")
    if scores is None or "alpha" in request.chosen_by:
        return words(f"alpha = {model.alpha_:g}: {leaves}")
    said = _said(scores.name, float(scores.values[chosen]), percent)
    if scores.spread is None:
        return words(f"validation {scores.name} ({said}), the smallest tree at a tie: {leaves}")
    rule = {
        "best": "the highest",
        "one_standard_error": "the smallest tree within one standard error of the best",
    }[model.get_params(deep=False)["rule"]]
    return words(f"{scores.name} in {scores.where} ({said}), {rule}: {leaves}")
