"""Table 4: OCT, MFOCT and BinOCT as integer programmes, beside DPDT and CART, at depth 5."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import problems, results
from benchmarks.adapters.clock import Clock
from benchmarks.paper import fits, isolated, methods, pages, stages
from benchmarks.paper.log import Log, Row, Task, number
from benchmarks.paper.settings import Settings

SHOWS = ("table4",)
NEEDS = ("highspy",)
NAMES = ("data", "method", "seed")
PROGRAMMES = {"OCT": "oct", "MFOCT": "mfoct", "BinOCT": "binoct"}
STARTED = {name: f"{name}, started" for name in PROGRAMMES}
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
    STARTED["OCT"]: "",
    "MFOCT": "mfoct",
    STARTED["MFOCT"]: "",
    "BinOCT": "binoct",
    STARTED["BinOCT"]: "",
    "CART": "cart",
}
SOLVED = (*PROGRAMMES, *STARTED.values())


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    depth = settings.oct_depth
    for data in settings.oct_data:
        for seed in settings.oct_seeds:
            parts = split(data, seed)
            for name, options in SEARCHES.items():
                fit = partial(fits.largest, parts, settings.repeats, max_depth=depth, **options())
                yield Task((data, name, str(seed)), fit)
            fit = partial(
                fits.greedy, parts, settings.repeats, max_depth=depth, criterion="entropy"
            )
            yield Task((data, CART, str(seed)), fit)
    limit = settings.solver_limit
    for seed in settings.oct_seeds:
        for data in settings.oct_data:
            for name, module in PROGRAMMES.items():
                for started in (True, False):
                    arguments = {"module": module, "data": data, "seed": seed, "depth": depth}
                    arguments |= {"limit": limit, "started": started}
                    fit = partial(programme, arguments, settings.memory_mb)
                    method = STARTED[name] if started else name
                    yield Task((data, method, str(seed)), fit, budget=limit)


def split(data: str, seed: int) -> dict[str, fits.Part]:
    """Half for training, half for testing, as in Table 4."""
    from sklearn.model_selection import train_test_split

    with np.load(problems.folder() / "oct" / f"{data}.npz") as file:
        X, y = file["X"], file["y"]
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
    return {"train": (X, y), "test": (X_test, y_test)}


def programme(arguments: dict[str, Any], memory_mb: int) -> Row:
    # Setting up the programme comes on top of the solver's limit.
    limit = 2 * arguments["limit"] + 120
    found, ended = isolated.rows(
        "benchmarks.paper.mip:solved", arguments, limit=limit, memory_mb=memory_mb
    )
    return found[0] if found else {"status": ended, "ended": "memory" in ended}


def solved(
    module: str, data: str, seed: int, depth: int, limit: float, started: bool
) -> Iterator[Row]:
    """In the child. Labels are numbered anew: a class may be missing in the training half."""
    parts = split(data, seed)
    X, y = parts["train"]
    classes, codes = np.unique(y, return_inverse=True)
    solve = importlib.import_module(f"benchmarks.paper.{module}").solve
    found = None
    with Clock() as clock:
        if started:
            found = stages.solve(solve, X, codes, depth, limit)
            tree, result = found.tree, found.last
        else:
            tree, result = solve(X, codes, depth, limit)
    row: Row = {
        "status": "ok" if tree is not None else "no tree in time",
        "seconds": clock.seconds,
        "wall_seconds": clock.wall_seconds,
        "proved": result.proved,
        "ended": result.proved,
    }
    if found is not None:
        row["depths_accuracy"] = float(np.mean(found.by_depths.predict(X) == codes))
        row["subtrees_accuracy"] = float(np.mean(found.by_subtrees.predict(X) == codes))
    if tree is not None:
        for part, (rows, truth) in parts.items():
            row[f"{part}_accuracy"] = float(np.mean(classes[tree.predict(rows)] == truth))
        row |= {"objective": result.objective, "bound": result.bound}
    yield row


# ---- the page ----


def write(log: Log, settings: Settings) -> None:
    paper = pages.published(4)
    accuracy = {part: table(log, settings, paper, part) for part in ("train", "test")}
    parts = [
        (
            f"Depth {settings.oct_depth}; means over the splits of `seed` (the paper's in "
            "brackets, over three). OCT, MFOCT and BinOCT are formulated in oct.py, mfoct.py and "
            "binoct.py, with rows alike merged and the smallest constants that hold, and solved "
            "by HiGHS. The paper's figures are of Gurobi, without a start, from "
            "github.com/LucasBoTang/Optimal_Classification_Trees. Started: from CART, the same "
            "formulation is solved for smaller depths and for the rows of subtrees, and for all "
            "rows at last (stages.py); the limit is of all of them together. Leaves predict the "
            "heaviest class of their training rows."
        ),
        *(measured(log, methods_) for methods_ in (tuple(PROGRAMMES), tuple(STARTED.values()))),
        "## Training accuracy",
        accuracy["train"],
        "## What the programmes add to their start",
        (
            "Training accuracy. CART of depth 5; after programmes of smaller depths; after those "
            "of subtrees; after the one for all rows, which has half of the time."
        ),
        gains(log, settings),
        "## Test accuracy",
        accuracy["test"],
        "## Seconds",
        (
            "Ours and CART's are of the processor, those of the programmes of the clock, with "
            "their set-up."
        ),
        seconds(log, settings, paper),
        "`none`: no tree in time; `–`: not measured. `*`: proved optimal on every split measured.",
    ]
    pages.write(settings, "table4", "Table 4: beside integer programmes", parts, log.rows)


def measured(log: Log, chosen: tuple[str, ...]) -> str:
    """Which limits and splits the rows of some programmes have."""
    rows = [row for row in log.rows if row["method"] in chosen]
    if not rows:
        return f"{', '.join(chosen)}: not measured."
    limits = limits_met(rows)
    seeds = sorted({row["seed"] for row in rows})
    cut = limits != [600.0] or seeds != ["37", "42", "53"]
    return (
        f"{'; '.join(chosen)}: limit {', '.join(f'{limit:g}' for limit in limits)} s of the "
        f"clock, of which a machine with other work gave them {pages.share(rows):.0%}; splits "
        f"{', '.join(seeds)}."
        + (" **A partial measurement**: the paper's are 600 s and three splits." if cut else "")
    )


def limits_met(rows: list[dict[str, str]]) -> list[float]:
    """Limits of the programmes, without those that were solved before."""
    cut = [row for row in rows if row["proved"] != "True"]
    return sorted({float(row["budget"]) for row in cut or rows})


def gains(log: Log, settings: Settings) -> str:
    lines = []
    for data in [name for name in settings.oct_data if log.of(name)]:
        line = [data]
        for method in STARTED.values():
            seeds = [row["seed"] for row in log.of(data, method)]
            greedy = [
                float(row["train_accuracy"]) for row in log.of(data, CART) if row["seed"] in seeds
            ]
            steps = (
                np.mean(greedy) if greedy else None,
                mean(log, data, method, "depths_accuracy"),
                mean(log, data, method, "subtrees_accuracy"),
                mean(log, data, method, "train_accuracy"),
            )
            line.append(" → ".join(pages.percent(step) for step in steps))
        lines.append(line)
    return results.table(["data", *STARTED.values()], lines)


def table(log: Log, settings: Settings, paper: pages.Published, part: str) -> str:
    lines = []
    for data in [name for name in settings.oct_data if log.of(name)]:
        line = [data]
        for method, goal in PAPER.items():
            rows = log.of(data, method)
            ours = mean(log, data, method, f"{part}_accuracy")
            cell = ("none" if rows else "–") if ours is None else f"{100 * ours:.1f}"
            proved = rows and all(row.get("proved") == "True" for row in rows)
            mark = "*" if proved and method in SOLVED else ""
            line.append(cell + mark + (f" ({paper[data][f'{goal}_{part}']})" if goal else ""))
        lines.append(line)
    return results.table(["data", *PAPER], lines)


def seconds(log: Log, settings: Settings, paper: pages.Published) -> str:
    lines = []
    for data in [name for name in settings.oct_data if log.of(name)]:
        line = [data]
        for method, goal in PAPER.items():
            clock = "wall_seconds" if method in SOLVED else "seconds"
            ours = mean(log, data, method, clock)
            line.append(
                pages.timed(ours, paper[data][f"{goal}_s"]) if goal else results.seconds(ours)
            )
        lines.append(line)
    return results.table(["data", *PAPER], lines)


def mean(log: Log, data: str, method: str, name: str) -> float | None:
    found = [value for row in log.of(data, method) if (value := number(row, name)) is not None]
    return float(np.mean(found)) if found else None
