"""Trees of depth 5: Table 2, Figure 2, and the trade-off curves of Figures 3, 8 and 9."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from benchmarks import problems, results
from benchmarks.paper import binary, depth3, methods, pages, selection
from benchmarks.paper.log import Log, Task
from benchmarks.paper.selection import CART, NAMES, TEST
from benchmarks.paper.settings import Settings

__all__ = ["NAMES", "SHOWS", "tasks", "write"]

SHOWS = ("table2", "figure2", "figure3", "figure8", "figure9")
DEPTH = 5
NODES = "defaults, nodes"
SEARCHES: dict[str, Any] = {
    "DPDT-3": partial(methods.dpdt, 3),
    "DPDT-2": partial(methods.dpdt, 2),
    "DPDT-2, ties, both": partial(methods.dpdt_ties, 2),
    "defaults": dict,
    NODES: partial(dict, complexity="splits"),
}
COLUMNS = {"DPDT-3": "dpdt3", "DPDT-2": "dpdt2", "defaults": "", CART: "cart"}
CURVES = ("avila", "eeg", "fault", "segment")  # of Figure 3; where CART generalises badly
Point = tuple[int, int]  # complexity and errors, summed over the rows


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    return selection.tasks(settings, DEPTH, SEARCHES)


def write(log: Log, settings: Settings) -> None:
    names = selection.complete(log, settings, SEARCHES)
    for name, title, parts in (
        ("table2", "Table 2: trees of depth 5, selected", table2(log, settings, names)),
        ("tradeoffs", "Figures 3, 8 and 9: trade-offs at depth 5", tradeoffs(log, names)),
    ):
        pages.write(settings, name, title, parts, log.rows)
    wins_figure(log, settings, names)
    curves(
        log, settings, "figure3", [data for data in CURVES if data in names] or names[:1], "tests"
    )
    curves(log, settings, "figure8", names, "tests")
    curves(log, settings, "figure9", names, "nodes")


# ---- Table 2 and Figure 2 ----


def table2(log: Log, settings: Settings, names: list[str]) -> list[str]:
    paper = pages.published(2)
    listed = [name for name in COLUMNS if name != CART]
    return [
        (
            "Of all trees of a fit, the most accurate one on the rows that choose. Accuracy in per "
            "cent and average number of tests; the paper's in brackets."
        ),
        *selection.sections(log, names, paper, COLUMNS, ("DPDT-2, ties, both",)),
        "## Solvers that give one tree",
        (
            "Quant-BnB: our exact search at depth 3, as the paper could not go deeper. MurTree and "
            "Pystreed: pystreed on binarised features, the best of all sizes "
            "([binary.md](binary.md)). On all test rows, and on their second half, which tells the "
            "paper's figures; there the first half chooses the size. `–`: not measured."
        ),
        solvers(settings, names, paper),
        "## Seconds for all trees of a front",
        "CART: its fit and its path of prices, without the fits that scikit-learn asks for.",
        selection.times(log, names, COLUMNS, paper),
        "\n".join(selection.speed(log, names, {n: COLUMNS[n] for n in listed}, paper)),
    ]


def solvers(settings: Settings, names: list[str], paper: pages.Published) -> str:
    shallow = Log(settings.folder / "depth3.csv", depth3.NAMES)
    sizes = Log(settings.folder / "binary.csv", binary.NAMES)
    lines = []
    for data in names:
        whole, half = (
            depth3.accuracy(shallow, data, depth3.EXACT, part) for part in ("test", "second")
        )
        found = sizes.of(data)
        lines.append(
            [
                *(data, pages.percent(whole)),
                f"{pages.percent(half)} ({pages.plain(paper[data]['quant_bnb'])})",
                pages.percent(binary.best(found, binary.ON_TEST)) + binary.came(found),
                pages.percent(binary.best(found, binary.ON_HALF)),
                *(pages.or_oom(paper[data][name]) for name in ("murtree", "pystreed")),
            ]
        )
    header = ["data", "exact, depth 3: all test rows", "second half", "pystreed: all test rows"]
    return results.table([*header, "second half", "MurTree (paper)", "Pystreed (paper)"], lines)


def wins_figure(log: Log, settings: Settings, names: list[str]) -> None:
    """Figure 2: on how many data sets a method generalises better, and makes fewer tests."""
    plt = pages.pyplot()
    paper = pages.published(2)
    bars: dict[str, tuple[int, int]] = {}
    for name in ("DPDT-3", "DPDT-2", "defaults"):
        for rule, label in ((selection.ON_HALF, ""), (selection.ON_VALID, "\n(validation)")):
            won = pages.wins(
                selection.accuracies(log, names, name, rule),
                selection.accuracies(log, names, CART, rule),
            )
            made = pages.wins(
                selection.tests(log, names, CART, rule), selection.tests(log, names, name, rule)
            )
            bars[name + label] = won[0], made[0]
    for column in ("dpdt3", "dpdt2"):
        rows = {data: paper[data] for data in names}
        won = sum((row[column] or 0) > (row["cart"] or 0) for row in rows.values())
        fewer = sum(
            (row[f"{column}_tests"] or 0) < (row["cart_tests"] or 0) for row in rows.values()
        )
        bars[f"{column.upper()[:4]}-{column[-1]}\n(paper)"] = won, fewer
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained", sharey=True)
    titles = ("more accurate than CART", "fewer tests than CART")
    for place, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        colours = ["0.6" if "paper" in name else "C0" for name in bars]
        drawn = ax.bar(range(len(bars)), [bar[place] for bar in bars.values()], color=colours)
        ax.bar_label(drawn)
        ax.set_xticks(range(len(bars)), list(bars), fontsize=7)
        ax.set_title(f"{title}: data sets of {len(names)}", fontsize=10)
        ax.spines[["top", "right"]].set_visible(False)
    pages.save(settings, "figure2", figure)


# ---- Figures 3, 8 and 9 ----


def points(rows: list[dict[str, str]], data: str, complexity: str) -> list[Point]:
    """Whole numbers: tests made by all rows, or nodes of the tree; and errors."""
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


def tradeoffs(log: Log, names: list[str]) -> list[str]:
    lines = []
    total = {"tests": 0, "nodes": 0}
    for data in names:
        line = [data]
        cart = log.of(data, CART, TEST)
        for complexity, methods_ in (
            ("tests", ("DPDT-3", "defaults")),
            ("nodes", ("DPDT-3", NODES)),
        ):
            trees = points(cart, data, complexity)
            for method in methods_:
                front = points(log.of(data, method, TEST), data, complexity)
                better = sum(beaten_at(front, tree) is not None for tree in trees)
                line.append(f"{better} of {len(trees)}")
                total[complexity] += better if method in ("defaults", NODES) else 0
        lines.append(line)
    return [
        (
            "Figure 3: four data sets against average tests; Figure 8: all 16; Figure 9: all 16 "
            "against nodes. Lines: training rows; dots: test rows. CART: its whole pruning path "
            "(entropy)."
        ),
        (
            "Trees of CART's pruning path that cost less than every tree of a front at some "
            "price, on the training rows, in whole numbers without rounding. 0: the front "
            "dominates CART everywhere. DPDT-3 minds average tests, also where nodes are "
            "counted, and is promised to dominate only in tests and where scikit-learn's CART "
            "draws no lots."
        ),
        results.table(
            [
                "data",
                "DPDT-3, tests",
                "defaults, tests",
                "DPDT-3, nodes",
                "defaults for nodes, nodes",
            ],
            lines,
        ),
        (
            f"Defaults: {total['tests']} trees of CART are better at some price in average tests, "
            f'{total["nodes"]} in nodes (`complexity="splits"`).'
        ),
        "![Figure 3](figure3.png)",
        "![Figure 8](figure8.png)",
        "![Figure 9](figure9.png)",
    ]


def curves(log: Log, settings: Settings, name: str, names: list[str], complexity: str) -> None:
    plt = pages.pyplot()
    columns = min(4, len(names))
    lines = -(-len(names) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(3.1 * columns, 2.5 * lines), layout="constrained", squeeze=False
    )
    ours = "defaults" if complexity == "tests" else NODES
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, data in zip(axes.flat, names, strict=False):
        for method, colour in ((CART, "C1"), ("DPDT-3", "C2"), (ours, "C0")):
            rows = log.of(data, method, TEST)
            if complexity == "tests":
                rows = sorted(rows, key=lambda row: float(row["train_tests"]))
                x = [float(row["train_tests"]) for row in rows]
            else:
                rows = sorted(rows, key=nodes)
                x = [float(nodes(row)) for row in rows]
            label = {CART: "CART", "DPDT-3": "DPDT-3"}.get(method, "treefront")
            train = [100 * float(row["train_accuracy"]) for row in rows]
            ax.plot(x, train, "-", color=colour, lw=1.2, label=f"{label}, training")
            test = [100 * float(row["test_accuracy"]) for row in rows]
            ax.plot(x, test, ".", color=colour, ms=4, alpha=0.7, label=f"{label}, test")
        ax.set_title(data, fontsize=10)
        ax.tick_params(labelsize=7)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0, 0].legend(fontsize=6, frameon=False)
    figure.supylabel("accuracy (%)", fontsize=9)
    figure.supxlabel("average tests per row" if complexity == "tests" else "nodes", fontsize=9)
    pages.save(settings, name, figure)
