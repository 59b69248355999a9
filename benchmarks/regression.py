"""Regression trees: squared error and seconds of treefront, CART and claritree.

``python -m benchmarks.regression`` runs everything; ``--tools`` and ``--data`` run a part of it and
keep what results/regression.csv already has of the rest. Writes results/regression.md and
regression.csv.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks import problems, progress, regression_page, results
from benchmarks.adapters import claritree
from benchmarks.process import measure

LIMIT = 60.0  # seconds per fit
NAMES = (*problems.REGRESSION, problems.DIABETES)


@dataclass(frozen=True)
class Contender:
    adapter: str
    options: dict[str, Any]
    depths: tuple[int, ...] = regression_page.DEPTHS

    def measure(self, data: str, depth: int) -> dict[str, Any]:
        options = {"max_depth": depth} | self.options
        return measure(self.adapter, {"name": data}, options, limit=LIMIT)


CONTENDERS = {
    "CART": Contender("cart", {"criterion": "squared_error"}),
    "treefront": Contender("treefront", {}),
    "treefront exact": Contender("treefront", {"splits": "all", "time_limit": LIMIT}, (3, 4)),
    "claritree": Contender("claritree", {}),
    "claritree linear": Contender("claritree", {"linear": True}, (3,)),
}


def main() -> None:
    arguments = parse()
    rows = {key(row): row for row in results.read_rows("regression")}
    tasks = []
    for tool in arguments.tools:
        contender = CONTENDERS[tool]
        if contender.adapter == "claritree" and not claritree.available():
            print(f"{tool}: left out, claritree is not installed")
            continue
        for depth in contender.depths:
            for data in arguments.data:
                if data != problems.DIABETES or depth == regression_page.DIABETES_DEPTH:
                    fit = partial(contender.measure, data, depth)
                    tasks.append((f"{tool}|{depth}|{data}", fit))
    for label, row in progress.run(tasks):
        tool, depth, data = label.split("|")
        row = {"tool": tool, "depth": int(depth), "data": data} | row
        rows[key(row)] = row
        results.write_rows("regression", in_order(rows))
    parts = regression_page.parts(results.read_rows("regression"), NAMES, LIMIT)
    results.write_page("regression", "Regression trees", parts)
    print("\n\n".join(parts))


def key(row: dict[str, Any]) -> tuple[str, int, str]:
    return row["tool"], int(row["depth"]), row["data"]


def in_order(rows: dict[tuple[str, int, str], dict[str, Any]]) -> list[dict[str, Any]]:
    tools = list(CONTENDERS)

    def place(key: tuple[str, int, str]) -> tuple[int, int, int]:
        return tools.index(key[0]), key[1], NAMES.index(key[2])

    return [rows[key] for key in sorted(rows, key=place)]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regression")
    parser.add_argument("--tools", nargs="*", default=list(CONTENDERS), choices=list(CONTENDERS))
    parser.add_argument("--data", nargs="*", default=NAMES, help="only these data sets")
    return parser.parse_args()


if __name__ == "__main__":
    main()
