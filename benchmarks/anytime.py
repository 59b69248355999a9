"""How good is a search of depth 4 when it is stopped: ours and pycontree's, with the same limits.

``python -m benchmarks.anytime`` runs everything (hours, with ``--limits 600``); ``--tools``,
``--data`` and ``--limits`` run a part of it and keep what results/anytime.csv has of the rest.
Writes results/anytime.md, anytime.csv and anytime.png.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from benchmarks import anytime_page, problems, progress, results
from benchmarks.process import measure

DEPTH = 4
LIMITS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
LONG = 600.0
# Those with a curve, and those not proved within LONG by the prototype of the search.
CURVES = ("rice", "eeg", "fault", "avila", "bean")
OPEN = ("avila", "bean", "eeg", "fault", "htru", "magic", "skin")
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "treefront": ("treefront", {"splits": "all"}),
    "pycontree": ("pycontree", {}),
}


def main() -> None:
    arguments = parse()
    rows = {key(row): row for row in results.read_rows("anytime")}
    tasks = []
    for tool in arguments.tools:
        adapter, options = TOOLS[tool]
        for limit in arguments.limits:
            for data in problems.NAMES:
                if data in arguments.data and data in (OPEN if limit == LONG else CURVES):
                    settings = {"max_depth": DEPTH, "time_limit": limit} | options
                    fit = partial(measure, adapter, {"name": data}, settings, limit=limit + 30)
                    tasks.append((f"{tool} {limit:g} s: {data}", fit))
    for data in CURVES:
        for criterion in ("gini", "entropy"):
            settings = {"max_depth": DEPTH, "criterion": criterion}
            fit = partial(measure, "cart", {"name": data}, settings, limit=LONG)
            tasks.append((f"CART {criterion} 0 s: {data}", fit))
    for label, row in progress.run(tasks):
        what, data = label.split(" s: ")
        tool, limit = what.rsplit(" ", 1)
        row = {"tool": tool, "data": data, "limit": float(limit)} | row
        rows[key(row)] = row
        results.write_rows("anytime", [rows[k] for k in sorted(rows)])
    rows_on_file = results.read_rows("anytime")
    anytime_page.plot(rows_on_file, CURVES)
    parts = anytime_page.parts(rows_on_file, CURVES, OPEN, LONG)
    results.write_page("anytime", f"Stopped searches of depth {DEPTH}", parts)
    print("\n\n".join(parts))


def key(row: dict[str, Any]) -> tuple[str, str, float]:
    return row["tool"], row["data"], float(row["limit"])


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.anytime")
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), choices=list(TOOLS))
    parser.add_argument("--data", nargs="*", default=problems.NAMES, help="only these data sets")
    parser.add_argument("--limits", nargs="*", type=float, default=[*LIMITS, LONG])
    return parser.parse_args()


if __name__ == "__main__":
    main()
