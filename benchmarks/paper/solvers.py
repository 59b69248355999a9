"""The rest of Table 2: solvers that give one tree, or one per size, against CART at depth 5."""

from __future__ import annotations

from benchmarks import results
from benchmarks.paper import binary, depth3, pages, selection, wins
from benchmarks.paper.log import Log
from benchmarks.paper.selection import CART, ON_HALF, ON_TEST, Rule
from benchmarks.paper.settings import Settings
from benchmarks.paper.wins import Outcome, Wins

EXACT, BINARISED = "exact, depth 3", "pystreed"
STANDS_FOR = {EXACT: "Quant-BnB", BINARISED: "Pystreed"}
IN_PAPER = {"Quant-BnB": "quant_bnb", "MurTree": "murtree", "Pystreed": "pystreed"}
# Ways to choose and tell of which the solvers have figures: they are not run without a part
# for validation.
RULES = {"second half": ON_HALF, "all test rows": ON_TEST}


def section(log: Log, settings: Settings, names: list[str], paper: pages.Published) -> list[str]:
    found = {what: outcomes(settings, names, rule) for what, rule in RULES.items()}
    header = ["data"]
    for solver in STANDS_FOR:
        header += [f"{solver}: {what}" for what in RULES]
    header += [*(f"{name} (paper)" for name in IN_PAPER), "pystreed's sizes"]
    sizes = Log(settings.folder / "binary.csv", binary.NAMES)
    lines = []
    for data in names:
        line = [data]
        for solver in STANDS_FOR:
            line += [pages.plain(found[what][solver].accuracy.get(data)) for what in RULES]
        for goal in IN_PAPER.values():
            line.append(pages.or_oom(paper[data][goal]))
        lines.append([*line, binary.came(sizes.of(data)).removeprefix(", ") or "all"])
    counts = {
        f"{solver}, {what}": won
        for what, rule in RULES.items()
        for solver, won in versus_cart(log, settings, names, rule).items()
    }
    counts |= {f"{name} (paper)": won for name, won in versus_cart_in_paper(paper).items()}
    return [
        (
            "Quant-BnB: our exact search at depth 3, as the paper could not go deeper. MurTree and "
            "Pystreed: pystreed on binarised features, of all sizes solved the best on the rows "
            "that choose ([binary.md](binary.md)). `–`: not measured."
        ),
        results.table(header, lines),
        halves(found, paper),
        (
            "Against CART chosen by the same rows (CART's largest tree at a tie where the second "
            "half tells); data sets without a figure, as those out of memory, are not counted:"
        ),
        wins.table("against CART", counts),
    ]


def halves(found: dict[str, dict[str, Outcome]], paper: pages.Published) -> str:
    """A sentence: which rows the paper's Quant-BnB column is of."""
    theirs = wins.published(paper, IN_PAPER[STANDS_FOR[EXACT]]).accuracy
    half, whole = (
        {data: -abs(ours - theirs[data]) for data, ours in found[what][EXACT].accuracy.items()}
        for what in RULES
    )
    nearer = wins.compare(half, whole)
    cart = wins.published(paper, "cart").accuracy
    same = [f"{data} ({theirs[data]:.1f})" for data in theirs if theirs[data] == cart[data]]
    return (
        f"Quant-BnB's figures in the paper are nearer to our second halves on {nearer.better} data "
        f"sets, to ours of all test rows on {nearer.worse}. On {' and '.join(same) or 'none'} its "
        "figure is that of the paper's CART column to the digit."
    )


def outcomes(settings: Settings, names: list[str], rule: Rule) -> dict[str, Outcome]:
    """By solver, on the data sets of which the rule's rows are recorded."""
    shallow = Log(settings.folder / "depth3.csv", depth3.NAMES)
    sizes = Log(settings.folder / "binary.csv", binary.NAMES)
    rows = {
        EXACT: {data: shallow.of(data, depth3.EXACT) for data in names},
        BINARISED: {data: sizes.of(data) for data in names},
    }
    return {
        solver: Outcome(
            {
                data: figure
                for data in names
                if (figure := accuracy(rows[solver][data], rule)) is not None
            }
        )
        for solver in STANDS_FOR
    }


def accuracy(rows: list[dict[str, str]], rule: Rule) -> float | None:
    """On the rows that tell, of the best tree on those that choose; None where not recorded."""
    by_size = rows[::-1] if rule.largest == "all" else rows  # at a tie the first counts
    share = binary.best(by_size, (rule.by, rule.told))
    return None if share is None else pages.printed(share)


def versus_cart(log: Log, settings: Settings, names: list[str], rule: Rule) -> dict[str, Wins]:
    """Of the solvers that all data sets have a figure of, against CART chosen by the same rule."""
    cart = selection.outcome(log, names, CART, rule)
    return {
        solver: wins.against(cart, outcome)
        for solver, outcome in outcomes(settings, names, rule).items()
        if len(outcome.accuracy) == len(names)
    }


def versus_cart_in_paper(paper: pages.Published) -> dict[str, Wins]:
    cart = wins.published(paper, "cart")
    return {
        name: wins.against(cart, wins.published(paper, goal)) for name, goal in IN_PAPER.items()
    }
