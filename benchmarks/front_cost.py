"""What the whole front costs: all alphas at once against the same search at alpha = 0 alone.

``python -m benchmarks.front_cost`` writes results/front_cost.md and results/front_cost.csv.
"""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

from benchmarks import problems, progress, results
from benchmarks.process import measure

LIMIT = 600.0
REPEATS = 7  # pairs of fits; the ratio of medians counts

SEARCHES = {
    "CART depth 4, depth 3": {"depth": 3, "splits": [["cart", 4, 0, "entropy"]]},
    "CART 4 leaves, depth 5": {"depth": 5, "splits": [["cart", 0, 4, "gini"]]},
}
TAILS = (0, 1, 2)
GOAL = {0: 1.3, 1: 1.3, 2: 3.0}


def main() -> None:
    tasks = [
        (f"{data}|{search}|{tail}", partial(pair, data, options | {"exact_tail": tail}))
        for data in problems.NAMES
        for search, options in SEARCHES.items()
        for tail in TAILS
    ]
    rows = []
    for label, row in progress.run(tasks):
        data, search, tail = label.split("|")
        rows.append({"data": data, "search": search, "exact_tail": int(tail)} | row)
        results.write_rows("front_cost", rows)
    results.write_page("front_cost", "The cost of the whole front", page(rows))


def pair(data: str, options: dict[str, Any]) -> dict[str, Any]:
    options = options | {"repeats": REPEATS}
    row = measure("engine", {"name": data}, options, limit=LIMIT, repeats=1)
    if row["status"] == "ok":
        row["ratio"] = row["front_seconds"] / row["one_alpha_seconds"]
    return row


def page(rows: list[dict[str, Any]]) -> list[str]:
    keys = [(search, tail) for search in SEARCHES for tail in TAILS]
    cells = {(row["data"], row["search"], row["exact_tail"]): row for row in rows}
    lines = [
        [data, *(cell(cells[data, search, tail]) for search, tail in keys)]
        for data in problems.NAMES
    ]
    medians, shares = ["**median**"], ["**at most the goal**"]
    for search, tail in keys:
        ratios = [
            row["ratio"]
            for row in rows
            if (row["search"], row["exact_tail"]) == (search, tail) and row["status"] == "ok"
        ]
        medians.append(f"{statistics.median(ratios):.2f}" if ratios else "–")
        shares.append(f"{sum(r <= GOAL[tail] for r in ratios)} of {len(ratios)}")
    header = ["data", *(f"{search}, tail {tail} (goal {GOAL[tail]})" for search, tail in keys)]
    return [
        (
            "Seconds of the whole front / seconds at alpha = 0 alone = ratio (trees on the front). "
            f"One thread, processor seconds; medians of {REPEATS} alternating fits each."
        ),
        results.table(header, [*lines, medians, shares]),
    ]


def cell(row: dict[str, Any]) -> str:
    if row["status"] != "ok":
        return row["status"]
    both = f"{results.seconds(row['front_seconds'])} / {results.seconds(row['one_alpha_seconds'])}"
    return f"{both} = {row['ratio']:.2f} ({row['trees']})"


if __name__ == "__main__":
    main()
