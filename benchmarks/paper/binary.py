"""MurTree and Pystreed: pystreed on features binarised by the minimum description length principle.

As in Section 6.3 each size 0 .. 2^5 - 1 is a search of its own. Intervals of every feature come
from Fayyad and Irani's criterion (fimdlp) and are coded one-hot, as the paper says; or the cuts
between them are the binary features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter

import numpy as np

from benchmarks import results
from benchmarks.adapters.clock import Clock
from benchmarks.paper import fits, isolated, pages, selection
from benchmarks.paper.log import Log, Row, Task, number
from benchmarks.paper.settings import Settings

SHOWS = ("table2",)
NEEDS = ("pystreed", "fimdlp")
NAMES = ("data",)
DEPTH = 5
SIZES = range(2**DEPTH)  # tests in the tree
Rule = tuple[str, str]  # the rows that choose a size, and those that tell what came out
ON_TEST: Rule = ("test", "test")
ON_HALF: Rule = ("first", "second")


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    limit = settings.size_limit
    for data in settings.data:
        fit = partial(all_sizes, data, DEPTH, "intervals", limit, settings.memory_mb)
        yield Task((data,), fit, budget=limit)


def all_sizes(data: str, depth: int, coding: str, limit: float, memory_mb: int) -> list[Row]:
    """One row per size that was solved, and a last one that says why there are no more."""
    arguments = {"data": data, "depth": depth, "coding": coding, "limit": limit}
    found, ended = isolated.rows(
        "benchmarks.paper.binary:sizes", arguments, limit=limit, memory_mb=memory_mb
    )
    if ended == "ok" and not (len(found) == 2**depth and found[-1]["proved"]):
        ended = "time_limit"
    if ended != "ok":
        found = [*found, {"size": "", "status": ended}]
    complete = ended == "ok" or "memory" in ended
    return [row | {"ended": complete} for row in found]


def sizes(data: str, depth: int, coding: str, limit: float) -> Iterator[Row]:
    """In the child: searches of growing size until the time of all together is over."""
    parts = fits.parts(data)
    parts = parts | selection.halves(*parts["test"])
    found = thresholds(*parts["train"])
    coded = {name: CODINGS[coding](X, found) for name, (X, _) in parts.items()}
    binary, y = coded["train"], parts["train"][1]
    end = perf_counter() + limit
    for size in range(2**depth):
        left = end - perf_counter()
        if left <= 0:
            return
        with Clock() as clock:
            predict, proved = search(binary, y, min(size, depth), size, left)
        row = {
            "size": size,
            "status": "ok" if proved else "time_limit",
            "binary_features": binary.shape[1],
            "seconds": clock.seconds,
            "wall_seconds": clock.wall_seconds,
            "proved": proved,
        }
        for name, (_, truth) in parts.items():
            row[f"{name}_accuracy"] = float(np.mean(predict(coded[name]) == truth))
        yield row
        if not proved:
            return


Predict = Callable[[np.ndarray], np.ndarray]


def search(
    binary: np.ndarray, y: np.ndarray, depth: int, size: int, limit: float
) -> tuple[Predict, bool]:
    """The best tree of at most so many tests, and whether it is proved."""
    from pystreed import STreeDClassifier

    if size == 0:
        largest = np.bincount(y).argmax()
        return lambda rows: np.full(len(rows), largest), True
    model = STreeDClassifier("accuracy", max_depth=depth, max_num_nodes=size, time_limit=limit)
    model.fit(binary, y)
    return model.predict, bool(model.fit_result.is_optimal())


def thresholds(X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
    """Inner cut points of every feature, by Fayyad and Irani (1993)."""
    from fimdlp.mdlp import FImdlp

    model = FImdlp(n_jobs=1).fit(X, y)
    # The outermost are the smallest and largest value.
    return [np.asarray(cuts, dtype=float)[1:-1] for cuts in model.get_cut_points()]


def intervals(X: np.ndarray, cuts: list[np.ndarray]) -> np.ndarray:
    """One column per interval; a feature that no cut divides has none."""
    columns = [
        (np.searchsorted(inner, X[:, j], side="left")[:, None] == np.arange(len(inner) + 1))
        for j, inner in enumerate(cuts)
        if len(inner)
    ]
    return np.hstack(columns).astype(np.int32)


def passed(X: np.ndarray, cuts: list[np.ndarray]) -> np.ndarray:
    """One column per cut: the rows not above it."""
    columns = [X[:, [j]] <= inner for j, inner in enumerate(cuts)]
    return np.hstack(columns).astype(np.int32)


CODINGS = {"intervals": intervals, "cuts": passed}


# ---- what came out ----


def best(rows: list[dict[str, str]], rule: Rule) -> float | None:
    """Accuracy of the size that is best on the rows that choose, at a tie of the smallest."""
    by, told = rule
    known = [row for row in rows if number(row, f"{by}_accuracy") is not None]
    if not known:
        return None
    return number(max(known, key=lambda row: float(row[f"{by}_accuracy"])), f"{told}_accuracy")


def proved(rows: list[dict[str, str]]) -> int:
    """Sizes of which the best tree is proved."""
    return sum(row.get("proved") == "True" for row in rows)


def total(rows: list[dict[str, str]], clock: str) -> float | None:
    """Seconds of all sizes; None where one does not tell its own."""
    spent = [number(row, clock) for row in rows if row["size"] != ""]
    return None if None in spent or not spent else sum(value or 0 for value in spent)


def reason(rows: list[dict[str, str]]) -> str:
    """What ended the sizes: "ok" where all are solved."""
    return rows[-1]["status"].replace("_", " ")


def came(rows: list[dict[str, str]], count: int = len(SIZES)) -> str:
    """How far the sizes came, where it is not to their end."""
    if not rows or reason(rows) == "ok":
        return ""
    return f", {reason(rows)} after {proved(rows)} of {count}"


def write(log: Log, settings: Settings) -> None:
    lines = []
    whole = Settings().size_limit
    paper = pages.published(2)
    for data in settings.data:
        rows = log.of(data)
        if not rows:
            continue
        lines.append(
            [
                *(data, rows[0].get("binary_features") or "–"),
                *(f"{proved(rows)} of {len(SIZES)}", reason(rows)),
                f"{float(rows[-1]['budget']):g}",
                *(results.seconds(total(rows, clock)) for clock in ("seconds", "wall_seconds")),
                pages.percent(best(rows, ("train", "train"))),
                *(pages.percent(best(rows, rule)) for rule in (ON_TEST, ON_HALF)),
                *(pages.or_oom(paper[data][name]) for name in ("murtree", "pystreed")),
            ]
        )
    header = ["data", "binary features", "sizes solved", "ended by", "limit (s)"]
    header += ["seconds, processor", "seconds, clock", "training", "test", "second half of test"]
    header += ["test, MurTree (paper)", "test, Pystreed (paper)"]
    parts = [
        (
            "Optimal trees of depth 5 and 0 to 31 tests over one-hot intervals of every feature "
            "(Fayyad and Irani), by pystreed, one search per size, within one limit of seconds "
            f"for all and {settings.memory_mb} MB of memory. The limit is of the clock, so that a "
            "search on a machine with other work ends with fewer seconds of the processor. "
            "Accuracy in per cent of the best size; with the paper's rule the test rows choose "
            "it. `second half of test`: the first half chooses and the second tells, as for the "
            "paper's own figures of Table 2. A test of an interval is up to two tests of the "
            "feature, so that these trees are deeper than they say. Where the paper reports "
            "accuracies below that of a constant (48.6 on bank), we know no reading of the "
            "procedure that gives them."
        ),
        pages.limits(log.rows, "pystreed, all sizes of a data set together", whole),
        results.table(header, lines),
    ]
    pages.write(
        settings,
        "binary",
        "MurTree and Pystreed: binarised features at depth 5",
        parts,
        log.rows,
    )
