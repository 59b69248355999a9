"""treefront against its rivals on the same data: accuracy, seconds, ratios.

``python -m benchmarks.rivals`` runs everything; ``--tools`` and ``--data`` run a part of it and
keep what results/rivals.csv already has of the rest. Writes results/rivals.md and rivals.csv.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks import problems, progress, results, rivals_page
from benchmarks.adapters import reference
from benchmarks.process import measure


@dataclass(frozen=True)
class Contender:
    adapter: str
    options: dict[str, Any]
    data: tuple[str, ...] = problems.NAMES  # those it is run on
    keeps_limit: bool = False  # it has a time limit of its own, and returns its best tree

    def measure(self, data: str, limit: float) -> dict[str, Any]:
        own = {"time_limit": limit} if self.keeps_limit else {}
        return measure(self.adapter, {"name": data}, self.options | own, limit=limit)


def same_search(max_leaves: int) -> dict[str, Any]:
    """The search of the reference implementation: its CART counts leaves and uses Gini."""
    splits = {"class": "CartSplits", "max_leaves": max_leaves, "criterion": "gini"}
    return {"splits": splits, "exact_tail": 0}


def exact(max_depth: int) -> dict[str, Any]:
    """Optimal trees over all tests."""
    return {"max_depth": max_depth, "splits": "all"}


# Those whose proof at depth 3 takes over a second: shorter ones say little about threads.
LONGEST = ("avila", "bean", "eeg", "htru", "magic")
# skin would take the reference an hour.
NOT_SKIN = tuple(data for data in problems.NAMES if data != "skin")

CONTENDERS = {
    "treefront d3": Contender("treefront", {"max_depth": 3}),
    "treefront d5": Contender("treefront", {"max_depth": 5}),
    "treefront 16 leaves d3": Contender("treefront", {"max_depth": 3} | same_search(16)),
    "treefront 4 leaves d5": Contender("treefront", {"max_depth": 5} | same_search(4)),
    "CART entropy d3": Contender("cart", {"max_depth": 3, "criterion": "entropy"}),
    "CART gini d3": Contender("cart", {"max_depth": 3, "criterion": "gini"}),
    "CART entropy d5": Contender("cart", {"max_depth": 5, "criterion": "entropy"}),
    "CART gini d5": Contender("cart", {"max_depth": 5, "criterion": "gini"}),
    "treefront exact d2": Contender("treefront", exact(2), keeps_limit=True),
    "treefront exact d3": Contender("treefront", exact(3), keeps_limit=True),
    "treefront exact d3, 2 threads": Contender("treefront", exact(3) | {"n_jobs": 2}, LONGEST),
    # Without a limit of its own: with one, a search that may not end starts with better trees.
    "treefront exact d4": Contender("treefront", exact(4)),
    "treefront exact front d3": Contender(
        "treefront", exact(3) | {"prove": "front"}, keeps_limit=True
    ),
    "pycontree d2": Contender("pycontree", {"max_depth": 2}, keeps_limit=True),
    "pycontree d3": Contender("pycontree", {"max_depth": 3}, keeps_limit=True),
    "pycontree d4": Contender("pycontree", {"max_depth": 4}, keeps_limit=True),
    "pystreed d2": Contender("pystreed", {"max_depth": 2}, keeps_limit=True),
    "pystreed d3": Contender("pystreed", {"max_depth": 3}, keeps_limit=True),
    "pystreed d4": Contender("pystreed", {"max_depth": 4}, keeps_limit=True),
    "LicketySPLIT d3": Contender("licketysplit", {"max_depth": 3}),
    "LicketySPLIT d5": Contender("licketysplit", {"max_depth": 5}),
    "reference 16 leaves d3": Contender(
        "reference", {"max_depth": 3, "cart_nodes_list": [16] * 3}, NOT_SKIN
    ),
    "reference 4 leaves d5": Contender(
        "reference", {"max_depth": 5, "cart_nodes_list": [4] * 5}, NOT_SKIN
    ),
}


def main() -> None:
    arguments = parse()
    rows = {(row["tool"], row["data"]): row for row in results.read_rows("rivals")}
    tasks = []
    for tool, contender in CONTENDERS.items():
        if not any(part in tool for part in arguments.tools):
            continue
        if contender.adapter == "reference" and not reference.available():
            print(f"{tool}: left out, TREEFRONT_REFERENCE is not set")
            continue
        for data in contender.data:
            if data in arguments.data:
                fit = partial(contender.measure, data, arguments.limit)
                tasks.append((f"{tool}: {data}", fit))
    for label, row in progress.run(tasks):
        tool, data = label.split(": ")
        rows[tool, data] = {"tool": tool, "data": data} | row
        results.write_rows("rivals", in_order(rows))
    parts = rivals_page.parts(results.read_rows("rivals"), arguments.limit)
    results.write_page("rivals", "treefront and its rivals", parts)
    print("\n\n".join(parts))


def in_order(rows: dict[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    tools = list(CONTENDERS)
    return [rows[key] for key in sorted(rows, key=lambda key: (tools.index(key[0]), key[1]))]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per fit (default 60)")
    parser.add_argument("--tools", nargs="*", default=[""], help="only tools with this in the name")
    parser.add_argument("--data", nargs="*", default=problems.NAMES, help="only these data sets")
    return parser.parse_args()


if __name__ == "__main__":
    main()
