"""What all plots share: colours that colour-blind readers tell apart, and new axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAINING_COLOR = "#1f5a8a"
VALIDATION_COLOR = "#d1622b"
OTHER_COLOR = "#8a8a8a"
GRID_COLOR = "#d9d9d9"
TEXT_COLOR = "#333333"
# Okabe and Ito's colours for classes, without black; see https://jfly.uni-koeln.de/color/
CLASS_COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")


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
