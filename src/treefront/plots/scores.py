"""Scores of cross-validation against the average number of tests, with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treefront import rules
from treefront.plots import style
from treefront.plots.style import TRAINING_COLOR, VALIDATION_COLOR

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ScoreCurve:
    """What the plot shows; trees in order of their average number of tests."""

    mean_tests: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    score: NDArray[np.float64]
    standard_error: NDArray[np.float64]  # NaN with a single fold
    chosen: int
    threshold: float  # best score less its standard error
    name: str  # of the score


def compute(results: Mapping[str, Any], chosen: int, name: str) -> ScoreCurve:
    """Numbers of the plot, from `cv_results_` and the place of the chosen tree in it."""
    # Under complexity "splits" a larger tree may ask fewer tests of the average row.
    order = np.argsort(results["mean_tests"], kind="stable")
    score, error = results["mean_test_score"], results["standard_error"]
    best = int(np.argmax(results["rank_test_score"] == 1))
    return ScoreCurve(
        mean_tests=results["mean_tests"][order],
        n_leaves=results["n_leaves"][order],
        score=score[order],
        standard_error=error[order],
        chosen=int(np.flatnonzero(order == chosen)[0]),
        threshold=float(score[best] - error[best]),
        name=name,
    )


def draw(curve: ScoreCurve, ax: Axes | None) -> Axes:
    """Draw on `ax`, or on a new pyplot figure; matplotlib's settings are left alone.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    ax = style.axes(ax, 6.4, 4.0)
    ax.errorbar(
        curve.mean_tests,
        curve.score,
        yerr=curve.standard_error if np.isfinite(curve.threshold) else None,
        color=TRAINING_COLOR,
        linewidth=1.6,
        elinewidth=1.0,
        capsize=2.5,
        marker="o",
        markersize=4.5,
        label="mean of the folds",
    )
    if np.isfinite(curve.threshold):
        ax.axhline(
            curve.threshold,
            color=VALIDATION_COLOR,
            linewidth=1.0,
            linestyle="--",
            label="best less one standard error",
        )
    style.ring(
        ax,
        float(curve.mean_tests[curve.chosen]),
        float(curve.score[curve.chosen]),
        VALIDATION_COLOR,
        f"chosen: {rules.leaves(int(curve.n_leaves[curve.chosen]))}",
    )
    tops = curve.score + np.nan_to_num(curve.standard_error)
    style.label_leaves(ax, curve.mean_tests, tops, curve.n_leaves, 3)
    ax.legend(frameon=False, loc="lower right")
    ax.set_xlabel("average number of tests per row")
    ax.set_ylabel(f"{curve.name} in cross-validation")
    style.plain(ax)
    return ax
