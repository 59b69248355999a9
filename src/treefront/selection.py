"""Choosing a tree by the scores of cross-validation: pure functions of arrays.

Cross-validation scores prices, not trees, as L. Breiman, J. H. Friedman, R. A. Olshen and C. J.
Stone do (Classification and Regression Trees, 1984, chapters 3.4 and 11.5): a tree of the front
stands for one price in its interval, and in every fold the tree that is best at this price among
those found without the fold's rows is scored on them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # of the score: means that are equal may differ by the order of their sums


def fold_alphas(alpha_low: Floats, alpha_high: Floats) -> Floats:
    """Price that stands for every tree of a front.

    It is the geometric mean of the ends of the tree's interval. So the smallest tree has infinity,
    at which every fold has its own smallest tree, and the largest has 0, at which every fold has
    its own largest one: the score there is that of cross-validating ``alpha=0``.

    Parameters
    ----------
    alpha_low, alpha_high : ndarray of float64, shape (n_trees,)
        Of a front, smallest tree first.

    Returns
    -------
    ndarray of float64, shape (n_trees,)
        Falling. The only tree of a front has infinity.
    """
    # The product of the roots cannot overflow, and 0 times infinity is not asked for.
    inner = np.sqrt(alpha_low[1:]) * np.sqrt(alpha_high[1:])
    return np.append(np.inf, inner)


def best(scores: Floats) -> int:
    """Tree with the highest mean score, the smallest one at a tie.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_trees, n_folds)
        Higher is better; smallest tree first.

    Raises
    ------
    ValueError
        A score that is no number.
    """
    mean = _means(scores)
    highest = float(mean.max())
    return _first(mean, highest)


def one_standard_error(scores: Floats) -> int:
    """Smallest tree whose mean score is within one standard error of the best one's.

    The standard error is that of the best tree's mean, of its scores in the folds.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_trees, n_folds)
        Higher is better; smallest tree first.

    Raises
    ------
    ValueError
        Fewer than two folds, or a score that is no number.
    """
    if scores.shape[1] < 2:
        raise ValueError(
            "rule='one_standard_error' needs two or more folds, since one score has no standard "
            "error; take rule='best'"
        )
    mean = _means(scores)
    top = best(scores)
    return _first(mean, float(mean[top] - standard_error(scores)[top]))


RULES: dict[str, Callable[[Floats], int]] = {
    "best": best,
    "one_standard_error": one_standard_error,
}


def standard_error(scores: Floats) -> Floats:
    """Standard error of the mean score of every tree: (n_trees,); NaN with a single fold."""
    n_folds = scores.shape[1]
    if n_folds < 2:
        return np.full(len(scores), np.nan)
    error: Floats = scores.std(axis=1, ddof=1) / np.sqrt(n_folds)
    return error


def ranks(mean: Floats) -> NDArray[np.int32]:
    """Rank of every mean score, 1 for the highest; equal ones share the smaller rank.

    As in scikit-learn's searches, but the order of rounding makes no difference.
    """
    order = np.argsort(-mean, kind="stable")
    falls = np.diff(mean[order]) < -ROUNDING * np.abs(mean[order][:-1])
    level = np.empty(len(mean), dtype=np.int64)
    level[order] = np.append(0, np.cumsum(falls))
    rank: NDArray[np.int32] = rankdata(level, method="min").astype(np.int32)
    return rank


def _means(scores: Floats) -> Floats:
    mean: Floats = scores.mean(axis=1)
    if not np.isfinite(mean).all():
        fold = int(np.argmax(~np.isfinite(scores).all(axis=0)))
        raise ValueError(
            f"fold {fold + 1} of {scores.shape[1]} has scores that are no finite numbers, so no "
            "tree can be chosen by them; take another scoring, or folds that hold every class"
        )
    return mean


def _first(mean: Floats, least: float) -> int:
    return int(np.argmax(mean >= least - ROUNDING * abs(least)))
