"""What missing values and categories cost: the same table complete, with holes, and half cut.

``python -m benchmarks.kinds`` writes results/kinds.md and results/kinds.csv.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import progress, results
from benchmarks.adapters.kinds import LONG
from benchmarks.process import measure

LIMIT = 600.0
REPEATS = 5  # of each kind of table, in turn; the ratio of medians counts
GOAL = 2.0

SHAPES: dict[str, dict[str, int]] = {
    "10,000 x 20": {"rows": 10_000, "columns": 20},
    "30,000 x 10": {"rows": 30_000, "columns": 10},
    "2,000 x 50": {"rows": 2_000, "columns": 50},
    "10,000 x 20, 4 classes": {"rows": 10_000, "columns": 20, "classes": 4},
}
CART = {"splits": {"class": "CartSplits", "depth": 3}}
SEARCHES: dict[str, dict[str, Any]] = {
    "default": {},
    "CART depth 3, tail 1": CART | {"exact_tail": 1},
    "CART depth 3, tail 2": CART | {"exact_tail": 2},
}
DEPTHS = (3, 5)
KINDS = ("missing", "categories")


def main() -> None:
    tasks = [
        (f"{search}|{depth}|{shape}", partial(three_kinds, problem, {"max_depth": depth} | options))
        for search, options in SEARCHES.items()
        for depth in DEPTHS
        for shape, problem in SHAPES.items()
    ]
    rows = []
    for label, row in progress.run(tasks):
        search, depth, shape = label.split("|")
        rows.append({"search": search, "depth": int(depth), "shape": shape} | row)
        results.write_rows("kinds", rows)
    parts = page(rows)
    results.write_page("kinds", "What missing values and categories cost", parts)
    print("\n\n".join(parts))


def three_kinds(problem: dict[str, int], options: dict[str, Any]) -> dict[str, Any]:
    row = measure("kinds", problem, options | {"repeats": REPEATS}, limit=LIMIT, repeats=1)
    if row["status"] == "ok":
        for kind in KINDS:
            row[f"{kind}_ratio"] = row[f"{kind}_seconds"] / row["complete_seconds"]
    return row


def page(rows: list[dict[str, Any]]) -> list[str]:
    header = ["search", "depth", "table", "complete", *KINDS]
    header += [f"{kind} / complete" for kind in KINDS]
    good = [row for row in rows if row["status"] == "ok"]
    ratios = {kind: [row[f"{kind}_ratio"] for row in good] for kind in KINDS}
    means = [f"{results.geometric_mean(ratios[kind]):.2f}" for kind in KINDS]
    counts = [f"{sum(r <= GOAL for r in ratios[kind])} of {len(good)}" for kind in KINDS]
    last = [
        ["**geometric mean**", *[""] * 5, *means],
        ["**at most the goal**", *[""] * 5, *counts],
    ]
    return [
        (
            "One fit of the classifier on a synthetic table of numbers; on the same table with a "
            "fifth of its cells missing; and with every other column cut into 10 categories. Five "
            "columns matter, one label in ten is noise; two classes unless said. Cells: seconds "
            "(states searched). One thread, processor seconds; medians of "
            f"{REPEATS} fits of each kind in turn, fewer where all take over {LONG:g} s. Goal: at "
            f"most {GOAL} times the complete table."
        ),
        results.table(header, [*(line(row) for row in rows), *last]),
    ]


def line(row: dict[str, Any]) -> list[str]:
    what = [row["search"], str(row["depth"]), row["shape"]]
    if row["status"] != "ok":
        return [*what, row["status"], *["–"] * (2 * len(KINDS))]
    times = [
        f"{results.seconds(row[f'{kind}_seconds'])} ({row[f'{kind}_states']})"
        for kind in ("complete", *KINDS)
    ]
    return [*what, *times, *(verdict(row[f"{kind}_ratio"]) for kind in KINDS)]


def verdict(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio <= GOAL else f"{ratio:.2f} **over**"


if __name__ == "__main__":
    main()
