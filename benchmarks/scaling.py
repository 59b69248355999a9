"""How time and memory of a default fit grow with rows, columns and depth.

``python -m benchmarks.scaling`` writes results/scaling.md, scaling.csv and scaling.png.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import progress, results
from benchmarks.process import measure

LIMIT = 300.0
BASE = {"rows": 10_000, "columns": 20, "depth": 4}
SWEEPS: dict[str, list[int]] = {
    "rows": [1_000, 3_000, 10_000, 30_000, 100_000, 300_000],
    "columns": [5, 10, 20, 50, 100],
    "depth": [1, 2, 3, 4, 5, 6],
}
LARGE = {"rows": 100_000, "columns": 50, "depth": 4}  # goal: 60 s, 10 times the memory of X
SKIN = {"name": "skin", "depth": 3}  # goal: 3 s, 500 MB


def main() -> None:
    tasks = [(label(where), partial(fit, where)) for where in (LARGE, SKIN)]
    for axis, values in SWEEPS.items():
        for value in values:
            where = BASE | {axis: value}
            tasks.append((f"{axis}: {label(where)}", partial(fit, where)))
    rows = []
    for name, row in progress.run(tasks):
        rows.append({"fit": name} | row)
        results.write_rows("scaling", rows)
    draw(rows)
    results.write_page("scaling", "Default settings on larger data", page(rows))


def label(where: dict[str, Any]) -> str:
    if "name" in where:
        return f"{where['name']}, depth {where['depth']}"
    return f"{where['rows']:,} x {where['columns']}, depth {where['depth']}"


def fit(where: dict[str, Any]) -> dict[str, Any]:
    problem = {key: value for key, value in where.items() if key != "depth"}
    row = measure("treefront", problem, {"max_depth": where["depth"]}, limit=LIMIT)
    return where | row


def page(rows: list[dict[str, Any]]) -> list[str]:
    header = ["fit", "seconds", "memory MB", "X MB", "memory / X", "states", "accuracy %"]
    return [
        (
            "Synthetic two-class data without ties (benchmarks/problems.py), one thread, processor "
            "seconds; memory is the peak of the fit less what the process held before, X included "
            "in the latter."
        ),
        results.table(header, [line(row) for row in rows]),
        "![time and memory against rows, columns and depth](scaling.png)",
    ]


def line(row: dict[str, Any]) -> list[str]:
    if row["status"] != "ok":
        return [row["fit"], row["status"], *["–"] * 5]
    memory = row["memory_mb"]
    return [
        row["fit"],
        results.seconds(row["seconds"]),
        "–" if memory is None else f"{memory:.0f}",
        f"{row['x_mb']:.1f}",
        "–" if memory is None else f"{memory / row['x_mb']:.1f}",
        f"{row['n_states']:,}",
        f"{100 * row['accuracy']:.2f}",
    ]


def draw(rows: list[dict[str, Any]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(11, 6), sharey="row", layout="constrained")
    for column, (axis, _) in enumerate(SWEEPS.items()):
        found = [r for r in rows if r["fit"].startswith(f"{axis}: ") and r["status"] == "ok"]
        fixed = ", ".join(f"{key} {value:,}" for key, value in BASE.items() if key != axis)
        for row, (field, name) in enumerate(
            [("seconds", "seconds, one thread"), ("memory_mb", "peak memory of the fit, MB")]
        ):
            plot = axes[row, column]
            plot.plot([r[axis] for r in found], [r[field] for r in found], marker="o")
            plot.set_yscale("log")
            if axis != "depth":
                plot.set_xscale("log")
            plot.grid(True, which="both", alpha=0.3)
            if row == 0:
                plot.set_title(fixed, fontsize=9)
            else:
                plot.set_xlabel(axis)
            if column == 0:
                plot.set_ylabel(name)
    figure.savefig(results.FOLDER / "scaling.png", dpi=110)


if __name__ == "__main__":
    main()
