"""What all plots share: colours that colour-blind readers tell apart, and new axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAINING_COLOR = "#1f5a8a"
VALIDATION_COLOR = "#d1622b"
OTHER_COLOR = "#8a8a8a"
GRID_COLOR = "#d9d9d9"
TEXT_COLOR = "#333333"
ROOM_OF_A_LABEL = 0.05  # of the width of a plot; closer leaf counts would overlap


def axes(ax: Axes | None, width: float, height: float) -> Axes:
    """`ax`, or axes of a new pyplot figure of this size in inches.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'treefront[plots]'") from error
    if ax is None:
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    return ax


def plain(ax: Axes) -> None:
    """Horizontal grid lines behind the data, and no frame above and at the right."""
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=GRID_COLOR, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)


def ring(ax: Axes, x: float, y: float, color: str, name: str) -> None:
    """A ring around one point of a curve."""
    ax.plot(
        x,
        y,
        linestyle="none",
        marker="o",
        markersize=11,
        markerfacecolor="none",
        markeredgecolor=color,
        markeredgewidth=1.6,
        label=name,
    )


def label_leaves(
    ax: Axes,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    n_leaves: NDArray[np.int64],
    above: int,
) -> None:
    """Number of leaves, so many points above (or below) places that ascend, where it has room."""
    last = -math.inf
    for at, height, leaves in zip(x, y, n_leaves):
        if at - last < ROOM_OF_A_LABEL * x[-1]:
            continue
        last = at
        ax.annotate(
            str(leaves) if leaves > 1 else "1 leaf",
            (at, height),
            xytext=(0, above),
            textcoords="offset points",
            horizontalalignment="center",
            verticalalignment="bottom" if above > 0 else "top",
            fontsize="small",
            color=TRAINING_COLOR,
        )
