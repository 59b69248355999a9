"""The tables of docs/paper.md: what the paper says and what came out, from the recorded rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from benchmarks import problems, results
from benchmarks.paper import (
    binary,
    boosting,
    custard,
    depth3,
    depth5,
    depth10,
    iris,
    mip,
    pages,
    selection,
    solvers,
    tradeoffs,
    wins,
)
from benchmarks.paper.log import Log
from benchmarks.paper.settings import Settings
from benchmarks.paper.wins import Wins

Lines = Iterator[tuple[str, str, str]]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "paper.md"
START, END = "<!-- measured: written by benchmarks.paper -->\n", "<!-- end of measured -->"


def update(settings: Settings) -> None:
    """Write the tables into the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    after = rest.split(END)[1]
    PAGE.write_text(before + START + "\n" + tables(settings) + "\n\n" + END + after, "utf-8")


def tables(settings: Settings) -> str:
    told = (deep3, deep5, programmes, deep10, counted, learned, boosted)
    lines = ["| " + " | ".join(line) + " |" for part in told for line in part(settings)]
    return "\n\n".join(
        [
            "\n".join(["| in the paper | its figure | here |", "| --- | --- | --- |", *lines]),
            (
                "Chosen trees against CART's: data sets with a better / an equal / a worse "
                "accuracy, and with fewer / as many / more tests. The paper has one way to choose: "
                "the first half of the test rows chooses, the second half tells, and of trees that "
                "are equally accurate CART's largest counts and a front's smallest. The second to "
                "fourth way change one thing of it each; the last two have the smallest tree for "
                "all. Solvers stand in the ways that they are measured in."
            ),
            selected5(settings),
            selected10(settings),
        ]
    )


def log(settings: Settings, name: str, names: tuple[str, ...]) -> Log:
    return Log(settings.folder / f"{name}.csv", names)


def deep3(settings: Settings) -> Lines:
    rows = log(settings, "depth3", depth3.NAMES)
    paper = pages.published(1)
    names = depth3.measured(rows, settings)
    if not names:
        return

    def reached(*methods: str) -> str:
        counts = []
        for method in methods:
            theirs = wins.column(paper, depth3.GOALS[method])
            above, same, below = depth3.reached(rows, names, method, theirs)
            counts.append(f"{method.split(',')[0]} {above} above, {same} the same, {below} below")
        return "; ".join(counts)

    proved = sum(rows.of(data, depth3.EXACT)[0]["proved"] == "True" for data in names)
    ours = {data: float(rows.of(data, depth3.EXACT)[0]["seconds"]) for data in names}
    theirs = wins.column(paper, "optimal_s")
    faster = [theirs[data] / ours[data] for data in names if data in theirs]
    yield (
        "Table 1: optimum at depth 3",
        "found on 16 of 16 in 4 to 10303 s (no time of fault)",
        (
            f"proved on {proved} of {len(names)}, {min(ours.values()):.2g} to "
            f"{max(ours.values()):.2g} s; the paper's seconds are "
            f"{results.geometric_mean(faster):.0f} times ours (geometric mean)"
        ),
    )
    rival = depth3.rival(rows, names)
    if rival.ratios:
        cut = [rows.of(data, depth3.RIVAL)[0] for data in rival.cut]
        limits = sorted({float(row["budget"]) for row in cut})
        yield (
            "pycontree, the same data",
            "–",
            (
                f"its seconds are {rival.mean} times ours (geometric mean; "
                f"{min(rival.ratios.values()):.1f} at least)"
                + ("; cut off by its limit of " if cut else "")
                + ", ".join(f"{limit:g}" for limit in limits)
                + (f" s on {len(cut)} of {len(rival.ratios)}" if cut else "")
            ),
        )
    yield (
        "Table 1: DPDT-4 and DPDT-5 to the letter against the paper's",
        "–",
        reached("DPDT-4", "DPDT-5"),
    )
    yield (
        "... with all splits that tie, both impurities",
        "–",
        reached("DPDT-4, ties, both", "DPDT-5, ties, both"),
    )
    yield ("... default settings against the paper's DPDT-5", "–", reached("defaults"))
    binarised = {coding: depth3.binarised(rows, names, coding) for coding in binary.CODINGS}
    if any(binarised.values()):
        paper3 = pages.published(3)
        optimal, murtree = (wins.column(paper3, name) for name in ("optimal", "murtree"))
        found = depth3.percents(rows, names, depth3.EXACT)
        yield (
            "Table 3: MurTree over binarised features, depth 3, against the optimum",
            "equal on {1}, worse on {2}".format(*wins.compare(murtree, optimal)),
            "; ".join(
                "pystreed, {}: equal on {}, worse on {}".format(
                    coding, *wins.compare(accuracy, found)[1:]
                )
                for coding, accuracy in binarised.items()
            ),
        )
    exact, dpdt = (depth3.percents(rows, names, method) for method in (depth3.STOPPED[0], "DPDT-5"))
    paper7 = pages.published(7)
    in_paper = (wins.column(paper7, f"{goal}_train") for goal in ("quant_bnb_t", "dpdt5"))
    yield (
        "Table 7: exact search stopped after DPDT-5's time, against DPDT-5",
        "better on {}, equal {}, worse {}".format(*wins.compare(*in_paper)),
        "better on {}, equal {}, worse {}".format(*wins.compare(exact, dpdt)),
    )


def speed(rows: Log, names: list[str], table: int, columns: dict[str, str]) -> str:
    lines = selection.speed(rows, names, columns, pages.published(table))
    return " ".join(line.removeprefix("- ") for line in lines)


def deep5(settings: Settings) -> Lines:
    rows = log(settings, "depth5", depth5.NAMES)
    names = selection.complete(rows, settings, depth5.SEARCHES)
    if names:
        yield ("Table 2: all trees of a front", "–", speed(rows, names, 2, depth5.COLUMNS))
    for complexity, methods in tradeoffs.FRONTS.items():
        counts = {method: tradeoffs.count(rows, names, method, complexity) for method in methods}
        figures = "Figures 3, 8" if complexity == "tests" else "Figure 9"
        trees = max(count.trees for count in counts.values())
        for what, claim, place in (
            ("cheaper than the front at some price", "–", "cheaper"),
            (
                "not dominated by one tree of the front (Pareto)",
                "none (Section 6.4)",
                "undominated",
            ),
        ):
            told = [
                f"{tradeoffs.LABELS.get(method, method)} {getattr(count, place)}"
                for method, count in counts.items()
            ]
            yield (
                f"{figures}: trees of CART's pruning path {what}, training, {complexity}",
                claim if complexity == "tests" else "–",
                f"{', '.join(told)} of {trees}, on {len(names)} data sets",
            )
    sizes = log(settings, "binary", binary.NAMES)
    solved = {data: binary.proved(found) for data in problems.NAMES if (found := sizes.of(data))}
    if solved:
        paper = pages.published(2)
        oom = sum(row["murtree"] is None for row in paper.values())
        full = sum(count == len(binary.SIZES) for count in solved.values())
        limits = sorted({float(row["budget"]) for row in sizes.rows if row["ended"] == "False"})
        yield (
            "MurTree / Pystreed over binarised features, 32 sizes",
            f"MurTree out of memory on {oom} of 16",
            (
                f"all sizes on {full} of {len(solved)}, {min(solved.values())} sizes or more; "
                f"limits of {', '.join(f'{limit:g}' for limit in limits)} s"
            ),
        )


def programmes(settings: Settings) -> Lines:
    rows = log(settings, "mip", mip.NAMES)
    paper = pages.published(4)

    def means(method: str, goal: str) -> str:
        found = {data: mip.mean(rows, data, method, "train_accuracy") for data in paper}
        ours = {data: value for data, value in found.items() if value is not None}
        text = f"{method} {100 * np.mean(list(ours.values())):.1f}"
        if goal:
            theirs = wins.column(paper, f"{goal}_train")
            text += f" ({np.mean([theirs[data] for data in ours]):.1f})"
        return text if len(ours) == len(paper) else f"{text} on {len(ours)}"

    def amount(methods: Iterable[str]) -> str:
        of = [row for row in rows.rows if row["method"] in methods]
        seeds = len({row["seed"] for row in of})
        limits = ", ".join(f"{limit:g}" for limit in mip.limits_met(of))
        return f"limit {limits} s, {seeds} split" + ("s" if seeds > 1 else "")

    published = ", ".join(
        f"{method} {np.mean(list(wins.column(paper, f'{goal}_train').values())):.1f}"
        for method in mip.PROGRAMMES
        if (goal := mip.PAPER[method])
    )
    for title, methods in (
        ("Table 4: mean training accuracy over 8 data sets, programmes", mip.PROGRAMMES),
        ("Table 4: the same, started from CART", mip.STARTED.values()),
    ):
        done = [method for method in methods if any(row["method"] == method for row in rows.rows)]
        if done:
            cells = [means(method, "") for method in done]
            yield (
                title,
                f"{published}; limit 600 s, 3 splits, no start",
                f"{', '.join(cells)}; {amount(done)}",
            )
    others = [method for method in mip.PAPER if method not in mip.SOLVED]
    if rows.rows:
        yield (
            "... searches and CART (the paper's)",
            "3 splits",
            ", ".join(means(method, mip.PAPER[method]) for method in others),
        )


def deep10(settings: Settings) -> Lines:
    rows = log(settings, "depth10", depth10.NAMES)
    names = selection.complete(rows, settings, depth10.SEARCHES)
    if names:
        yield ("Table 6: all trees of a front", "–", speed(rows, names, 6, depth10.COLUMNS))


def counted(settings: Settings) -> Lines:
    rows = log(settings, "iris", iris.NAMES)
    found = {(row["function"], row["size"]): row for row in rows.rows}
    exhaustive, four = found.get((iris.EXHAUSTIVE, "")), found.get((iris.CART_K, "4"))
    if exhaustive and four:
        yield (
            "Figure 1: states for the optimum on iris, DPDT-4 / exhaustive",
            "a few hundreds / a few millions",
            (
                f"{int(four['n_unmerged']):,} / {int(exhaustive['n_unmerged']):,}; each once "
                f"{int(four['n_states']):,} / {int(exhaustive['n_states']):,}, with "
                f"{int(four['n_actions']):,} / {int(exhaustive['n_actions']):,} actions"
            ),
        )


def learned(settings: Settings) -> Lines:
    rows = log(settings, "custard", custard.NAMES)
    ends = {
        agent: runs
        for agent, name in custard.ON_EXAMPLE.items()
        if (runs := custard.last(rows, custard.EXAMPLE, name))
    }
    if ends:
        found = [
            f"{agent} {custard.accuracies(runs).count(1.0)} of {len(runs)}"
            for agent, runs in ends.items()
        ]
        steps = sorted({int(row["steps"]) for runs in ends.values() for row in runs})
        yield (
            "Figure 4: runs that find the optimal tree",
            "DQN does, PPO does not",
            f"{', '.join(found)} ({', '.join(f'{count:,}' for count in steps)} steps)",
        )
    names = [data for data in problems.NAMES if custard.last(rows, data, "Custard-5")]
    if names:
        reached = {
            data: float(np.mean(custard.accuracies(runs)))
            for data in names
            if (runs := custard.last(rows, data, "Custard-5"))
        }
        greedy = wins.column(pages.published(1), "greedy")
        below = sum(share < greedy[data] / 100 for data, share in reached.items())
        steps = int(custard.last(rows, names[0], "Custard-5")[0]["steps"])
        yield (
            "Table 1: Custard-5 below CART",
            "on 16 of 16",
            f"on {below} of {len(names)} ({steps:,} steps)",
        )


def boosted(settings: Settings) -> Lines:
    rows = log(settings, "boosting", boosting.NAMES)
    counts = boosting.versus(rows, boosting.complete(rows, settings))
    if any(any(count) for count in counts.values()):
        yield (
            "AdaBoost over DPDT-2 against over CART, test rows: better / equal / worse",
            "not in the paper",
            ", ".join(f"{method} {count}" for method, count in counts.items()),
        )


def selected5(settings: Settings) -> str:
    """Section 6.3: what each method wins against CART, by the way to choose."""
    rows = log(settings, "depth5", depth5.NAMES)
    names = selection.complete(rows, settings, depth5.SEARCHES)
    paper = pages.published(2)
    in_paper = solvers.versus_cart_in_paper(paper)
    theirs = selection.versus_cart_in_paper(paper, depth5.COLUMNS)
    theirs |= {solver: in_paper[name] for solver, name in solvers.STANDS_FOR.items()}
    ours = {
        way: selection.versus_cart(rows, names, rule, depth5.COLUMNS)
        | solvers.versus_cart(rows, settings, names, rule)
        for way, rule in selection.RULES.items()
    }
    return ways("Table 2, Figure 2: depth 5", theirs, ours)


def selected10(settings: Settings) -> str:
    rows = log(settings, "depth10", depth10.NAMES)
    names = selection.complete(rows, settings, depth10.SEARCHES)
    theirs = selection.versus_cart_in_paper(pages.published(6), depth10.COLUMNS)
    ours = {
        way: selection.versus_cart(rows, names, rule, depth10.COLUMNS)
        for way, rule in selection.RULES.items()
    }
    return ways("Table 6: depth 10", theirs, ours)


def ways(title: str, theirs: dict[str, Wins], ours: dict[str, dict[str, Wins]]) -> str:
    """Counts of accuracy, then of tests: by method the paper's and those of each way to choose."""
    columns = {"the paper's": theirs} | ours
    methods = dict.fromkeys(method for won in ours.values() for method in won)
    lines = []
    for part in ("accuracy", "tests"):
        for method in methods:
            found = [won.get(method) for won in columns.values()]
            line = ["–" if won is None else str(getattr(won, part)) for won in found]
            if any(cell != "–" for cell in line):
                lines.append([f"{part}: {method}", *line])
    return results.table([title, *columns], lines)
