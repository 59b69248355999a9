"""The front as a staircase: error against the average number of tests, or against leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treefront import rules
from treefront.data import as_rows
from treefront.front import SCORES, Front
from treefront.plots import style
from treefront.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

ROOM_BELOW = 0.08  # of the largest error: under a tree without errors stands its leaf count
# What is left of the loss of a single leaf.
UNITS = {
    "squared_error": "squared error left (1 − R²)",
    "absolute_error": "absolute error left (1 − D²)",
}
AGAINST = {"tests": "average number of tests per row", "leaves": "number of leaves"}


@dataclass(frozen=True)
class FrontCurve:
    """What the plot shows; trees in order of their average number of tests, or of leaves."""

    mean_tests: Floats
    n_leaves: NDArray[np.int64]
    training_error: Floats
    validation_error: Floats | None
    validation_spread: Floats | None = None  # half the length of an error bar
    chosen: int | None = None
    against: str = "tests"
    cart: FrontCurve | None = None  # of CART's pruning path
    unit: str = "error rate"

    @property
    def is_rate(self) -> bool:
        """Whether errors are shares of the rows."""
        return self.unit == "error rate"

    @property
    def best(self) -> int | None:
        """Tree with the smallest validation error, the one with fewer tests at a tie."""
        return None if self.validation_error is None else int(np.argmin(self.validation_error))

    @property
    def x(self) -> NDArray[Any]:
        """What the error is drawn against."""
        return self.mean_tests if self.against == "tests" else self.n_leaves


def plot_front(
    front: Front,
    ax: Axes | None = None,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    against: str = "tests",
    chosen: int | Tree | None = None,
    scores: ArrayLike | None = None,
    scores_std: ArrayLike | None = None,
    cart: tuple[ArrayLike, ArrayLike] | None = None,
) -> Axes:
    """Draw the errors of all trees of a front; see `Front.plot`."""
    curve = compute(
        front,
        X,
        y,
        against=against,
        chosen=chosen,
        scores=scores,
        scores_std=scores_std,
        cart=cart,
    )
    return draw(curve, ax)


def compute(
    front: Front,
    X: ArrayLike | None,
    y: ArrayLike | None,
    *,
    against: str = "tests",
    chosen: int | Tree | None = None,
    scores: ArrayLike | None = None,
    scores_std: ArrayLike | None = None,
    cart: tuple[ArrayLike, ArrayLike] | None = None,
) -> FrontCurve:
    """Numbers of the plot; parameters and errors are those of `Front.plot`."""
    if (X is None) != (y is None):
        raise ValueError("the validation error needs both X and y")
    if X is not None and scores is not None:
        raise ValueError("the validation error comes from X and y or from scores, not from both")
    if scores is None and scores_std is not None:
        raise ValueError("scores_std belongs to scores")
    if against not in AGAINST:
        raise ValueError(f"against must be 'tests' or 'leaves', got {against!r}")
    validation, spread = None, None
    if X is not None and y is not None:
        validation = 1 - front.score(X, y)
    elif scores is not None:
        validation = 1 - _per_tree(front, scores, "scores")
        spread = None if scores_std is None else _per_tree(front, scores_std, "scores_std")
    # Under complexity "splits" a larger tree may ask fewer tests of the average row.
    order = np.argsort(front.mean_tests if against == "tests" else front.n_leaves, kind="stable")
    place = None if chosen is None else _place(front, chosen)
    return FrontCurve(
        mean_tests=front.mean_tests[order],
        n_leaves=front.n_leaves[order],
        training_error=np.array([_training_error(tree) for tree in front])[order],
        validation_error=None if validation is None else validation[order],
        validation_spread=None if spread is None else spread[order],
        chosen=None if place is None else int(np.flatnonzero(order == place)[0]),
        against=against,
        cart=None if cart is None else pruning_path(front, *cart, X, y, against=against),
        unit=UNITS.get(front[0].loss_name, "error rate"),
    )


def _per_tree(front: Front, given: ArrayLike, name: str) -> Floats:
    values: Floats = np.asarray(given, dtype=np.float64)
    if values.shape != (len(front),):
        raise ValueError(
            f"{name} must have one entry per tree of the front, ({len(front)},), got {values.shape}"
        )
    return values


def _place(front: Front, chosen: int | Tree) -> int:
    """Place of a tree in the front."""
    if isinstance(chosen, Tree):
        return front.index(chosen)
    if not -len(front) <= chosen < len(front):
        raise ValueError(f"chosen is {chosen}, but the front has {len(front)} trees")
    return int(chosen) % len(front)


def _training_error(tree: Tree) -> float:
    """Share of the misclassified training rows, or what is left of the loss of a single leaf."""
    leaves = tree.feature < 0
    if tree.loss_name == "error_rate":
        return float(tree.loss[leaves].sum() / tree.weight[0])
    if tree.classes is None:
        whole = float(tree.loss[0])
        return float(tree.loss[leaves].sum()) / whole if whole > 0 else 0.0
    right = np.take_along_axis(tree.value, tree.decision[:, None], axis=1)[:, 0]
    total = float(tree.weight[0])
    return float((tree.weight - right)[leaves].sum()) / total


def pruning_path(
    front: Front,
    X: ArrayLike,
    y: ArrayLike,
    X_validation: ArrayLike | None,
    y_validation: ArrayLike | None,
    *,
    against: str,
) -> FrontCurve:
    """Every tree that cost-complexity pruning of scikit-learn's CART gives, as deep as the front.

    Raises
    ------
    ValueError
        Columns of categories, which scikit-learn's CART does not take.
    """
    from sklearn.metrics import accuracy_score
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    names, categories = front[0].feature_names, front[0].categories
    if any(known is not None for known in categories):
        raise ValueError("cart: scikit-learn's CART takes no categories; leave it out")
    times = front[0].times
    rows = as_rows(X, names, categories, times)
    options: dict[str, Any] = {"max_depth": max(1, int(front.depth.max())), "random_state": 0}
    if front[0].classes is None:
        kind, metric = DecisionTreeRegressor, SCORES[front[0].loss_name][1]
        options["criterion"] = front[0].loss_name
    else:
        kind, metric = DecisionTreeClassifier, accuracy_score
    alphas = np.unique(kind(**options).cost_complexity_pruning_path(rows, y).ccp_alphas)
    trees = [kind(ccp_alpha=max(a, 0.0), **options).fit(rows, y) for a in alphas[::-1]]
    tested = None if X_validation is None else as_rows(X_validation, names, categories, times)
    return FrontCurve(
        mean_tests=np.array([t.decision_path(rows).sum() / len(rows) - 1 for t in trees]),
        n_leaves=np.array([t.get_n_leaves() for t in trees]),
        training_error=np.array([1 - metric(y, t.predict(rows)) for t in trees]),
        validation_error=None
        if tested is None
        else np.array([1 - metric(y_validation, t.predict(tested)) for t in trees]),
        against=against,
    )


def draw(curve: FrontCurve, ax: Axes | None) -> Axes:
    """Draw on `ax`, or on a new pyplot figure; matplotlib's settings are left alone.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    ax = style.axes(ax, 6.4, 4.0)
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    if curve.cart is not None:
        for error, color, name in (
            (curve.cart.training_error, style.TRAINING_COLOR, "CART, training"),
            (curve.cart.validation_error, style.VALIDATION_COLOR, "CART, validation"),
        ):
            if error is not None:
                _stairs(ax, curve.cart, error, color, name, is_other=True)
    _stairs(ax, curve, curve.training_error, style.TRAINING_COLOR, "training")
    if curve.validation_error is not None:
        error, color = curve.validation_error, style.VALIDATION_COLOR
        name = "validation" if curve.validation_spread is None else "cross-validation"
        _stairs(ax, curve, error, color, name)
        if curve.validation_spread is not None:
            ax.errorbar(
                curve.x,
                error,
                yerr=curve.validation_spread,
                fmt="none",
                ecolor=color,
                elinewidth=1.0,
                capsize=2.5,
            )
        assert curve.best is not None
        best = curve.best
        words = f"best: {rules.leaves(int(curve.n_leaves[best]))}"
        style.ring(ax, float(curve.x[best]), float(error[best]), color, words)
    if curve.chosen is not None:
        _mark_chosen(ax, curve, curve.chosen)
    if curve.validation_error is not None or curve.cart is not None or curve.chosen is not None:
        # On a ground of its own: the line of the chosen tree may pass behind it.
        ax.legend(edgecolor="none", framealpha=0.9)
    if curve.against == "tests":
        style.label_leaves(ax, curve.mean_tests, curve.training_error, curve.n_leaves, -5)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(AGAINST[curve.against])
    ax.set_ylabel(curve.unit)
    if curve.is_rate:
        ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=None))
    ax.set_ylim(bottom=-ROOM_BELOW * float(curve.training_error[0]))
    style.plain(ax)
    return ax


def _stairs(
    ax: Axes, curve: FrontCurve, error: Floats, color: str, name: str, *, is_other: bool = False
) -> None:
    ax.plot(
        curve.x,
        error,
        drawstyle="steps-post",
        color=color,
        linewidth=1.0 if is_other else 1.6,
        linestyle="--" if is_other else "-",
        alpha=0.7 if is_other else 1.0,
        marker="x" if is_other else "o",
        markersize=4.5,
        label=name,
    )


def _mark_chosen(ax: Axes, curve: FrontCurve, chosen: int) -> None:
    """A line through all curves: the choice is of a tree, not of one of its errors."""
    ax.axvline(
        float(curve.x[chosen]),
        color=style.OTHER_COLOR,
        linewidth=1.2,
        linestyle=":",
        zorder=0.5,
        label=f"chosen: {rules.leaves(int(curve.n_leaves[chosen]))}",
    )
