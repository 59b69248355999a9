"""Trees of depth 5: Table 2 and Figure 2, and the rows of the trade-offs in Figures 3, 8 and 9."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.paper import methods, pages, selection, solvers, tradeoffs
from benchmarks.paper.log import Log, Task
from benchmarks.paper.selection import (
    CART,
    LARGEST,
    NAMES,
    ON_HALF,
    ON_TEST,
    ON_VALID,
    SMALLEST,
)
from benchmarks.paper.settings import Settings
from benchmarks.paper.tradeoffs import NODES
from benchmarks.paper.wins import Wins

__all__ = ["NAMES", "SHOWS", "tasks", "write"]

SHOWS = ("table2", "figure2", "figure3", "figure8", "figure9")
DEPTH = 5
TIES = "DPDT-2, ties, both"
SEARCHES: dict[str, Any] = {
    "DPDT-3": partial(methods.dpdt, 3),
    "DPDT-2": partial(methods.dpdt, 2),
    TIES: partial(methods.dpdt_ties, 2),
    "defaults": dict,
    NODES: partial(dict, complexity="splits"),
}
COLUMNS = {"DPDT-3": "dpdt3", "DPDT-2": "dpdt2", "defaults": "", CART: "cart"}


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    return selection.tasks(settings, DEPTH, SEARCHES)


def write(log: Log, settings: Settings) -> None:
    names = selection.complete(log, settings, SEARCHES)
    for name, title, parts in (
        ("table2", "Table 2: trees of depth 5, selected", table2(log, settings, names)),
        (
            "tradeoffs",
            "Figures 3, 8 and 9: trade-offs at depth 5",
            tradeoffs.section(log, names),
        ),
    ):
        pages.write(settings, name, title, parts, log.rows)
    figure2(settings, counts(log, settings, names), len(names))
    tradeoffs.draw(log, settings, names)


def table2(log: Log, settings: Settings, names: list[str]) -> list[str]:
    paper = pages.published(2)
    return [
        (
            "Of all trees of a fit, the most accurate one on the rows that choose. Accuracy in per "
            "cent and average number of tests; the paper's in brackets."
        ),
        (
            "Figure 2: on how many data sets a method is more accurate than CART, and makes fewer "
            "tests. Of trees that are equally accurate the paper's figures take CART's largest and "
            "a front's smallest; how many data sets have fewer tests hangs on that. Out of memory "
            "is no win."
        ),
        "![Figure 2](figure2.png)",
        *selection.sections(log, names, paper, COLUMNS, (TIES,)),
        "## Solvers that give one tree",
        *solvers.section(log, settings, names, paper),
        "## Seconds for all trees of a front",
        "CART: its fit and its path of prices, without the fits that scikit-learn asks for.",
        selection.times(log, names, COLUMNS, paper),
        "\n".join(selection.speed(log, names, COLUMNS, paper)),
    ]


# ---- Figure 2 ----

BARS = {
    "chosen as in the paper's figures": ON_HALF,
    "... the smallest tree at a tie for all": SMALLEST,
    "... the largest tree at a tie for all": LARGEST,
    "chosen on all test rows": ON_TEST,
    "chosen on a validation part": ON_VALID,
}
# As the axis has them; the solvers of ours and of the paper's that stand for each other.
GROUPS = {
    "DPDT-3": ("DPDT-3",),
    "DPDT-2": ("DPDT-2",),
    "defaults": ("defaults",),
    "Quant-BnB,\nexact, depth 3": ("Quant-BnB", solvers.EXACT),
    "MurTree": ("MurTree",),
    "Pystreed": ("Pystreed", solvers.BINARISED),
}


def counts(log: Log, settings: Settings, names: list[str]) -> dict[str, dict[str, Wins]]:
    """By bar and method."""
    paper = pages.published(2)
    in_paper = selection.versus_cart_in_paper(paper, COLUMNS)
    found = {"the paper's figures": in_paper | solvers.versus_cart_in_paper(paper)}
    for bar, rule in BARS.items():
        ours = selection.versus_cart(log, names, rule, COLUMNS)
        found[bar] = ours | solvers.versus_cart(log, settings, names, rule)
    return found


def figure2(settings: Settings, found: dict[str, dict[str, Wins]], total: int) -> None:
    plt = pages.pyplot()
    figure, axes = plt.subplots(
        1, 2, figsize=(12, 4.2), layout="constrained", sharey=True, width_ratios=(2, 1)
    )
    width = 0.8 / len(found)
    for ax, what, title in (
        (axes[0], "accuracy", "more accurate than CART"),
        (axes[1], "tests", "fewer tests than CART"),
    ):
        shown = [
            group
            for group, methods_ in GROUPS.items()
            if any(
                any(getattr(won[m], what)) for won in found.values() for m in methods_ if m in won
            )
        ]
        for place, (bar, won) in enumerate(found.items()):
            heights = {
                shown.index(group): getattr(won[m], what).better
                for group in shown
                for m in GROUPS[group]
                if m in won and any(getattr(won[m], what))
            }
            drawn = ax.bar(
                [at + width * (place - (len(found) - 1) / 2) for at in heights],
                list(heights.values()),
                width,
                color="0.6" if place == 0 else f"C{place - 1}",
                label=bar,
            )
            ax.bar_label(drawn, fontsize=8)
        ax.set_xticks(range(len(shown)), shown, fontsize=9)
        ax.set_title(f"{title}: data sets of {total}", fontsize=10)
        ax.spines[["top", "right"]].set_visible(False)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    pages.save(settings, "figure2", figure)
