"""Trees of depth 10: Table 6. The searches narrow with the depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.paper import methods, pages, selection
from benchmarks.paper.log import Log, Task
from benchmarks.paper.selection import CART, NAMES
from benchmarks.paper.settings import Settings

__all__ = ["NAMES", "SHOWS", "tasks", "write"]

SHOWS = ("table6",)
DEPTH = 10
# DPDT-2...: CART of depth 2 in states of depth 0 to 5, then of depth 1; DPDT-2+1...: up to 6.
SEARCHES: dict[str, Any] = {
    "DPDT-2...": partial(methods.dpdt, *(2,) * 6, 1),
    "DPDT-2+1...": partial(methods.dpdt, *(2,) * 7, 1),
    "defaults": dict,
}
COLUMNS = {"DPDT-2...": "dpdt2", "DPDT-2+1...": "dpdt21", "defaults": "", CART: "cart"}


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    return selection.tasks(settings, DEPTH, SEARCHES)


def write(log: Log, settings: Settings) -> None:
    names = selection.complete(log, settings, SEARCHES)
    pages.write(
        settings, "table6", "Table 6: trees of depth 10, selected", table6(log, names), log.rows
    )


def table6(log: Log, names: list[str]) -> list[str]:
    paper = pages.published(6)
    return [
        "Accuracy in per cent and average number of tests; the paper's in brackets.",
        *selection.sections(log, names, paper, COLUMNS),
        "## Seconds",
        "Processor seconds for all trees, the paper's in brackets, and their ratio.",
        selection.times(log, names, COLUMNS, paper),
        "\n".join(selection.speed(log, names, COLUMNS, paper)),
    ]
