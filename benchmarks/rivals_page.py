"""The page of results/rivals.md, from the rows of results/rivals.csv alone."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import problems, results

DEPTH_3 = [
    "treefront d3",
    "CART entropy d3",
    "CART gini d3",
    "pycontree d2",
    "pycontree d3",
    "LicketySPLIT d3",
]
PROOFS = {
    depth: [f"treefront exact d{depth}", f"pycontree d{depth}", f"pystreed d{depth}"]
    for depth in (2, 3, 4)
}
DEPTH_5 = ["treefront d5", "CART entropy d5", "CART gini d5", "LicketySPLIT d5"]
# Ours, the rival it is timed against: both measured in the same run.
RATIOS = [
    ("treefront d3", "CART entropy d3"),
    ("treefront d3", "pycontree d3"),
    ("treefront d3", "LicketySPLIT d3"),
    ("treefront d5", "CART entropy d5"),
    ("treefront d5", "LicketySPLIT d5"),
]
# Ours, the live reference, the recorded reference (a column of reference_times.csv).
SAME_SEARCH = [
    ("treefront 16 leaves d3", "reference 16 leaves d3", "dpdt_d3_16"),
    ("treefront 4 leaves d5", "reference 4 leaves d5", "dpdt_d5_4"),
]
TIE = 5e-6  # accuracies on file have six digits; one row of the largest data set is 5e-6


@dataclass(frozen=True)
class Cell:
    status: str
    seconds: float | None
    accuracy: float | None
    unproved: bool = False

    def __str__(self) -> str:
        if self.status == "time_limit":
            return f"> {results.seconds(self.seconds)}"
        if self.accuracy is None:
            return self.status
        mark = " (unproved)" if self.unproved else ""
        return f"{100 * self.accuracy:.2f} / {results.seconds(self.seconds)}{mark}"


NOT_RUN = Cell("–", None, None)
Cells = dict[tuple[str, str], Cell]


def parts(rows: list[dict[str, str]], limit: float) -> list[str]:
    cells = {
        (row["tool"], row["data"]): Cell(
            row["status"],
            float(row["seconds"]) if row["seconds"] else None,
            float(row["accuracy"]) if row["accuracy"] else None,
            row.get("proved") == "False",
        )
        for row in rows
    }
    recorded = results.recorded("reference_times")
    return [
        (
            "Every fit alone in a process pinned to one core, with one thread; processor seconds, "
            "median of 3 below 5 s. Cells: training accuracy in per cent / seconds; `>`: stopped "
            f"after the limit ({limit:g} s in the last run). LicketySPLIT's time includes its "
            "binariser. A ratio above 1 means that treefront was faster."
        ),
        "## Depth 3",
        grid(DEPTH_3, cells),
        "## Depth 5",
        grid(DEPTH_5, cells),
        "## Seconds of the rival for one second of treefront",
        ratios(cells, RATIOS),
        "## Optimal trees",
        (
            "Trees proved optimal over all tests, by treefront and pycontree; by pystreed over the "
            "tests at 20 quantiles of every feature (its own binarisation, inside its time). Then "
            "seconds of the rival for one of treefront; a proof that was stopped counts with the "
            "limit."
        ),
        *(grid(tools, cells) for tools in PROOFS.values()),
        ratios(cells, [(ours, theirs) for ours, *rivals in PROOFS.values() for theirs in rivals]),
        "## The whole front proved, and two threads",
        (
            "Depth 3. Seconds for every tree of the front proved, against one tree at alpha = 0; "
            "and wall-clock seconds with two threads on two cores, where one takes over a second."
        ),
        proofs_compared(rows),
        "## Depth 5, default settings: goals",
        goals(cells, recorded),
        "## The same search as the reference implementation",
        (
            "Recorded: times of another machine (reference_times.csv). Live: both on this machine, "
            "in the same run."
        ),
        same_search(cells, recorded),
    ]


def grid(tools: list[str], cells: Cells) -> str:
    lines = [
        [data, *(str(cells.get((tool, data), NOT_RUN)) for tool in tools)]
        for data in problems.NAMES
    ]
    return results.table(["data", *tools], lines)


def ratio(ours: Cell, theirs: Cell) -> float | None:
    """None where one of them was not measured. A stopped fit counts with its limit."""
    if ours.status != "ok" or theirs.seconds is None or not ours.seconds:
        return None
    return theirs.seconds / ours.seconds


def proofs_compared(rows: list[dict[str, str]]) -> str:
    """The front against one tree (processor seconds), one thread against two (wall clock)."""
    found = {(row["tool"], row["data"]): row for row in rows if row["status"] == "ok"}
    header = ["data", "one tree", "front", "ratio", "one thread", "two threads", "speed-up"]
    pairs = [
        ("treefront exact front d3", "treefront exact d3", "seconds"),
        ("treefront exact d3", "treefront exact d3, 2 threads", "wall_seconds"),
    ]
    lines, quotients = [], ([], [])
    for data in problems.NAMES:
        line = [data]
        for values, (above, below, column) in zip(quotients, pairs, strict=True):
            if (above, data) not in found or (below, data) not in found:
                line += ["–"] * 3
                continue
            a, b = (float(found[tool, data][column]) for tool in (above, below))
            values.append(a / b)
            first, second = (b, a) if column == "seconds" else (a, b)
            line += [results.seconds(first), results.seconds(second), f"{a / b:.2f}"]
        lines.append(line)
    means = [f"{results.geometric_mean(values):.2f}" for values in quotients]
    lines.append(["**geometric mean**", "", "", means[0], "", "", means[1]])
    return results.table(header, lines)


def ratios(cells: Cells, pairs: list[tuple[str, str]]) -> str:
    header = ["data", *(f"{theirs} / {ours}" for ours, theirs in pairs)]
    found: list[list[float]] = [[] for _ in pairs]
    lines = []
    for data in problems.NAMES:
        line = [data]
        for column, (ours, theirs) in zip(found, pairs, strict=True):
            rival = cells.get((theirs, data), NOT_RUN)
            value = ratio(cells.get((ours, data), NOT_RUN), rival)
            column += [] if value is None else [value]
            stopped = "> " if rival.status == "time_limit" or rival.unproved else ""
            line.append("–" if value is None else f"{stopped}{value:.3g}")
        lines.append(line)
    means = [f"{results.geometric_mean(column):.3g} ({len(column)})" for column in found]
    return results.table(header, [*lines, ["**geometric mean (data sets)**", *means]])


def goals(cells: Cells, recorded) -> str:
    header = ["data", "treefront d5", "recorded DPDT-3 `(8,)*5`", "LicketySPLIT d5", "recorded"]
    header += ["accuracy", "time"]
    lines = []
    for data in problems.NAMES:
        ours = cells.get(("treefront d5", data), NOT_RUN)
        rival = cells.get(("LicketySPLIT d5", data), NOT_RUN)
        numbers = recorded.get(data, {})
        dpdt = numbers.get("dpdt_d5_8_accuracy")
        earlier = numbers.get("licketysplit_d5_accuracy")
        goal = max((a for a in (dpdt, rival.accuracy, earlier) if a is not None), default=None)
        lines.append(
            [
                data,
                str(ours),
                "–" if dpdt is None else f"{100 * dpdt:.2f}",
                str(rival),
                "–" if earlier is None else f"{100 * earlier:.2f}",
                verdict(
                    None if goal is None or ours.accuracy is None else ours.accuracy - goal + TIE
                ),
                verdict(None if (faster := ratio(ours, rival)) is None else faster - 1),
            ]
        )
    return results.table(header, lines)


def verdict(margin: float | None) -> str:
    if margin is None:
        return "–"
    return "ok" if margin >= 0 else "**short**"


def same_search(cells: Cells, recorded) -> str:
    header = ["data"]
    for ours, _, _ in SAME_SEARCH:
        header += [ours, "recorded", "ratio", "live", "ratio", "accuracy"]
    found: list[list[float]] = [[] for _ in range(2 * len(SAME_SEARCH))]
    lines = []
    for data in problems.NAMES:
        line = [data]
        for k, (name, live_name, column) in enumerate(SAME_SEARCH):
            ours, live = (cells.get((tool, data), NOT_RUN) for tool in (name, live_name))
            numbers = recorded.get(data, {})
            past = Cell("ok", numbers.get(f"{column}_s"), numbers.get(f"{column}_accuracy"))
            line.append(str(ours))
            for rival, values in ((past, found[2 * k]), (live, found[2 * k + 1])):
                finished = rival.status == "ok" and rival.accuracy is not None
                value = ratio(ours, rival) if finished else None
                values += [] if value is None else [value]
                line += [str(rival) if rival.seconds else "–"]
                line += ["–" if value is None else f"{value:.0f}"]
            goal = max((c.accuracy for c in (past, live) if c.accuracy is not None), default=None)
            known = goal is not None and ours.accuracy is not None
            line.append(verdict(ours.accuracy - goal + TIE if known else None))
        lines.append(line)
    last = ["**geometric mean (data sets)**"]
    for k in range(len(SAME_SEARCH)):
        past, live = found[2 * k], found[2 * k + 1]
        last += ["", "", f"{results.geometric_mean(past):.0f} ({len(past)})"]
        last += ["", f"{results.geometric_mean(live):.0f} ({len(live)})", ""]
    return results.table(header, [*lines, last])
