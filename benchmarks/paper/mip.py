"""Table 4: OCT, MFOCT and BinOCT as integer programmes, beside DPDT and CART, at depth 5."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import problems, results
from benchmarks.adapters.clock import Clock
from benchmarks.paper import fits, isolated, methods, pages
from benchmarks.paper.log import Log, Row, Task, number
from benchmarks.paper.settings import Settings

SHOWS = ("table4",)
NAMES = ("data", "method", "seed")
PROGRAMMES = {"OCT": "oct", "MFOCT": "mfoct", "BinOCT": "binoct"}
SEARCHES: dict[str, Any] = {
    "DPDT-4": partial(methods.dpdt, 4),
    "DPDT-5": partial(methods.dpdt, 5),
    "defaults": dict,
}
CART = "CART"
PAPER = {
    "DPDT-4": "dpdt4",
    "DPDT-5": "dpdt5",
    "defaults": "",
    "OCT": "oct",
    "MFOCT": "mfoct",
    "BinOCT": "binoct",
    "CART": "cart",
}


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    depth = settings.oct_depth
    for data in settings.oct_data:
        for seed in settings.oct_seeds:
            parts = split(data, seed)
            for name, options in SEARCHES.items():
                fit = partial(largest, parts, settings.repeats, depth, options())
                yield Task((data, name, str(seed)), fit)
            yield Task((data, CART, str(seed)), partial(greedy, parts, settings.repeats, depth))
    limit = settings.solver_limit
    for seed in settings.oct_seeds:
        for data in settings.oct_data:
            for name, module in PROGRAMMES.items():
                fit = partial(programme, module, data, seed, depth, limit, settings.memory_mb)
                yield Task((data, name, str(seed)), fit, budget=limit)


def split(data: str, seed: int) -> dict[str, fits.Part]:
    """Half for training, half for testing, as in Table 4."""
    from sklearn.model_selection import train_test_split

    with np.load(problems.folder() / "oct" / f"{data}.npz") as file:
        X, y = file["X"], file["y"]
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
    return {"train": (X, y), "test": (X_test, y_test)}


def largest(parts: dict[str, fits.Part], repeats: int, depth: int, options: methods.Options) -> Row:
    return fits.treefront(parts, repeats, max_depth=depth, **options)[-1]


def greedy(parts: dict[str, fits.Part], repeats: int, depth: int) -> Row:
    return fits.cart(parts, repeats, path=False, max_depth=depth, criterion="entropy")[0]


def programme(module: str, data: str, seed: int, depth: int, limit: float, memory_mb: int) -> Row:
    arguments = {"module": module, "data": data, "seed": seed, "depth": depth, "limit": limit}
    # Setting up the programme comes on top of the solver's limit.
    found, ended = isolated.rows(
        "benchmarks.paper.mip:solved", arguments, limit=2 * limit + 120, memory_mb=memory_mb
    )
    return found[0] if found else {"status": ended, "ended": "memory" in ended}


def solved(module: str, data: str, seed: int, depth: int, limit: float) -> Iterator[Row]:
    """In the child. Labels are numbered anew: a class may be missing in the training half."""
    parts = split(data, seed)
    X, y = parts["train"]
    classes, codes = np.unique(y, return_inverse=True)
    solve = importlib.import_module(f"benchmarks.paper.{module}").solve
    with Clock() as clock:
        tree, result = solve(X, codes, depth, limit)
    proved = result.status == 0
    row: Row = {
        "status": "ok" if tree is not None else "no tree in time",
        "seconds": clock.wall_seconds,
        "proved": proved,
        "ended": proved,
    }
    if tree is not None:
        for part, (rows, truth) in parts.items():
            row[f"{part}_accuracy"] = float(np.mean(classes[tree.predict(rows)] == truth))
        row["objective"] = float(result.fun)
    yield row


# ---- the page ----


def write(log: Log, settings: Settings) -> None:
    paper = pages.published(4)
    accuracy = {part: table(log, settings, paper, part) for part in ("train", "test")}
    limits = limits_met(log)
    seeds = sorted({row["seed"] for row in log.rows if row["method"] in PROGRAMMES})
    cut = limits != [600.0] or seeds != ["37", "42", "53"]
    parts = [
        (
            f"Depth {settings.oct_depth}; means over the splits of `seed` (the paper's in "
            "brackets, over three). OCT, MFOCT and BinOCT are formulated in oct.py, mfoct.py and "
            "binoct.py and solved by HiGHS through scipy; the paper's are of Gurobi. Seconds of "
            "ours are of the processor, those of the programmes of the clock, with their set-up."
        ),
        f"Integer programmes here: limit {', '.join(f'{limit:g}' for limit in limits)} s, splits "
        f"{', '.join(seeds)}."
        + (" **A partial measurement**: the paper's are 600 s and three splits." if cut else ""),
        "## Training accuracy",
        accuracy["train"],
        "## Test accuracy",
        accuracy["test"],
        "## Seconds",
        seconds(log, settings, paper),
        "`none`: no tree in time. `*`: proved optimal on every split measured.",
    ]
    pages.write(settings, "table4", "Table 4: beside integer programmes", parts)


def limits_met(log: Log) -> list[float]:
    """Limits of the programmes, without those that were solved before."""
    rows = [row for row in log.rows if row["budget"]]
    cut = [row for row in rows if row["proved"] != "True"]
    return sorted({float(row["budget"]) for row in cut or rows})


def table(log: Log, settings: Settings, paper: pages.Published, part: str) -> str:
    lines = []
    for data in [name for name in settings.oct_data if log.of(name)]:
        line = [data]
        for method, goal in PAPER.items():
            ours = mean(log, data, method, f"{part}_accuracy")
            cell = "none" if ours is None else f"{100 * ours:.1f}"
            rows = log.of(data, method)
            proved = rows and all(row.get("proved") == "True" for row in rows)
            mark = "*" if proved and method in PROGRAMMES else ""
            line.append(cell + mark + (f" ({paper[data][f'{goal}_{part}']})" if goal else ""))
        lines.append(line)
    return results.table(["data", *PAPER], lines)


def seconds(log: Log, settings: Settings, paper: pages.Published) -> str:
    lines = []
    for data in [name for name in settings.oct_data if log.of(name)]:
        line = [data]
        for method, goal in PAPER.items():
            ours = mean(log, data, method, "seconds")
            line.append(
                pages.timed(ours, paper[data][f"{goal}_s"]) if goal else results.seconds(ours)
            )
        lines.append(line)
    return results.table(["data", *PAPER], lines)


def mean(log: Log, data: str, method: str, name: str) -> float | None:
    found = [value for row in log.of(data, method) if (value := number(row, name)) is not None]
    return float(np.mean(found)) if found else None
