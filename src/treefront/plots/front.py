"""The front as a staircase: error against the average number of tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treefront.front import Front

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAINING_COLOR = "#1f5a8a"
VALIDATION_COLOR = "#d1622b"
GRID_COLOR = "#d9d9d9"
ROOM_OF_A_LABEL = 0.05  # of the width of the front; closer leaf counts would overlap
ROOM_BELOW = 0.08  # of the largest error: under a tree without errors stands its leaf count


@dataclass(frozen=True)
class FrontCurve:
    """What the plot shows; trees in order of their average number of tests."""

    mean_tests: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    training_error: NDArray[np.float64]
    validation_error: NDArray[np.float64] | None

    @property
    def best(self) -> int | None:
        """Tree with the smallest validation error, the one with fewer tests at a tie."""
        return None if self.validation_error is None else int(np.argmin(self.validation_error))


def compute(front: Front, X: ArrayLike | None, y: ArrayLike | None) -> FrontCurve:
    """Numbers of the plot.

    Raises
    ------
    ValueError
        Only one of X and y is given, or they do not fit the trees.
    """
    if (X is None) != (y is None):
        raise ValueError("the validation error needs both X and y")
    # Under complexity "splits" a larger tree may ask fewer tests of the average row.
    order = np.argsort(front.mean_tests, kind="stable")
    return FrontCurve(
        mean_tests=front.mean_tests[order],
        n_leaves=front.n_leaves[order],
        training_error=front.loss[order],
        validation_error=None if X is None or y is None else (1 - front.score(X, y))[order],
    )


def draw(curve: FrontCurve, ax: Axes | None) -> Axes:
    """Draw on `ax`, or on a new pyplot figure; matplotlib's settings are left alone.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
        from matplotlib.ticker import PercentFormatter
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'treefront[plots]'") from error
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")
    _stairs(ax, curve, curve.training_error, TRAINING_COLOR, "training")
    if curve.validation_error is not None:
        _stairs(ax, curve, curve.validation_error, VALIDATION_COLOR, "validation")
        _mark_best(ax, curve)
        ax.legend(frameon=False)
    _label_leaves(ax, curve)
    ax.set_xlabel("average number of tests per row")
    ax.set_ylabel("error rate")
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=None))
    ax.set_ylim(bottom=-ROOM_BELOW * float(curve.training_error[0]))
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=GRID_COLOR, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _stairs(ax: Axes, curve: FrontCurve, error: NDArray[np.float64], color: str, name: str) -> None:
    ax.plot(
        curve.mean_tests,
        error,
        drawstyle="steps-post",
        color=color,
        linewidth=1.6,
        marker="o",
        markersize=4.5,
        label=name,
    )


def _mark_best(ax: Axes, curve: FrontCurve) -> None:
    best = curve.best
    assert best is not None
    assert curve.validation_error is not None
    ax.plot(
        curve.mean_tests[best],
        curve.validation_error[best],
        linestyle="none",
        marker="o",
        markersize=11,
        markerfacecolor="none",
        markeredgecolor=VALIDATION_COLOR,
        markeredgewidth=1.6,
        label=f"best: {curve.n_leaves[best]} leaves",
    )


def _label_leaves(ax: Axes, curve: FrontCurve) -> None:
    """Number of leaves under the trees of the training curve, where it has room."""
    last = -np.inf
    for tests, error, leaves in zip(curve.mean_tests, curve.training_error, curve.n_leaves):
        if tests - last < ROOM_OF_A_LABEL * curve.mean_tests[-1]:
            continue
        last = tests
        ax.annotate(
            str(leaves) if leaves > 1 else "1 leaf",
            (tests, error),
            xytext=(0, -5),
            textcoords="offset points",
            horizontalalignment="center",
            verticalalignment="top",
            fontsize="small",
            color=TRAINING_COLOR,
        )
