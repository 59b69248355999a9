"""What `fit` and `demo` print: the front as a table, the chosen tree as rules."""

from __future__ import annotations

import shutil
import sys

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from treefront.estimators import DPDTClassifier
from treefront.front import Front
from treefront.rules import leaves as leaves_in_words
from treefront.rules import percent

WIDE = 10_000  # output that is piped has no width: nothing is cut
NARROWEST = 100  # a terminal with less wraps lines of the table rather than cut its numbers


def console() -> Console:
    """Console for results: plain and as wide as needed unless it is a terminal."""
    width = max(shutil.get_terminal_size().columns, NARROWEST) if sys.stdout.isatty() else WIDE
    return Console(highlight=False, width=width)


def warn(message: str) -> None:
    """One line on standard error that does not stop the command."""
    print(f"treefront: warning: {message}", file=sys.stderr)


def front_table(front: Front, chosen: int, validation: NDArray[np.float64] | None) -> Table:
    """One row per tree; the chosen one is marked."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in (
        "",
        "alpha\nfrom",
        "\nto",
        "training\nerror",
        "average\ntests",
        "\nleaves",
        "\ndepth",
        *(() if validation is None else ("validation\naccuracy",)),
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for i, tree in enumerate(front):
        table.add_row(
            "*" if i == chosen else "",
            f"{front.alpha_low[i]:.4g}",
            f"{front.alpha_high[i]:.4g}",
            f"{front.loss[i]:.2%}",
            f"{front.mean_tests[i]:.2f}",
            str(tree.n_leaves),
            str(tree.depth),
            *(() if validation is None else (f"{validation[i]:.2%}",)),
            style="bold" if i == chosen else "",
        )
    return table


def show_fit(
    model: DPDTClassifier, validation: NDArray[np.float64] | None, seconds: float, counts: str
) -> None:
    """Print the front, then the chosen tree."""
    out = console()
    front = model.front_
    chosen = front.index(model.tree_)
    out.print(Text(counts), soft_wrap=True)
    out.print(
        f"{model.n_states_:,} states searched in {seconds:.2f} s with "
        f"{described(model)}; status: {status(model)}",
        soft_wrap=True,
    )
    out.print()
    out.print(front_table(front, chosen, validation))
    out.print()
    out.print(Text(why(model, validation, chosen)), soft_wrap=True)
    out.print()
    out.print(Text(model.tree_.to_text()), soft_wrap=True)


def status(model: DPDTClassifier) -> str:
    """How the search ended; for a proof that did not end, how far it came."""
    if model.status_ == "optimal" or model.lower_bound_ == 0:
        return model.status_
    return f"{model.status_}, at most {model.gap_:.2%} from optimal"


def described(model: DPDTClassifier) -> str:
    """Split generators and tail in words."""
    generators = ", ".join(str(generator) for generator in model.splits_)
    if isinstance(model.splits, str) and model.splits == "all":
        return f"all splits, from a start with {generators}"
    return f"splits {generators} and an exact tail of {model.exact_tail_}"


def why(model: DPDTClassifier, validation: NDArray[np.float64] | None, chosen: int) -> str:
    """Which tree is marked, and by what."""
    tree = model.tree_
    leaves = leaves_in_words(tree.n_leaves)
    if validation is None:
        return f"* chosen by alpha = {model.alpha_:g}: {leaves}"
    return (
        f"* chosen by validation accuracy ({percent(float(validation[chosen]))}), "
        f"the smallest tree at a tie: {leaves}"
    )
