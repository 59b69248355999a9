"""Figures 3, 8 and 9: accuracy against complexity at depth 5, and whether fronts dominate CART's.

Everything is counted in whole numbers: errors, and tests made by all training rows, or nodes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from benchmarks import problems, results
from benchmarks.paper import pages
from benchmarks.paper.log import Log
from benchmarks.paper.selection import CART, TEST
from benchmarks.paper.settings import Settings

NODES = "defaults, nodes"  # a search whose complexity is the number of tests in the tree
LABELS = {NODES: "defaults for nodes"}
# Fronts that CART's path is held against, by what complexity counts.
FRONTS = {"tests": ("DPDT-3", "defaults"), "nodes": ("DPDT-3", NODES)}
CURVES = ("avila", "eeg", "fault", "segment")  # of Figure 3; where CART generalises badly
Point = tuple[int, int]  # complexity and errors, summed over the rows


class Count(NamedTuple):
    """Trees of CART's pruning path: all, and those that a front does not dominate."""

    trees: int
    cheaper: int  # than every tree of the front, at some price of complexity
    undominated: int  # by any one tree of the front


def count(log: Log, names: list[str], method: str, complexity: str) -> Count:
    """Over data sets, on the training rows."""
    trees = cheaper = free = 0
    for data in names:
        path = points(log.of(data, CART, TEST), data, complexity)
        front = points(log.of(data, method, TEST), data, complexity)
        trees += len(path)
        cheaper += sum(beaten_at(front, tree) is not None for tree in path)
        free += sum(not dominated(front, tree) for tree in path)
    return Count(trees, cheaper, free)


def points(rows: list[dict[str, str]], data: str, complexity: str) -> list[Point]:
    n_rows = problems.shape(data)[0]
    return [
        (
            round(n_rows * float(row["train_tests"])) if complexity == "tests" else nodes(row),
            round(n_rows * (1 - float(row["train_accuracy"]))),
        )
        for row in rows
    ]


def nodes(row: dict[str, str]) -> int:
    """All of them, leaves too."""
    return 2 * int(row["leaves"]) - 1


def dominated(front: list[Point], tree: Point) -> bool:
    """Whether one tree of the front is neither larger nor less accurate (Pareto)."""
    return any(complexity <= tree[0] and errors <= tree[1] for complexity, errors in front)


def beaten_at(front: list[Point], tree: Point) -> Fraction | None:
    """A price at which the tree costs less than each of the front, if there is one.

    Such prices are an interval: each tree of the front narrows it.
    """
    low, high = Fraction(0), None
    for complexity, errors in front:
        # errors + a complexity > tree's: a (complexity - tree[0]) > tree[1] - errors
        slope, rest = complexity - tree[0], tree[1] - errors
        if slope == 0:
            if rest >= 0:
                return None
        elif slope > 0:
            low = max(low, Fraction(rest, slope))
        else:
            bound = Fraction(rest, slope)
            high = bound if high is None else min(high, bound)
    if high is not None and low >= high:
        return None
    return low + 1 if high is None else (low + high) / 2


def section(log: Log, names: list[str]) -> list[str]:
    columns = [(method, what) for what, methods in FRONTS.items() for method in methods]
    header = ["data", "trees of CART"]
    for method, what in columns:
        header += [f"{LABELS.get(method, method)}, {what}: cheaper", "not dominated"]
    lines = []
    for title, of in [*((data, [data]) for data in names), ("all", names)]:
        found = [count(log, of, method, what) for method, what in columns]
        line = [title, str(found[0].trees)]
        for each in found:
            line += [str(each.cheaper), str(each.undominated)]
        lines.append(line)
    return [
        (
            "Figure 3: four data sets against average tests; Figure 8: all 16; Figure 9: all 16 "
            "against nodes. Filled: training rows, with a line for the best accuracy within so "
            "much complexity. Hollow: the same trees on the test rows, at their complexity in "
            "training. CART: its whole pruning path (entropy). The constant tree, of no test, is "
            "left out."
        ),
        (
            "Two questions on the training rows, in whole numbers without rounding, for each tree "
            "of CART's pruning path. *Cheaper*: does it cost less than every tree of the front at "
            "some price of a test (or a node)? This is what DPDT promises never happens: 0 where "
            "it holds. *Not dominated*: is no single tree of the front as small and as accurate "
            "(Pareto)? The paper says that this never happens either, but no front of trees that "
            "are best at some price can promise it: they are corners of a convex hull, and a tree "
            "of CART between two corners may be smaller than the one and more accurate than the "
            "other."
        ),
        (
            "DPDT-3 minds average tests, also where nodes are counted, and is promised to be "
            "never dearer only in tests and where scikit-learn's CART draws no lots; "
            '`defaults for nodes` are searched with `complexity="splits"`.'
        ),
        results.table(header, lines),
        "![Figure 3](figure3.png)",
        "![Figure 8](figure8.png)",
        "![Figure 9](figure9.png)",
    ]


# ---- drawings ----


def draw(log: Log, settings: Settings, names: list[str]) -> None:
    few = [data for data in CURVES if data in names] or names[:1]
    curves(log, settings, "figure3", few, "tests")
    curves(log, settings, "figure8", names, "tests")
    curves(log, settings, "figure9", names, "nodes")


def curves(log: Log, settings: Settings, name: str, names: list[str], complexity: str) -> None:
    plt = pages.pyplot()
    columns = min(4, len(names))
    lines = -(-len(names) // columns)
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(3.1 * columns, 2.5 * lines + 0.5),
        layout="constrained",
        squeeze=False,
    )
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, data in zip(axes.flat, names, strict=False):
        for method, colour in zip((CART, *FRONTS[complexity]), ("C1", "C2", "C0"), strict=True):
            curve(ax, log.of(data, method, TEST), method, complexity, colour)
        ax.set_title(data, fontsize=10)
        ax.tick_params(labelsize=7)
        ax.spines[["top", "right"]].set_visible(False)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, frameon=False)
    figure.supylabel("accuracy (%)", fontsize=10)
    figure.supxlabel("average tests per row" if complexity == "tests" else "nodes", fontsize=10)
    pages.save(settings, name, figure)


def curve(ax: Any, rows: list[dict[str, str]], method: str, complexity: str, colour: str) -> None:
    """The trees that test, in training and on the test rows."""
    size = {"tests": lambda row: float(row["train_tests"]), "nodes": nodes}[complexity]
    trees = sorted((row for row in rows if int(row["leaves"]) > 1), key=size)
    x = [size(row) for row in trees]
    train = [100 * float(row["train_accuracy"]) for row in trees]
    test = [100 * float(row["test_accuracy"]) for row in trees]
    label = LABELS.get(method, method)
    within = [max(train[: place + 1]) for place in range(len(train))]
    ax.plot(x, within, color=colour, lw=0.9, drawstyle="steps-post")
    ax.plot(x, train, ".", color=colour, ms=4.5, label=f"{label}, training")
    ax.plot(x, test, "o", color=colour, mfc="none", mew=0.7, ms=3.5, label=f"{label}, test")
