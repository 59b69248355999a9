"""The page of results/regression.md, from the rows of results/regression.csv alone."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import problems, results

DEPTHS = (3, 4, 5)
TOOLS = ("CART", "treefront", "treefront exact", "claritree", "claritree linear")
OURS = ("treefront", "treefront exact")
# Ours, and what it is timed against: trees of the same kind.
RATIOS = (
    ("treefront", "CART"),
    ("treefront", "claritree"),
    ("treefront exact", "claritree"),
)
DIABETES_DEPTH = 3
DIABETES_MSE = 2865.41
DIABETES_SECONDS = 2.0
TIE = 1e-9  # of the error: the order of rounding


@dataclass(frozen=True)
class Cell:
    status: str
    seconds: float | None = None
    mse: float | None = None
    lower_bound: float | None = None
    proved: bool = False

    def __str__(self) -> str:
        if self.status == "time_limit":
            return f"> {results.seconds(self.seconds)}"
        if self.mse is None:
            return self.status
        return f"{self.mse:.6g} / {results.seconds(self.seconds)}"


NOT_RUN = Cell("–")
Cells = dict[tuple[str, int, str], Cell]


def parts(rows: list[dict[str, str]], names: tuple[str, ...], limit: float) -> list[str]:
    cells = {(row["tool"], int(row["depth"]), row["data"]): cell(row) for row in rows}
    found = [
        (
            "Every fit alone in a process pinned to one core, with one thread; processor seconds, "
            "median of 3 below 5 s. Cells: training mean squared error (summed over the targets; "
            'carbon has three) / seconds; `>`: stopped. `treefront exact` is `splits="all"` with '
            f"time_limit={limit:g}, which is of the wall clock. claritree: constant leaves and 20 "
            "quantiles of every feature, its default, in one target only; with linear leaves it "
            "fits a larger kind of model, shown for orientation."
        )
    ]
    for depth in DEPTHS:
        data = [name for name in names if ("CART", depth, name) in cells]
        found += [f"## Depth {depth}", grid(depth, data, cells)]
        found += ["Never worse than the other, and its seconds for one of treefront:"]
        found += [verdicts(depth, data, cells)]
    found += ["## Proofs", proofs(names, cells)]
    return [*found, "## scikit-learn's diabetes data: goals", diabetes(cells)]


def cell(row: dict[str, str]) -> Cell:
    def number(column: str) -> float | None:
        return float(row[column]) if row.get(column) else None

    proved = row.get("fit_status") == "optimal"
    return Cell(row["status"], number("seconds"), number("mse"), number("lower_bound"), proved)


def grid(depth: int, names: list[str], cells: Cells) -> str:
    tools = [tool for tool in TOOLS if any((tool, depth, name) in cells for name in names)]
    lines = [
        [name, *(str(cells.get((tool, depth, name), NOT_RUN)) for tool in tools)] for name in names
    ]
    return results.table(["data", *tools], lines)


def verdicts(depth: int, names: list[str], cells: Cells) -> str:
    """Is our error at most the rival's; then the rival's seconds for one of ours."""
    pairs = [(ours, "CART") for ours in OURS] + [(ours, "claritree") for ours in OURS]
    pairs = [pair for pair in pairs if any((pair[0], depth, name) in cells for name in names)]
    timed = [pair for pair in RATIOS if pair in pairs]
    columns: list[list[float]] = [[] for _ in timed]
    lines = []
    for name in names:
        compared = [[cells.get((tool, depth, name), NOT_RUN) for tool in pair] for pair in pairs]
        line = [name, *(verdict(*both) for both in compared)]
        for values, pair in zip(columns, timed):
            ours, theirs = (cells.get((tool, depth, name), NOT_RUN) for tool in pair)
            value = ratio(ours, theirs)
            values += [] if value is None else [value]
            stopped = "> " if theirs.status == "time_limit" else ""
            line.append("–" if value is None else f"{stopped}{value:.3g}")
        lines.append(line)
    means = [f"{results.geometric_mean(values):.3g} ({len(values)})" for values in columns]
    lines.append(["**geometric mean (data sets)**", *[""] * len(pairs), *means])
    header = [f"{ours} ≤ {theirs}" for ours, theirs in pairs]
    header += [f"{theirs} / {ours}" for ours, theirs in timed]
    return results.table(["data", *header], lines)


def verdict(ours: Cell, theirs: Cell) -> str:
    if ours.mse is None or theirs.mse is None:
        return "–"
    return "ok" if ours.mse <= theirs.mse * (1 + TIE) else "**short**"


def ratio(ours: Cell, theirs: Cell) -> float | None:
    """None where one of them was not measured. A stopped fit counts with its limit."""
    if ours.status != "ok" or theirs.seconds is None or not ours.seconds:
        return None
    return theirs.seconds / ours.seconds


def proofs(names: tuple[str, ...], cells: Cells) -> str:
    """Where the search over all tests ended in time, and what is known where it did not."""
    header = ["data", "depth", "status", "seconds", "squared error", "lower bound", "gap"]
    lines = []
    for depth in DEPTHS:
        for name in names:
            found = cells.get(("treefront exact", depth, name), NOT_RUN)
            if found.mse is None or found.lower_bound is None:
                continue
            status = "optimal" if found.proved else "stopped"
            bound = f"{found.lower_bound:.6g}"
            gap = f"{1 - found.lower_bound / found.mse:.1%}"
            line = [name, str(depth), status, results.seconds(found.seconds)]
            lines.append([*line, f"{found.mse:.6g}", bound, "0" if found.proved else gap])
    return results.table(header, lines)


def diabetes(cells: Cells) -> str:
    found = cells.get(("treefront exact", DIABETES_DEPTH, problems.DIABETES), NOT_RUN)
    if found.mse is None or found.seconds is None:
        return found.status
    # The goal was written down with two digits.
    good = round(found.mse, 2) <= DIABETES_MSE
    fast = found.seconds < DIABETES_SECONDS
    lines = [
        ["squared error", f"{found.mse:.2f}", f"≤ {DIABETES_MSE}", "ok" if good else "**short**"],
        [
            "seconds",
            results.seconds(found.seconds),
            f"< {DIABETES_SECONDS:g}",
            "ok" if fast else "**short**",
        ],
        ["proved optimal", "yes" if found.proved else "no", "", ""],
    ]
    return results.table([f"depth {DIABETES_DEPTH}", "measured", "goal", ""], lines)
