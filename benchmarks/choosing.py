"""Choosing a tree by cross-validation: ours against GridSearchCV over CART's ccp_alpha.

``python -m benchmarks.choosing`` runs everything; ``--tools`` and ``--data`` run a part of it and
keep what results/choosing.csv already has of the rest. Writes results/choosing.md and choosing.csv.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from benchmarks import choosing_page, problems, progress, results
from benchmarks.process import measure

LIMIT = 900.0  # seconds per run
TOOLS: dict[str, dict[str, Any]] = {
    choosing_page.OURS: {"tool": "treefront"},
    choosing_page.BEST: {"tool": "treefront", "rule": "best"},
    choosing_page.CART: {"tool": "CART", "max_depth": 4},
    choosing_page.UNLIMITED: {"tool": "CART", "max_depth": None},
}


def main() -> None:
    arguments = parse()
    rows = {key(row): row for row in results.read_rows("choosing")}
    # Tools in turn on each data set: whatever else the machine does, it does to all of them.
    tasks = [
        (
            f"{tool}|{data}",
            partial(measure, "choosing", {"name": data}, TOOLS[tool] | {"data": data}, limit=LIMIT),
        )
        for data in arguments.data
        for tool in arguments.tools
    ]
    for label, row in progress.run(tasks):
        tool, data = label.split("|")
        row = {"tool": tool, "data": data} | row
        rows[key(row)] = row
        results.write_rows("choosing", in_order(rows))
    parts = choosing_page.parts(results.read_rows("choosing"), problems.NAMES)
    results.write_page("choosing", "Choosing a tree by cross-validation", parts)
    print("\n\n".join(parts))


def key(row: dict[str, Any]) -> tuple[str, str]:
    return row["tool"], row["data"]


def in_order(rows: dict[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    names, tools = list(problems.NAMES), list(TOOLS)
    return [rows[k] for k in sorted(rows, key=lambda k: (names.index(k[1]), tools.index(k[0])))]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choosing")
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), choices=list(TOOLS))
    parser.add_argument("--data", nargs="*", default=problems.NAMES, help="only these data sets")
    return parser.parse_args()


if __name__ == "__main__":
    main()
