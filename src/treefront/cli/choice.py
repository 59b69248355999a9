"""Which tree `treefront fit` chooses: by rows held out, by folds, by size, or by alpha."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer_names

from treefront import costs, selection
from treefront.cli.errors import InputError
from treefront.cli.flags import with_flags
from treefront.cli.request import Request
from treefront.cli.rows import Rows
from treefront.cli.table import listed
from treefront.estimators import (
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
)
from treefront.estimators import scores as scorers
from treefront.front import SCORES
from treefront.labels import Labels, codes_of, encode
from treefront.labels import names as class_names
from treefront.rules import leaves as leaves_in_words
from treefront.rules import percent, rounded

Floats = NDArray[np.float64]
Model = DPDTClassifier | DPDTRegressor | DPDTClassifierCV | DPDTRegressorCV

SHARES = [name for name, _ in SCORES.values()]


@dataclass(frozen=True)
class ByPrice:
    """Scorer of classes whose errors have prices or weights: the mean cost, or weighted accuracy.

    Called as scikit-learn calls a scorer; higher is better, so costs are negative.
    """

    classes: Labels
    weights: Floats | None  # of the classes
    costs: Floats | None  # by true class and prediction

    @property
    def name(self) -> str:
        """What it gives, but for the sign."""
        return "weighted accuracy" if self.costs is None else "cost"

    @property
    def less_is_better(self) -> bool:
        """Whether it is shown with the other sign."""
        return self.costs is not None

    def row_weights(self, y: Any, sample_weight: Floats | None) -> Floats:
        """Weights of rows, with those of their classes."""
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        return weight if self.weights is None else weight * self.weights[codes_of(y, self.classes)]

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: Floats | None = None
    ) -> float:
        """Score of an estimator on rows."""
        true = codes_of(y, self.classes)
        said = codes_of(estimator.predict(X), self.classes)
        weight = self.row_weights(y, sample_weight)
        if not weight.any():
            raise ValueError("class_weight is 0 for the class of every row that is scored")
        gain = true == said if self.costs is None else -self.costs[true, said]
        return float(np.average(gain, weights=weight))


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
        if spread is None:
            return self.said(index)
        bar = f"{spread:.2%}" if "accuracy" in self.name else rounded(spread, 2)
        return f"{self.said(index)} ± {bar}"


def _said(name: str, value: float, as_percent: Callable[[float], str]) -> str:
    if "accuracy" in name:
        return as_percent(value)
    if name in SHARES:
        return f"{round(value, 4) + 0.0:.4f}"  # no minus sign before a nought
    return rounded(value)


def scorer_of(params: Mapping[str, Any], rows: Rows) -> ByPrice | None:
    """How trees are scored by default where an estimator's parameters give errors a price."""
    weights, matrix = params.get("class_weight"), params.get("cost_matrix")
    if weights is None and matrix is None:
        return None
    classes, _ = encode(rows.y)
    return ByPrice(
        classes,
        None if weights is None else costs.class_weights(weights, classes, rows.y),
        None if matrix is None else costs.cost_matrix(matrix, classes),
    )


def check_scoring(request: Request, rows: Rows) -> None:
    """Whether `--scoring` can score what is predicted: tried on one prediction for all rows.

    Raises
    ------
    InputError
        It cannot.
    """
    if request.scoring is None:
        return
    dummy = DummyRegressor() if rows.is_numbers else DummyClassifier()
    nothing = np.zeros((len(rows.y), 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scorers.check_scorer(dummy, request.scoring)(
                dummy.fit(nothing, rows.y), nothing, rows.y
            )
    except (AttributeError, TypeError, ValueError) as error:
        others: tuple[str, ...]
        if rows.is_numbers:
            what, others = "numbers", ("neg_mean_absolute_error",)
        else:
            classes = class_names(np.unique(rows.y))
            what = f"{len(classes)} classes: {listed(classes, 5)}"
            others = (f"{request.scoring}_macro", f"{request.scoring}_ovr", "balanced_accuracy")
        other = next(name for name in others if name in get_scorer_names())
        reason = str(error).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        reason = reason.replace(type(dummy).__name__, f"a model of {what.partition(':')[0]}")
        reason = re.sub(r"np\.str_\((.*?)\)", r"\1", reason)
        raise InputError(
            f"--scoring {request.scoring} does not fit {request.target!r} ({what}): {reason}; "
            f"take another, such as {other}"
        ) from error


def choose(
    model: Model, held_out: Rows | None, request: Request, by_price: ByPrice | None
) -> Scores | None:
    """Choose the tree that predicts; returns the scores it can be compared by, if there are any.

    Raises
    ------
    InputError
        No tree is so small, or the scorer does not fit the data.
    """
    try:
        with warnings.catch_warnings():  # of scores that are no numbers, which are refused below
            warnings.simplefilter("ignore")
            scores = _scores(model, held_out, request, by_price)
        by = request.chosen_by
        if "alpha" not in by and by:
            model.select(n_leaves=request.n_leaves, mean_tests=request.mean_tests)
        elif not by and scores is not None and held_out is not None:
            if not np.isfinite(scores.values).all():
                n_rows = held_out.X.height
                rows = "the one row" if n_rows == 1 else f"the {n_rows:,} rows"
                raise InputError(
                    f"--holdout {request.holdout:g}: {scores.name} is no finite number for {rows} "
                    "held out; hold out more rows, or take another --scoring"
                )
            values = -scores.values if scores.less_is_better else scores.values
            model.select(alpha=model.front_.alpha_of(selection.best(values[:, None])))
    except ValueError as error:
        raise InputError(with_flags(str(error))) from error
    return scores


def _scores(
    model: Model, held_out: Rows | None, request: Request, by_price: ByPrice | None
) -> Scores | None:
    is_cost = request.scoring is None and by_price is not None and by_price.less_is_better
    sign = -1 if is_cost else 1  # costs are shown as such
    if isinstance(model, (DPDTClassifierCV, DPDTRegressorCV)):
        results = model.cv_results_
        name = by_price.name if by_price and request.scoring is None else model.score_name
        values = sign * results["mean_test_score"]
        where, spread = f"{model.n_splits_} folds", results["standard_error"]
        return Scores(where, name, values, spread, less_is_better=is_cost)
    if held_out is None:
        return None
    if request.scoring is not None or by_price is not None:
        scorer: scorers.Scorer
        if request.scoring is not None:
            name = request.scoring.replace("_", " ")
            scorer = scorers.check_scorer(model, request.scoring)
        else:
            assert by_price is not None
            name, scorer = by_price.name, by_price
        weighs = held_out.weight is not None and scorers.takes_weights(scorer)
        given = {"sample_weight": held_out.weight} if weighs else {}
        values, _ = scorers.of_trees(
            model, model.front_.trees, scorer, held_out.X, held_out.y, given
        )
        return Scores("validation", name, sign * values, less_is_better=is_cost)
    front = model.front_
    values = front.score(held_out.X, held_out.y, held_out.weight)
    return Scores("validation", front.score_name, values)


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
