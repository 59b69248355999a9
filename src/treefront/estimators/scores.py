"""Scores of many trees by any scorer of scikit-learn."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import check_scoring

from treefront.tree import Tree

Floats = NDArray[np.float64]
Scorer = Callable[..., float]


def check_scorer(estimator: Any, scoring: Any) -> Scorer:
    """What scores; without `scoring` the estimator's own `score`.

    Raises
    ------
    ValueError
        An unknown name, or a metric in the place of a scorer.
    """
    scorer: Scorer = check_scoring(estimator, scoring=scoring)
    return scorer


def takes_weights(scorer: Scorer) -> bool:
    """Whether a scorer can weight rows."""
    # A scorer that was made of a metric takes whatever the metric takes.
    metric = getattr(scorer, "_score_func", scorer)
    parameters = inspect.signature(metric).parameters.values()
    return any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters)


def of_trees(
    model: Any,
    trees: Sequence[Tree],
    scorer: Scorer,
    X: Any,
    y: Any,
    params: Mapping[str, Any],
) -> tuple[Floats, Floats]:
    """Score of every tree, and the seconds it took; a tree that comes twice is scored once.

    Parameters
    ----------
    model : estimator
        A fitted one; the scorer is given copies of it that predict by the trees.
    trees : sequence of Tree
    scorer : callable
        ``(estimator, X, y, **params) -> score``.
    X, y : array-like
        The rows, as a user would give them to the model.
    params : mapping
        What the scorer is given besides, such as weights of the rows.

    Returns
    -------
    scores, seconds : ndarray of float64, shape (n_trees,)

    Raises
    ------
    ValueError
        The scorer returned no number; or it raised so.
    """
    view = copy.copy(model)
    known: dict[int, tuple[float, float]] = {}
    for tree in trees:
        if id(tree) not in known:
            view.tree_ = tree
            start = perf_counter()
            score = scorer(view, X, y, **params)
            known[id(tree)] = _number(score), perf_counter() - start
    both = np.array([known[id(tree)] for tree in trees], dtype=np.float64)
    return both[:, 0], both[:, 1]


def _number(score: Any) -> float:
    try:
        return float(score)
    except (TypeError, ValueError) as error:
        raise ValueError(f"scoring must return a number, got {score!r}") from error
