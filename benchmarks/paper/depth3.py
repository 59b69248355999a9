"""Trees of depth 3: Tables 1, 3 and 7. Accuracy, optimality, and seconds against pycontree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from benchmarks import problems, results
from benchmarks.paper import binary, fits, mdp, methods, pages, selection, wins
from benchmarks.paper.log import Log, Row, Task, number
from benchmarks.paper.pruning import Part
from benchmarks.paper.settings import Settings
from benchmarks.process import measure

SHOWS = ("table1", "table3", "table7")
USES = ("pycontree", *binary.NEEDS)
NAMES = ("data", "method")
DEPTH = 3
SIZES = 2**DEPTH  # numbers of tests in a tree, 0 included
BONUS = (0, 5, 50)  # seconds that Quant-BnB-T has on top of DPDT-5's runtime
EXACT, RIVAL = "exact, proved", "pycontree"
BINARISED = {coding: f"pystreed, {coding}" for coding in binary.CODINGS}
SEARCHES: dict[str, Any] = {
    "DPDT-3": partial(methods.dpdt, 3),
    "DPDT-4": partial(methods.dpdt, 4),
    "DPDT-5": partial(methods.dpdt, 5),
    "DPDT-4, ties, both": partial(methods.dpdt_ties, 4),
    "DPDT-5, ties, both": partial(methods.dpdt_ties, 5),
    "defaults": dict,
    EXACT: methods.exact,
}
GREEDY = {"CART entropy": "entropy", "CART gini": "gini"}
LOTS = {4: "DPDT-4, lots", 5: "DPDT-5, lots"}
# Our method -> the paper's column of Table 1.
GOALS = {EXACT: "optimal", "DPDT-5": "dpdt5", "DPDT-4": "dpdt4", "CART entropy": "greedy"}
GOALS |= {"DPDT-5, ties, both": "dpdt5", "DPDT-4, ties, both": "dpdt4", "defaults": "dpdt5"}
THEIRS = {"optimal": "Quant-BnB", "dpdt5": "DPDT-5", "dpdt4": "DPDT-4", "greedy": "CART"}


def stopped(method: str, bonus: int) -> str:
    return f"{method}, T" + (f" + {bonus}" if bonus else "")


STOPPED = {bonus: stopped("exact", bonus) for bonus in BONUS}
RIVAL_STOPPED = {bonus: stopped(RIVAL, bonus) for bonus in BONUS}


def tasks(settings: Settings, log: Log) -> Iterator[Task]:
    """All fits of a data set follow each other, so that the ratios are of the same run."""
    for data in settings.data:
        parts = fits.parts(data)
        parts = parts | selection.halves(*parts["test"])
        for name, options in SEARCHES.items():
            fit = partial(fits.largest, parts, settings.repeats, max_depth=DEPTH, **options())
            yield Task((data, name), fit)
        limit = settings.solver_limit
        fit = partial(pycontree, data, limit, settings.repeats)
        yield Task((data, RIVAL), fit, budget=limit)
        for name, criterion in GREEDY.items():
            options = {"max_depth": DEPTH, "criterion": criterion}
            yield Task((data, name), partial(fits.greedy, parts, settings.repeats, **options))
        for bonus in BONUS:
            yield Task((data, STOPPED[bonus]), partial(limited, log, data, parts, bonus))
            yield Task((data, RIVAL_STOPPED[bonus]), partial(rival_limited, log, data, bonus))
        if all(map(find_spec, binary.NEEDS)):
            for coding, name in BINARISED.items():
                limit, memory = settings.shallow_limit, settings.memory_mb
                sizes = partial(binary.all_sizes, data, DEPTH, coding, limit, memory)
                yield Task((data, name), sizes, budget=limit)
        for depth, name in LOTS.items() if data in settings.lots_data else ():
            yield Task((data, name), partial(drawn, data, depth, settings.lots_runs))


def pycontree(data: str, limit: float, repeats: int) -> Row:
    options = {"max_depth": DEPTH, "time_limit": limit}
    row = measure(RIVAL, {"name": data}, options, limit=limit, repeats=repeats)
    kept = ("status", "reason", "seconds", "wall_seconds", "runs", "proved")
    found = {name: row[name] for name in kept if name in row}
    return found | {"train_accuracy": row.get("accuracy"), "ended": row.get("proved", False)}


def limited(log: Log, data: str, parts: dict[str, Part], bonus: int) -> Row:
    """Exact search for as long as DPDT-5 took, and so many seconds more."""
    limit = allowed(log, data, bonus)
    options = methods.exact() | {"time_limit": limit, "max_depth": DEPTH}
    return fits.largest(parts, 1, **options) | {"limit": limit}


def rival_limited(log: Log, data: str, bonus: int) -> Row:
    """pycontree for the same time; one run, as every run of it takes as long."""
    limit = allowed(log, data, bonus)
    return pycontree(data, limit, 1) | {"limit": limit, "ended": True}


def allowed(log: Log, data: str, bonus: int) -> float:
    return float(log.of(data, "DPDT-5")[0]["seconds"]) + bonus


def drawn(data: str, depth: int, runs: int) -> list[Row]:
    """DPDT-K of Algorithm 1, where CART draws other lots among its ties in every state and run."""
    X, y = fits.parts(data)["train"]
    rows = mdp.Rows(X, y)
    found = []
    for run in range(runs):
        made = mdp.Mdp(rows, DEPTH, mdp.cart(depth, np.random.RandomState(run)))
        found.append({"run": run, "train_accuracy": 1 - made.best[made.root] / len(y)})
    return found


# ---- what came out ----


def measured(log: Log, settings: Settings) -> list[str]:
    """Data sets of which all is, but for rivals."""
    return [data for data in settings.data if log.of(data, STOPPED[BONUS[-1]])]


def value(log: Log, data: str, method: str, name: str) -> float | None:
    rows = log.of(data, method)
    return number(rows[0], name) if rows else None


def accuracy(log: Log, data: str, method: str, part: str = "train") -> float | None:
    return value(log, data, method, f"{part}_accuracy")


def seconds(log: Log, data: str, method: str) -> float | None:
    return value(log, data, method, "seconds")


def percents(log: Log, names: list[str], method: str) -> dict[str, float]:
    """Training accuracy to the digit that the paper prints, where there is one."""
    found = {data: accuracy(log, data, method) for data in names}
    return {data: pages.printed(share) for data, share in found.items() if share is not None}


def reached(log: Log, names: list[str], method: str, theirs: dict[str, float]) -> wins.Counts:
    """Data sets on which a method is above the paper's figure, the same, and below it."""
    return wins.compare(percents(log, names, method), theirs)


def binarised(log: Log, names: list[str], coding: str) -> wins.Figures:
    """pystreed's best training accuracy over all sizes, to the digit that the paper prints."""
    rows = {data: log.of(data, BINARISED[coding]) for data in names}
    found = {data: binary.best(rows[data], ("train", "train")) for data in names}
    return {data: pages.printed(share) for data, share in found.items() if share is not None}


class Rival(NamedTuple):
    """pycontree's seconds over ours for the proof, by data set, and where it was cut off."""

    ratios: dict[str, float]
    cut: list[str]

    @property
    def mean(self) -> str:
        """A bound where it was cut off."""
        least = "at least " if self.cut else ""
        return f"{least}{results.geometric_mean(self.ratios.values()):.1f}"


def rival(log: Log, names: list[str]) -> Rival:
    both = {data: [seconds(log, data, method) for method in (RIVAL, EXACT)] for data in names}
    ratios = {data: theirs / ours for data, (theirs, ours) in both.items() if theirs and ours}
    return Rival(ratios, [data for data in ratios if log.of(data, RIVAL)[0]["proved"] != "True"])


# ---- pages ----


def write(log: Log, settings: Settings) -> None:
    names = measured(log, settings)
    for name, title, parts in (
        ("table1", "Table 1: training accuracy at depth 3", table1(log, names)),
        ("table3", "Table 3: depth 3 beside MurTree and CART", table3(log, names)),
        ("table7", "Table 7: exact search with time limits", table7(log, names)),
    ):
        pages.write(settings, name, title, parts, log.rows)


def table1(log: Log, names: list[str]) -> list[str]:
    paper = pages.published(1)
    proved = sum(log.of(data, EXACT)[0]["proved"] == "True" for data in names)
    return [
        (
            "Training accuracy in per cent, the paper's in brackets. Its Quant-BnB column stands "
            "beside our exact search, Quant-BnB-T beside the same search stopped after DPDT-5's "
            "time (see [Table 7](table7.md)). `ties, both`: all splits that tie, by entropy and by "
            "Gini; CART draws lots among ties. `*`: cut off by its limit, the best tree until then."
        ),
        accuracies(log, names, paper),
        rival_limit(log, names),
        "## Against the paper's figures",
        (
            "On how many data sets the training accuracy, to the digit that the paper prints, is "
            "above the paper's, the same, and below it, and by how much at most."
        ),
        against_paper(log, names, paper),
        lots(log, paper),
        "## Seconds",
        (
            "Processor seconds of one thread, the paper's in brackets (of another machine), and "
            "those of the clock for pycontree, whose limit is of the clock. Median of up to three "
            "fits: of ours if they take less than a second, of pycontree's if less than five; a "
            "toy was fitted before."
        ),
        times(log, names, paper),
        (
            f"The optimum is proved on {proved} of {len(names)}. pycontree's seconds over ours, "
            f"geometric mean: {rival(log, names).mean}."
        ),
        "Custard's columns are in [custard.md](custard.md).",
    ]


def accuracies(log: Log, names: list[str], paper: pages.Published) -> str:
    cut = rival(log, names).cut
    others = {method: goal for method, goal in GOALS.items() if method != EXACT}
    columns = {EXACT: "optimal", STOPPED[0]: "quant_bnb_t", RIVAL: "", **others}
    lines = []
    for data in names:
        line = [data, *map(str, problems.shape(data))]
        for method, goal in columns.items():
            cell = pages.percent(accuracy(log, data, method), 2)
            mark = "*" if method == RIVAL and data in cut else ""
            line.append(cell + mark + (f" ({pages.plain(paper[data][goal])})" if goal else ""))
        lines.append(line)
    return results.table(["data", "rows", "p", "classes", *columns], lines)


def against_paper(log: Log, names: list[str], paper: pages.Published) -> str:
    lines = []
    for method, goal in GOALS.items():
        theirs, ours = wins.column(paper, goal), percents(log, names, method)
        gaps = [0.0, *(ours[data] - theirs[data] for data in theirs if data in ours)]
        counts = map(str, reached(log, names, method, theirs))
        lines.append([method, THEIRS[goal], *counts, f"{max(gaps):.1f}", f"{abs(min(gaps)):.1f}"])
    header = ["", "against the paper's", "above", "same", "below", "most above", "most below"]
    return results.table(header, lines)


def times(log: Log, names: list[str], paper: pages.Published) -> str:
    slower = rival(log, names)
    lines = []
    for data in names:
        cut = data in slower.cut
        lines.append(
            [
                data,
                pages.timed(seconds(log, data, EXACT), paper[data]["optimal_s"]),
                results.seconds(seconds(log, data, RIVAL)) + ("*" if cut else ""),
                results.seconds(value(log, data, RIVAL, "wall_seconds")),
                ("at least " if cut else "") + pages.plain(slower.ratios.get(data)),
                pages.timed(seconds(log, data, "DPDT-5"), paper[data]["dpdt5_s"]),
                pages.timed(seconds(log, data, "DPDT-4"), paper[data]["dpdt4_s"]),
                results.seconds(seconds(log, data, "defaults")),
                pages.timed(seconds(log, data, "CART entropy"), paper[data]["greedy_s"]),
            ]
        )
    header = ["data", EXACT, RIVAL, f"{RIVAL}, clock", "ratio", "DPDT-5", "DPDT-4", "defaults"]
    return results.table([*header, "CART entropy"], lines)


def rival_limit(log: Log, names: list[str]) -> str:
    rows = [row for data in names for row in log.of(data, RIVAL)]
    single = sum(row.get("runs", "") in ("", "1") and row["proved"] == "True" for row in rows)
    text = pages.limits(rows, RIVAL, Settings().solver_limit)
    return text + (f" Of {single} that it proved one run was measured." if single else "")


def lots(log: Log, paper: pages.Published) -> str:
    """Whether other lots among the ties of CART give the paper's figures."""
    lines = []
    for data in problems.NAMES:
        for method in LOTS.values():
            found = [pages.printed(float(row["train_accuracy"])) for row in log.of(data, method)]
            goal = paper[data][GOALS[method.removesuffix(", lots")]]
            if found and goal is not None:
                hit = sum(value >= goal for value in found)
                spread = f"{min(found):.1f} to {max(found):.1f}"
                lines.append([data, method, spread, f"{goal:.1f}", f"{hit} of {len(found)}"])
    if not lines:
        return "Lots: not measured."
    text = (
        "Lots: DPDT-K once more by Algorithm 1 in plain Python (mdp.py), with scikit-learn's CART "
        "and other lots in every state and run."
    )
    header = ["data", "method", "training accuracy", "the paper's", "runs that reach it"]
    return text + "\n\n" + results.table(header, lines)


def table3(log: Log, names: list[str]) -> list[str]:
    paper = pages.published(3)
    columns = {EXACT: "optimal", "DPDT-5": "dpdt5", "DPDT-4": "dpdt4", "CART gini": "cart"}
    lines = []
    for data in names:
        line = [data]
        for method, goal in columns.items():
            ours = accuracy(log, data, method)
            line.append(f"{pages.percent(ours, 2)} ({pages.plain(paper[data][goal])})")
        spent = []
        for method in BINARISED.values():
            rows = log.of(data, method)
            best = pages.percent(binary.best(rows, ("train", "train")), 2)
            murtree = pages.plain(paper[data]["murtree"])
            line.append(f"{best} ({murtree}){binary.came(rows, SIZES)}")
            clocks = [binary.total(rows, clock) for clock in ("seconds", "wall_seconds")]
            spent.append(" / ".join(map(results.seconds, clocks)))
        lines.append(line + spent)
    header = ["data", *columns, *(f"{method} (MurTree)" for method in BINARISED.values())]
    header += [f"{method}, seconds" for method in BINARISED.values()]
    return [
        (
            "Training accuracy in per cent, the paper's in brackets. MurTree's figures are the "
            "paper's, which takes them from the paper on Quant-BnB; beside them stands pystreed on "
            "features binarised by the minimum description length principle, the best of 0 to "
            f"{SIZES - 1} tests at depth {DEPTH} (depth 5 is in [binary.md](binary.md)). By "
            "`intervals` a binary feature is an interval, so that a test of it is up to two tests "
            "of the feature; by `cuts` it is one test, x <= a cut between two intervals. Seconds "
            "for all sizes: of the processor / of the clock."
        ),
        results.table(header, lines),
        *(against_murtree(log, names, coding) for coding in BINARISED),
    ]


def against_murtree(log: Log, names: list[str], coding: str) -> str:
    """The limits of one coding's searches, and whether they come to MurTree's figures."""
    method = BINARISED[coding]
    rows = [row for data in names for row in log.of(data, method)]
    what = f"{method}, {SIZES} sizes of a data set together"
    if not rows:
        return f"{what}: not measured."
    murtree = wins.column(pages.published(3), "murtree")
    above, same, below = wins.compare(binarised(log, names, coding), murtree)
    return (
        f"{pages.limits(rows, what, Settings().shallow_limit)} It is above MurTree's figure on "
        f"{above}, the same on {same}, below on {below}."
    )


def table7(log: Log, names: list[str]) -> list[str]:
    paper = pages.published(7)
    ours = {"DPDT-3": "dpdt3", "DPDT-4": "dpdt4", "DPDT-5": "dpdt5"}
    goals = ("quant_bnb_t", "quant_bnb_t5", "quant_bnb_t50")
    columns = ours | {STOPPED[bonus]: goal for bonus, goal in zip(BONUS, goals, strict=True)}
    shown = [method for method in RIVAL_STOPPED.values() if any(log.of(d, method) for d in names)]
    parts, far = [], []
    for part in ("train", "test"):
        rivals = [*shown, RIVAL] if part == "train" else []
        lines: list[list[Any]] = []
        for data in names:
            line = [data]
            for method, goal in columns.items():
                share, theirs = accuracy(log, data, method, part), paper[data][f"{goal}_{part}"]
                line.append(f"{pages.percent(share)} ({pages.plain(theirs)})")
                gap = abs(100 * share - theirs) if share is not None and theirs is not None else 0
                if part == "test" and method in ours and gap >= 1:
                    far.append(f"{data}, {method} {line[-1]}")
            line += [pages.percent(accuracy(log, data, method)) for method in rivals]
            if part == "train":
                line.append(f"{1000 * float(log.of(data, STOPPED[0])[0]['limit']):.0f} ms")
            lines.append(line)
        header = ["data", *columns, *rivals, *(["T"] if part == "train" else [])]
        parts += [
            f"## Accuracy on the {part}ing rows" if part == "train" else "## On the test rows"
        ]
        parts.append(results.table(header, lines))
    ended = sum(log.of(data, STOPPED[5])[0]["proved"] == "True" for data in names)
    best = percents(log, names, STOPPED[0])
    better, equal, worse = wins.compare(best, percents(log, names, "DPDT-5"))
    given = pages.share([row for data in names for row in log.of(data, STOPPED[0])])
    against = []
    for method, goal in ours.items():
        above, same, below = reached(log, names, method, wins.column(paper, f"{goal}_train"))
        against.append(f"{method} above on {above}, the same on {same}, below on {below}")
    return [
        (
            "Per cent, the paper's in brackets. T is the time that DPDT-5 took, ours here and "
            "its own in the paper; it is a limit of wall-clock time, so that less fits into it "
            "on a busy machine"
            + ("" if given is None else f" (of T the searches had {given:.0%})")
            + f". With 5 seconds more the search proves its tree on {ended} of "
            f"{len(names)} data sets. pycontree stands beside it on the training rows: `pycontree` "
            "is the fit of [Table 1](table1.md) with that one's limit."
        ),
        (
            f"Stopped after T our exact search is better than DPDT-5 in training on {better}, "
            f"equal on {equal}, worse on {worse} (to one digit). Against the paper's figures in "
            f"training: {'; '.join(against)}."
        ),
        *parts,
        (
            "DPDT a point or more from the paper's on the test rows: "
            f"{'; '.join(far) or 'nowhere'}. Trees of equal training accuracy differ there."
        ),
    ]
