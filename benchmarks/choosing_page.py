"""The page of results/choosing.md, from the rows of results/choosing.csv alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import results

OURS = "treefront"
BEST = "treefront, best"
CART = "CART, depth 4"
UNLIMITED = "CART, any depth"
TOOLS = (OURS, BEST, CART, UNLIMITED)

INTRODUCTION = (
    "`DPDTClassifierCV()` (depth 4, five folds) against `GridSearchCV` over twenty `ccp_alpha` of "
    "`DecisionTreeClassifier`: 0, and 19 in equal ratios from the smallest to the largest price of "
    "its pruning path. Once with our depth limit, which compares trees of one kind, and once "
    "without, as a user who does not have to read the tree would call it. The same folds "
    "(`StratifiedKFold(5)`) of the training part; accuracy and average number of tests are those "
    "of the test part. Every run alone in a process pinned to one core, one job; processor "
    "seconds of everything from the data to the fitted tree, median of 3 below 5 s. The second "
    'column of ours is `rule="best"`; the default is one standard error, which was settled when '
    "both had been measured here. All 16 data sets of the paper's Table 1 are here."
)


@dataclass(frozen=True)
class Cell:
    """One tool on one data set."""

    accuracy: float
    tests: float
    leaves: int
    seconds: float
    wall_seconds: float


Cells = dict[tuple[str, str], Cell]


def parts(rows: list[dict[str, str]], names: tuple[str, ...]) -> list[str]:
    cells = {(row["tool"], row["data"]): cell(row) for row in rows if row["status"] == "ok"}
    data = [name for name in names if all((tool, name) in cells for tool in TOOLS)]
    return [
        INTRODUCTION,
        "## Ours against each search",
        summary(data, cells),
        "## Test accuracy, average number of tests, leaves",
        grid(data, cells, lambda c: f"{c.accuracy:.2%} / {c.tests:.2f} / {c.leaves}"),
        "## Seconds",
        seconds(data, cells),
    ]


def cell(row: dict[str, str]) -> Cell:
    return Cell(
        float(row["test_accuracy"]),
        float(row["test_tests"]),
        int(row["leaves"]),
        float(row["seconds"]),
        float(row["wall_seconds"]),
    )


def summary(names: list[str], cells: Cells) -> str:
    """On how many data sets ours is at least as good, and the ratio of all seconds."""
    header = ["", "accuracy: higher / equal / lower", "mean difference"]
    header += ["fewer / equal / more tests", "mean difference", "seconds in total", "of theirs"]
    lines = []
    for ours in (OURS, BEST):
        for theirs in (CART, UNLIMITED):
            pairs = [(cells[ours, name], cells[theirs, name]) for name in names]
            accuracy = [round(a.accuracy - b.accuracy, 9) for a, b in pairs]
            tests = [round(b.tests - a.tests, 9) for a, b in pairs]
            total, other = (sum(pair[i].seconds for pair in pairs) for i in (0, 1))
            lines.append(
                [
                    f"{ours} – {theirs}",
                    counts(accuracy),
                    f"{100 * sum(accuracy) / len(pairs):+.2f} points",
                    counts(tests),
                    f"{-sum(tests) / len(pairs):+.2f}",
                    f"{results.seconds(total)} – {results.seconds(other)}",
                    f"{total / other:.2f}",
                ]
            )
    return results.table(header, lines)


def counts(better_by: list[float]) -> str:
    better = sum(d > 0 for d in better_by)
    equal = sum(d == 0 for d in better_by)
    return f"{better} / {equal} / {len(better_by) - better - equal}"


def grid(names: list[str], cells: Cells, text: Callable[[Cell], str]) -> str:
    lines = [[name, *(text(cells[tool, name]) for tool in TOOLS)] for name in names]
    return results.table(["data", *TOOLS], lines)


def seconds(names: list[str], cells: Cells) -> str:
    lines = [
        [name, *(results.seconds(cells[tool, name].seconds) for tool in TOOLS)] for name in names
    ]
    for label, which in (("processor", "seconds"), ("wall clock", "wall_seconds")):
        sums = [sum(getattr(cells[tool, name], which) for name in names) for tool in TOOLS]
        lines.append([f"**total, {label}**", *map(results.seconds, sums)])
    return results.table(["data", *TOOLS], lines)
