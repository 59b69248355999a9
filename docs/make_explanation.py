"""Draw docs/images/{mdp,front-of-a-state,sum-of-fronts,intervals,proof,questions}.svg.

The pictures of docs/explanation/, on a white ground of their own.
.venv/bin/python docs/make_explanation.py
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from sklearn.datasets import load_breast_cancer, load_digits

from treefront import CartSplits, DPDTClassifier, TopSplits
from treefront.plots import style
from treefront.plots.search import plot_search

IMAGES = Path(__file__).parent / "images"
OURS, OTHER, GREY = style.TRAINING_COLOR, style.VALIDATION_COLOR, style.OTHER_COLOR
WELL, ILL = "#56b4e9", "#d55e00"
LOOK = {
    "svg.hashsalt": "treefront",  # the same file every time
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
}


def main() -> None:
    """Draw all of them."""
    with matplotlib.rc_context(LOOK):
        for name, draw, size in (
            ("mdp", graph, (9.2, 5.2)),
            ("front-of-a-state", lines_and_points, (9.2, 3.5)),
            ("sum-of-fronts", sum_of_fronts, (9.2, 3.5)),
            ("intervals", intervals, (9.2, 3.6)),
            ("proof", proof, (7.2, 3.4)),
            ("questions", questions, (7.2, 3.8)),
        ):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            figure.savefig(IMAGES / f"{name}.svg", facecolor="white", metadata={"Date": None})


# ---- the decision problem of twelve patients ----


@dataclass(frozen=True)
class State:
    """Patients who are well and ill, and where their box is drawn."""

    well: int
    ill: int
    at: tuple[float, float]

    @property
    def rows(self) -> int:
        """How many patients."""
        return self.well + self.ill

    @property
    def errors(self) -> int:
        """Of the better of the two leaves."""
        return min(self.well, self.ill)


ROOT = State(8, 4, (0.0, 2.0))
CHILDREN = {
    "young": State(6, 1, (3.0, 3.55)),
    "old": State(2, 3, (3.0, 2.5)),
    "cool": State(6, 3, (3.0, 1.45)),
    "hot": State(2, 1, (3.0, 0.4)),
}
GRANDCHILDREN = {
    ("young", "cool"): State(6, 0, (6.4, 3.55)),
    ("young", "hot"): State(0, 1, (6.4, 2.5)),
    ("old", "cool"): State(0, 3, (6.4, 1.45)),
    ("old", "hot"): State(2, 0, (6.4, 0.4)),
}
TESTS = {"age ≤ 50": ("young", "old"), "temperature ≤ 38": ("cool", "hot")}
BOX = (1.15, 0.62)


def graph(figure: Figure) -> None:
    """States, tests and where they lead; the policy for a price of 0.15 is drawn thick."""
    ax = figure.subplots()
    ax.set(xlim=(-0.75, 7.15), ylim=(-0.15, 4.35))
    ax.axis("off")
    for x, left in ((0.0, "2 tests left"), (3.0, "1 test left"), (6.4, "no test left")):
        ax.text(x, 4.25, left, ha="center", color=GREY)
    for name, sides in TESTS.items():
        place = (1.45, np.mean([CHILDREN[side].at[1] for side in sides]))
        chosen = name.startswith("age")
        link(ax, right_of(ROOT), place, chosen)
        for side in sides:
            child = CHILDREN[side]
            link(ax, place, left_of(child), chosen, f"{child.rows}/{ROOT.rows}")
        label(ax, place, name)
    for key, child in CHILDREN.items():
        ends = [state for path, state in GRANDCHILDREN.items() if key in path]
        test = "temperature ≤ 38" if key in ("young", "old") else "age ≤ 50"
        place = (4.55, child.at[1])
        chosen = key == "old"
        link(ax, right_of(child), place, chosen)
        for end in ends:
            link(ax, place, left_of(end), chosen)
        label(ax, place, test)
    taken = {"young", ("old", "cool"), ("old", "hot")}
    box(ax, ROOT, is_leaf=False)
    for key, state in (CHILDREN | GRANDCHILDREN).items():
        box(ax, state, is_leaf=key in taken)


def box(ax: Axes, state: State, *, is_leaf: bool) -> None:
    """One dot per patient, and the errors of the leaf."""
    x, y = state.at
    width, height = BOX
    ax.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            *BOX,
            boxstyle="round,pad=0.02,rounding_size=0.08",
            facecolor="white",
            edgecolor=OTHER if is_leaf else "#555555",
            linewidth=2.4 if is_leaf else 0.9,
        )
    )
    per_line = 6 if state.rows > 6 else max(state.rows, 1)
    for i in range(state.rows):
        line, column = divmod(i, per_line)
        lines = (state.rows - 1) // per_line + 1
        ax.plot(
            x + (column - (min(per_line, state.rows) - 1) / 2) * 0.15,
            y + 0.1 + ((lines - 1) / 2 - line) * 0.17,
            marker="o" if i < state.well else "s",
            markersize=5.5,
            color=WELL if i < state.well else ILL,
        )
    says = f"leaf: {state.errors} error{'' if state.errors == 1 else 's'}"
    ax.text(x, y - 0.22, says, ha="center", va="center", fontsize=7.5, color="#333333")


def link(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], chosen: bool, share: str = ""
) -> None:
    """A line, thick where the policy goes, with the share of the rows that take it."""
    color, width = (OTHER, 2.4) if chosen else ("#aaaaaa", 0.9)
    ax.plot(*zip(start, end), color=color, linewidth=width, zorder=0, solid_capstyle="round")
    if share:
        middle = (0.42 * start[0] + 0.58 * end[0], 0.42 * start[1] + 0.58 * end[1])
        label(ax, middle, share, color="#666666", pad=0.08)


def label(
    ax: Axes, at: tuple[float, float], text: str, color: str = "#222222", pad: float = 0.2
) -> None:
    """Text on white, over lines."""
    ground = {"boxstyle": f"round,pad={pad}", "facecolor": "white", "edgecolor": "none"}
    ax.text(*at, text, ha="center", va="center", fontsize=8, color=color, bbox=ground)


def left_of(state: State) -> tuple[float, float]:
    """Where lines reach the box."""
    return state.at[0] - BOX[0] / 2 - 0.02, state.at[1]


def right_of(state: State) -> tuple[float, float]:
    """Where lines leave the box."""
    return state.at[0] + BOX[0] / 2 + 0.02, state.at[1]


# ---- fronts ----

# (C, E) of some trees of the twelve patients; the first, fourth and last are the front.
TREES = {
    "leaf": (0, 4),
    "age": (12, 3),
    "temperature": (12, 4),
    "age, then temperature of the old": (17, 1),
    "temperature, then age of the cool": (21, 1),
    "both": (24, 0),
}
FRONT = [(0, 4), (17, 1), (24, 0)]


def lines_and_points(figure: Figure) -> None:
    """A tree is a line over the price, and a point: lower envelope and lower-left hull."""
    left, right = figure.subplots(1, 2)
    alpha = np.array([0.0, 0.25])
    for c, e in TREES.values():
        on_front = (c, e) in FRONT
        left.plot(alpha, e + alpha * c, color=GREY, linewidth=0.8, alpha=0.9 if on_front else 0.45)
    prices = np.linspace(*alpha, 501)
    best = np.min([e + prices * c for c, e in FRONT], axis=0)
    left.plot(prices, best, color=OURS, linewidth=2.6)
    for low, high, text in (
        (0, 1 / 7, "4 leaves"),
        (1 / 7, 3 / 17, "3 leaves"),
        (3 / 17, 0.25, "1 leaf"),
    ):
        left.axvline(high, color=style.GRID_COLOR, linewidth=0.8, zorder=0)
        left.text((low + high) / 2, 0.15, text, ha="center", color=OURS, fontsize=8)
    left.set(xlim=alpha, ylim=(0, 7), xlabel="price of a test, alpha", ylabel="E + alpha C")
    left.set_title("a tree is a line; the best ones form the lower envelope", fontsize="medium")
    for c, e in TREES.values():
        if (c, e) not in FRONT:
            right.plot(c, e, "o", color=GREY, markersize=5)
    right.plot(*zip(*FRONT), "o-", color=OURS, linewidth=2, markersize=6)
    for (c, e), text, side in (
        ((8.5, 2.5), "3 errors for 17 tests:\nslope 3/17", "right"),
        ((20.5, 0.5), "1 for 7:\nslope 1/7", "right"),
    ):
        right.annotate(
            text, (c, e), (c - 1.2, e - 0.55), ha=side, va="center", fontsize=8, color=OURS
        )
    right.set(xlim=(-1, 26), ylim=(-0.3, 4.6), xlabel="tests made, C", ylabel="errors, E")
    right.set_title("a tree is a point; the best ones form the hull", fontsize="medium")


def sum_of_fronts(figure: Figure) -> None:
    """The fronts of both sides of a test are added edge by edge; the hull of all is the front."""
    sides, total, hull = figure.subplots(1, 3, sharey=True)
    young, old = [(0, 1), (7, 0)], [(0, 2), (5, 0)]
    sides.plot(*zip(*young), "o-", color=WELL, linewidth=2, label="young: 1 error for 7 tests")
    sides.plot(*zip(*old), "s-", color=ILL, linewidth=2, label="old: 2 errors for 5 tests")
    sides.set_title("both sides of “age ≤ 50”", fontsize="medium")
    sides.legend(frameon=False, fontsize=8, loc="upper right")
    total.plot([12, 17], [3, 1], color=ILL, linewidth=2.6)
    total.plot([17, 24], [1, 0], color=WELL, linewidth=2.6)
    total.plot([12, 17, 24], [3, 1, 0], "o", color="#333333", markersize=5)
    total.annotate(
        "",
        (12, 3),
        (0, 3),
        arrowprops={"arrowstyle": "->", "color": GREY, "linewidth": 1},
    )
    total.text(6, 3.12, "12 rows make this test", ha="center", fontsize=8, color="#666666")
    total.set_title("their sum, steepest edge first", fontsize="medium")
    hull.plot([12, 17, 24], [3, 1, 0], "o-", color=GREY, linewidth=1, label="first test: age")
    hull.plot([12, 24], [4, 0], "D--", color=GREY, linewidth=1, label="first test: temperature")
    hull.plot(0, 4, "^", color=GREY, markersize=7, label="leaf")
    hull.plot(*zip(*FRONT), color=OURS, linewidth=2.6, label="hull", zorder=0)
    hull.legend(frameon=False, fontsize=8, loc="lower left")
    hull.set_title("the front: hull of all tests and the leaf", fontsize="medium")
    for ax in (sides, total, hull):
        ax.set(xlim=(-1, 26), ylim=(-0.3, 4.6), xlabel="tests made, C")
    sides.set_ylabel("errors, E")


# ---- bounds ----


def intervals(figure: Figure) -> None:
    """Every threshold of one feature at the root of real data, and the few that are evaluated."""
    values, order = sorted_feature("worst concave points")
    errors = [cost(order, cut) for cut in values]  # (left, right) of every threshold
    total = np.array([left + right for left, right in errors])
    best = int(total.min())
    asked, bound = branch_and_bound(values, errors, best)
    ax = figure.subplots()
    ax.plot(values, total, color=GREY, linewidth=1, label="value of every threshold")
    ax.fill_between(values, bound, color=OURS, alpha=0.12, linewidth=0)
    ax.plot(values, bound, color=OURS, linewidth=1, label="lower bound from those evaluated")
    ax.plot(
        [values[i] for i in asked],
        total[asked],
        "o",
        color=OURS,
        markersize=5,
        label=f"evaluated: {len(asked)} of {len(values)}",
    )
    ax.axhline(best, color=OTHER, linewidth=1.4, label=f"best tree in hand: {best} errors")
    ax.set(
        xlabel="rows left of the threshold (“worst concave points”)",
        ylabel="errors with two levels",
        xlim=(0, 569),
        ylim=(0, None),
    )
    ax.legend(frameon=False, fontsize=8, loc="lower left", ncols=2)


def sorted_feature(name: str) -> tuple[list[int], Any]:
    """Where a feature may be cut, in rows, and all rows in its order."""
    data = load_breast_cancer()
    column = data.data[:, list(data.feature_names).index(name)]
    order = np.argsort(column, kind="stable")
    cuts = np.flatnonzero(np.diff(column[order])) + 1
    return cuts.tolist(), (data.data[order], data.target[order])


def cost(rows: Any, cut: int) -> tuple[int, int]:
    """Errors of the best single test on either side."""
    X, y = rows
    sides = ((X[:cut], y[:cut]), (X[cut:], y[cut:]))
    left, right = (
        round(float(DPDTClassifier(max_depth=1).fit(*side).front_.loss[-1]) * len(side[1]))
        for side in sides
    )
    return left, right


def branch_and_bound(
    cuts: list[int], errors: list[tuple[int, int]], best: int
) -> tuple[list[int], np.ndarray]:
    """Thresholds that had to be looked at, and what is known of the others then."""
    last = len(cuts) - 1
    asked = {0, last}
    while True:
        bound = known(cuts, errors, sorted(asked))
        still = [(a, b) for a, b in pairwise(sorted(asked)) if (bound[a + 1 : b] < best).any()]
        if not still:
            return sorted(asked), bound
        a, b = max(still, key=lambda ends: ends[1] - ends[0])
        asked.add((a + b) // 2)


def known(cuts: list[int], errors: list[tuple[int, int]], asked: list[int]) -> np.ndarray:
    """Lower bound of every threshold: fewer rows cost no more, a row that moves costs at most 1."""
    bound = np.zeros(len(cuts))
    for a, b in pairwise(asked):
        for z in range(a, b + 1):
            bound[z] = max(
                errors[a][0] + errors[b][1],
                sum(errors[a]) - (cuts[z] - cuts[a]),
                sum(errors[b]) - (cuts[b] - cuts[z]),
            )
    bound[asked] = [sum(errors[a]) for a in asked]
    return bound


def proof(figure: Figure) -> None:
    """Best tree and lower bound over time."""
    X, y = load_digits(return_X_y=True)
    plot_search(DPDTClassifier(max_depth=3, splits="all").fit(X, y), figure.subplots())


# ---- which questions ----


def questions(figure: Figure) -> None:
    """States that a search looks at, and what it finds, by the generator."""
    X, y = load_breast_cancer(return_X_y=True)
    ax = figure.subplots()
    for kind, sizes, marker, color in (
        (CartSplits, (1, 2, 3, 4, 5), "o-", OURS),
        (TopSplits, (2, 4, 8, 16, 32, 64), "s--", OTHER),
    ):
        found = [measured(X, y, kind(size)) for size in sizes]
        ax.plot(*zip(*found), marker, color=color, label=f"{kind.__name__}({sizes[0]} … )")
        for size, point in zip(sizes, found):
            ax.annotate(str(size), point, (4, 5), textcoords="offset points", color=color)
    optimum = DPDTClassifier(max_depth=4, splits="all").fit(X, y)
    assert optimum.status_ == "optimal"
    ax.axhline(
        round(optimum.front_.loss[-1] * len(y)),
        color=GREY,
        linewidth=1,
        label=f"the optimum, proved with {optimum.n_states_:,} states",
    )
    ax.set_xscale("log")
    ax.set(xlabel="states solved", ylabel="training errors of the largest tree", ylim=(-0.4, None))
    ax.legend(frameon=False)


def measured(X: Any, y: Any, splits: Any) -> tuple[int, int]:
    """States and errors, by the paper's algorithm to the letter."""
    model = DPDTClassifier(max_depth=4, splits=splits, exact_tail=0).fit(X, y)
    return model.n_states_, round(float(model.front_.loss[-1]) * len(y))


if __name__ == "__main__":
    main()
