"""A proof over time: the best tree in hand, the lower bound, and the gap between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from treefront.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treefront.estimators.base import FrontEstimator
    from treefront.estimators.history import History


def plot_search(model: FrontEstimator, ax: Axes | None = None) -> Axes:
    """Draw the history of a proof.

    Parameters
    ----------
    model : fitted estimator with ``splits="all"``
    ax : matplotlib Axes, optional
        Where to draw; a new pyplot figure without.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        The last fit proved nothing, or the model is from a file, which holds no history.
    ImportError
        matplotlib is not installed.
    """
    check_is_fitted(model)
    history: History | None = getattr(model, "search_history_", None)
    if history is None:
        raise ValueError("this model has no history of its search: files do not hold it")
    if len(history) == 0:
        raise ValueError("the last fit proved nothing: plot_search shows proofs, splits='all'")
    return draw(history, ax, is_rate=hasattr(model, "classes_"))


def draw(history: History, ax: Axes | None, *, is_rate: bool) -> Axes:
    """Draw a history that has moments."""
    ax = style.axes(ax, 6.4, 3.6)
    from matplotlib.ticker import PercentFormatter

    seconds = history.seconds
    ax.fill_between(
        seconds,
        history.bound,
        history.value,
        step="post",
        color=style.OTHER_COLOR,
        alpha=0.18,
        linewidth=0,
    )
    for values, color, name in (
        (history.value, style.VALIDATION_COLOR, "best tree found"),
        (history.bound, style.TRAINING_COLOR, "lower bound"),
    ):
        ax.step(seconds, values, where="post", color=color, linewidth=1.6, label=name)
        ax.plot(seconds[-1], values[-1], marker="o", markersize=4.5, color=color)
    gap = float(history.gap[-1])
    says = "proved optimal" if gap == 0 else f"gap {gap:.2%}" if is_rate else f"gap {gap:.4g}"
    ax.annotate(
        says,
        (seconds[-1], (history.value[-1] + history.bound[-1]) / 2),
        xytext=(0 if gap == 0 else -7, 7 if gap == 0 else 0),
        textcoords="offset points",
        horizontalalignment="right",
        verticalalignment="bottom" if gap == 0 else "center",
        color=style.TEXT_COLOR,
    )
    ax.set_xlabel("seconds")
    ax.set_ylabel("loss + alpha × complexity")
    if is_rate:
        ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=None))
    top = float(history.value.max())
    ax.set_ylim(-0.08 * top, 1.15 * top if top > 0 else 1.0)
    ax.set_xlim(left=0)
    style.plain(ax)
    ax.legend(frameon=False, loc="best")
    return ax
