"""What `fit` and `demo` print: the front as a table, the chosen tree as rules."""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from treefront.rules import rounded

if TYPE_CHECKING:
    from treefront.cli.choice import Model, Scores

WIDE = 10_000  # output that is piped has no width: nothing is cut
NARROWEST = 100  # a terminal with less wraps lines of the table rather than cut its numbers

LOSSES = {
    "error_rate": "error",
    "cost": "cost",
    "squared_error": "squared error",
    "absolute_error": "absolute error",
}


def console() -> Console:
    """Console for results: plain and as wide as needed unless it is a terminal."""
    width = max(shutil.get_terminal_size().columns, NARROWEST) if sys.stdout.isatty() else WIDE
    return Console(highlight=False, width=width)


def warn(message: str) -> None:
    """One line on standard error that does not stop the command."""
    print(f"treefront: warning: {message}", file=sys.stderr)


def quoted(word: str) -> str:
    """A word as a shell takes it."""
    return shlex.quote(word)


def front_table(model: Model, scores: Scores | None) -> Table:
    """One row per tree; the chosen one is marked."""
    front = model.front_
    chosen = front.index(model.tree_)
    name = LOSSES[front[0].loss_name]
    priced = model.feature_costs is not None or model.feature_costs_once
    average = "average\n" if model.complexity == "tests" else "\n"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in (
        "",
        "\ntree",
        f"training\n{name}",
        "average\ntests",
        *((f"{average}price",) if priced else ()),
        "\nleaves",
        "\ndepth",
        *(() if scores is None else (f"{scores.where}\n{scores.name}",)),
        "alpha\nfrom",
        "\nto",
    ):
        table.add_column(title, justify="right", no_wrap=True)
    for i, tree in enumerate(front):
        loss = float(front.loss[i])
        table.add_row(
            "*" if i == chosen else "",
            str(i),
            f"{loss:.2%}" if name == "error" else rounded(loss),
            f"{front.mean_tests[i]:.2f}",
            *((rounded(float(front.complexity[i])),) if priced else ()),
            str(tree.n_leaves),
            str(tree.depth),
            *(() if scores is None else (scores.said_with_spread(i),)),
            rounded(float(front.alpha_low[i])),
            rounded(float(front.alpha_high[i])),
            style="bold" if i == chosen else "",
        )
    return table


def show_fit(model: Model, scores: Scores | None, why: str, seconds: float, about: str) -> None:
    """Print the front, then the chosen tree."""
    out = console()
    out.print(Text(about), soft_wrap=True)
    out.print(
        f"{model.n_states_:,} states searched in {seconds:.2f} s with "
        f"{described(model)}; status: {status(model)}",
        soft_wrap=True,
    )
    out.print()
    out.print(front_table(model, scores))
    out.print()
    out.print(Text(why), soft_wrap=True)
    out.print()
    out.print(Text(model.tree_.to_text()), soft_wrap=True)


def status(model: Model) -> str:
    """How the search ended; for a proof that did not end, how far it came."""
    if model.status_ == "optimal" or model.lower_bound_ == 0:
        return model.status_
    is_rate = model.front_[0].loss_name == "error_rate"
    gap = f"{model.gap_:.2%}" if is_rate else rounded(float(model.gap_))
    return f"{model.status_}, at most {gap} from optimal"


def described(model: Model) -> str:
    """Split generators and tail in words."""
    generators = ", ".join(str(generator) for generator in model.splits_)
    if isinstance(model.splits, str) and model.splits == "all":
        return f"all splits, from a start with {generators}"
    return f"splits {generators} and an exact tail of {model.exact_tail_}"
