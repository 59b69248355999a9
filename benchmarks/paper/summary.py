"""The table of docs/paper.md: what the paper says and what came out here, from the recorded
rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from benchmarks import problems, results
from benchmarks.paper import binary, custard, depth3, depth5, depth10, iris, mip, pages, selection
from benchmarks.paper.log import Log
from benchmarks.paper.settings import Settings

Lines = Iterator[tuple[str, str, str]]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "paper.md"
START, END = "<!-- measured: written by benchmarks.paper -->\n", "<!-- end of measured -->"


def update(settings: Settings) -> None:
    """Write the table into the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    after = rest.split(END)[1]
    PAGE.write_text(before + START + "\n" + table(settings) + "\n\n" + END + after, "utf-8")


def table(settings: Settings) -> str:
    lines = [
        *deep3(settings),
        *deep5(settings),
        *programmes(settings),
        *deep10(settings),
        *counted(settings),
        *learned(settings),
        *boosted(settings),
    ]
    return "\n".join(
        ["| in the paper | its figure | here |", "| --- | --- | --- |"]
        + ["| " + " | ".join(line) + " |" for line in lines]
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
            theirs = depth3.figures(paper, names, depth3.GOALS[method])
            above, same, below = depth3.reached(rows, names, method, theirs)
            counts.append(f"{method.split(',')[0]} {above} above, {same} the same, {below} below")
        return "; ".join(counts)

    proved = sum(rows.of(data, depth3.EXACT)[0]["proved"] == "True" for data in names)
    ours = {data: float(rows.of(data, depth3.EXACT)[0]["seconds"]) for data in names}
    theirs = depth3.figures(paper, names, "optimal_s")
    faster = [seconds / ours[data] for data, seconds in theirs.items()]
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
            "pycontree, the same fits",
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
    binarised = depth3.binarised(rows, names)
    if binarised:
        paper3 = pages.published(3)
        optimal, murtree = (depth3.figures(paper3, names, name) for name in ("optimal", "murtree"))
        found = depth3.percents(rows, names, depth3.EXACT)
        yield (
            "Table 3: MurTree over binarised features, depth 3, against the optimum",
            "equal on {1}, worse on {2}".format(*depth3.compared(murtree, optimal)),
            "pystreed equal on {1}, worse on {2}".format(*depth3.compared(binarised, found)),
        )
    exact, dpdt = (depth3.percents(rows, names, method) for method in (depth3.STOPPED[0], "DPDT-5"))
    paper7 = pages.published(7)
    in_paper = (depth3.figures(paper7, names, f"{goal}_train") for goal in ("quant_bnb_t", "dpdt5"))
    yield (
        "Table 7: exact search stopped after DPDT-5's time, against DPDT-5",
        "better on {}, equal {}, worse {}".format(*depth3.compared(*in_paper)),
        "better on {}, equal {}, worse {}".format(*depth3.compared(exact, dpdt)),
    )


def against(rows: Log, names: list[str], rule: selection.Rule, methods: Iterable[str]) -> str:
    """Data sets won by accuracy, and those with fewer tests."""
    cart = selection.accuracies(rows, names, selection.CART, rule)
    cart_tests = selection.tests(rows, names, selection.CART, rule)
    columns = {method: selection.accuracies(rows, names, method, rule) for method in methods}
    fewer = {
        method: pages.wins(cart_tests, selection.tests(rows, names, method, rule))[0]
        for method in methods
    }
    return told(columns, cart, fewer)


def against_in_paper(paper: pages.Published, columns: dict[str, str]) -> str:
    """The same counts over the paper's own figures; `columns`: our method -> the paper's."""

    def of(column: str) -> dict[str, float]:
        return {data: row[column] or 0.0 for data, row in paper.items()}

    fewer = {
        method: pages.wins(of("cart_tests"), of(f"{goal}_tests"))[0]
        for method, goal in columns.items()
    }
    return told({method: of(goal) for method, goal in columns.items()}, of("cart"), fewer)


def told(
    columns: dict[str, dict[str, float]], cart: dict[str, float], fewer: dict[str, int]
) -> str:
    each = [f"{method} {pages.wins(ours, cart)[0]}" for method, ours in columns.items()]
    better, equal, worse = pages.wins(selection.best(*columns.values()), cart)
    made = [f"{method} {count}" for method, count in fewer.items()]
    return (
        f"{', '.join(each)}; best of both: {better} better, {equal} equal, {worse} worse; "
        f"fewer tests {', '.join(made)}"
    )


def selected(rows: Log, names: list[str], table: tuple[int, str], columns: dict[str, str]) -> Lines:
    """A table of trees selected; `table` its number and title, `columns` ours -> the paper's."""
    paper = pages.published(table[0])
    yield (
        f"{table[1]}, chosen as in the paper's figures",
        against_in_paper(paper, columns),
        against(rows, names, selection.ON_HALF, columns),
    )
    for what, rule in (
        ("at 1000 equidistant prices", selection.AT_PRICES),
        ("chosen on all test rows", selection.ON_TEST),
        ("chosen on a validation part", selection.ON_VALID),
    ):
        yield (f"... {what}", "–", against(rows, names, rule, columns))
    lines = selection.speed(rows, names, columns, paper)
    yield ("... seconds", "–", " ".join(line.removeprefix("- ") for line in lines))


def deep5(settings: Settings) -> Lines:
    rows = log(settings, "depth5", depth5.NAMES)
    names = selection.complete(rows, settings, depth5.SEARCHES)
    title = "Table 2, Figure 2: data sets won against CART at depth 5"
    yield from selected(rows, names, (2, title), {"DPDT-3": "dpdt3", "DPDT-2": "dpdt2"})
    for figure, complexity, method in (
        ("Figures 3, 8", "tests", "defaults"),
        ("Figure 9", "nodes", depth5.NODES),
    ):
        trees = beaten = 0
        for data in names:
            path = depth5.points(rows.of(data, selection.CART, selection.TEST), data, complexity)
            found = rows.of(data, method, selection.TEST)
            front = depth5.points(found, data, complexity)
            trees += len(path)
            beaten += sum(depth5.beaten_at(front, tree) is not None for tree in path)
        yield (
            f"{figure}: trees of CART's pruning path not dominated in training ({complexity})",
            "–",
            f"{beaten} of {trees}, on {len(names)} data sets",
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
            text += f" ({np.mean([paper[data][f'{goal}_train'] or 0 for data in ours]):.1f})"
        return text if len(ours) == len(paper) else f"{text} on {len(ours)}"

    def amount(methods: Iterable[str]) -> str:
        of = [row for row in rows.rows if row["method"] in methods]
        seeds = len({row["seed"] for row in of})
        limits = ", ".join(f"{limit:g}" for limit in mip.limits_met(of))
        return f"limit {limits} s, {seeds} split" + ("s" if seeds > 1 else "")

    published = ", ".join(
        f"{method} {np.mean([row[f'{goal}_train'] or 0 for row in paper.values()]):.1f}"
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
    title = "Table 6: data sets won against CART at depth 10"
    columns = {"DPDT-2...": "dpdt2", "DPDT-2+1...": "dpdt21"}
    yield from selected(rows, names, (6, title), columns)


def counted(settings: Settings) -> Lines:
    rows = log(settings, "iris", iris.NAMES)
    found = {(row["function"], row["size"]): row for row in rows.rows}
    exhaustive, four = found.get((iris.EXHAUSTIVE, "")), found.get((iris.CART_K, "4"))
    if exhaustive and four:
        yield (
            "Figure 1: states for the optimum on iris, DPDT-4 / exhaustive",
            "a few hundreds / a few millions",
            f"{int(four['n_unmerged']):,} / {int(exhaustive['n_unmerged']):,}",
        )


def learned(settings: Settings) -> Lines:
    rows = log(settings, "custard", custard.NAMES)
    ends = {
        agent: custard.last(rows, custard.EXAMPLE, name)
        for agent, name in custard.ON_EXAMPLE.items()
    }
    if all(ends.values()):
        found = [
            f"{agent} {sum(float(row['train_accuracy']) == 1 for row in runs)} of {len(runs)}"
            for agent, runs in ends.items()
        ]
        steps = int(ends["DQN"][0]["steps"])
        yield (
            "Figure 4: runs that find the optimal tree",
            "DQN does, PPO does not",
            f"{', '.join(found)} ({steps:,} steps)",
        )
    names = [data for data in problems.NAMES if custard.last(rows, data, "Custard-5")]
    if names:
        paper = pages.published(1)
        below = sum(
            np.mean([float(row["train_accuracy"]) for row in custard.last(rows, data, "Custard-5")])
            < (paper[data]["greedy"] or 0) / 100
            for data in names
        )
        steps = int(custard.last(rows, names[0], "Custard-5")[0]["steps"])
        yield (
            "Table 1: Custard-5 below CART",
            "on 16 of 16",
            f"on {below} of {len(names)} ({steps:,} steps)",
        )


def boosted(settings: Settings) -> Lines:
    from benchmarks.paper import boosting

    rows = log(settings, "boosting", boosting.NAMES)
    names = [data for data in settings.boosting_data if rows.of(data, boosting.CARTS[-1])]

    def test(method: str) -> dict[str, float]:
        return {
            data: pages.printed(float(rows.of(data, method)[0]["test_accuracy"])) for data in names
        }

    if names:
        counts = [
            "{} better, {} equal, {} worse".format(*pages.wins(test(boosting.OURS), test(m)))
            for m in boosting.CARTS
        ]
        yield (
            "AdaBoost over DPDT-2 against over CART (Gini; entropy), test rows",
            "not in the paper",
            "; ".join(counts),
        )
