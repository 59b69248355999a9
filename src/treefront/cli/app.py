"""Commands and their flags, and the one place where errors become lines and exit codes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from treefront import __version__
from treefront.cli import demo as demo_command
from treefront.cli import export as export_command
from treefront.cli import fit as fit_command
from treefront.cli import predict as predict_command
from treefront.cli.errors import InputError
from treefront.cli.flags import (
    DEFAULT,
    SPLITS_HELP,
    TEXT_DEFAULT,
    flag,
    parse_number,
    parse_splits,
)
from treefront.cli.request import Request
from treefront.cli.targets import MOST_NUMERIC_CLASSES
from treefront.report import MOST_ROWS

BAD_INPUT = 2
INTERRUPTED = 130

# Base class of what typer raises for a command line it does not understand.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
)

DATA, CHOICE, SEARCH = "What to learn from", "Which tree", "How to search"
PRICES, OUTPUT = "What tests and errors cost", "Output"

MaxDepth = Annotated[int, flag("max_depth", panel=SEARCH)]
Splits = Annotated[str, flag("splits", SPLITS_HELP, panel=SEARCH)]
ExactTail = Annotated[str, flag("exact_tail", panel=SEARCH)]
Prove = Annotated[str | None, flag("prove", panel=SEARCH)]
MinSamplesLeaf = Annotated[str, flag("min_samples_leaf", panel=SEARCH)]
MinWeightLeaf = Annotated[float, flag("min_weight_fraction_leaf", panel=SEARCH)]
Monotonic = Annotated[
    list[str] | None,
    flag(
        "monotonic_cst",
        "NAME=+1, or NAME=-1; may be repeated",
        text="predictions rise with the column, or fall; of two classes those of the last one in "
        "sorted order",
        panel=SEARCH,
    ),
]
Thresholds = Annotated[str, flag("thresholds", panel=SEARCH)]
TimeLimit = Annotated[float | None, flag("time_limit", panel=SEARCH)]
MemoryLimit = Annotated[str | None, flag("memory_limit", panel=SEARCH)]
NJobs = Annotated[int | None, flag("n_jobs", panel=SEARCH)]
OnInterrupt = Annotated[str, flag("on_interrupt", panel=SEARCH)]
Alpha = Annotated[float | None, flag("alpha", "0 where nothing else chooses", panel=CHOICE)]
Complexity = Annotated[str, flag("complexity", panel=CHOICE)]
Folds = Annotated[
    int | None, flag("cv", text="number of folds of a cross-validation", panel=CHOICE)
]
Scoring = Annotated[str | None, flag("scoring", "a scorer of scikit-learn", panel=CHOICE)]
Rule = Annotated[
    str | None,
    flag(
        "rule",
        "best, or one_standard_error (the default)",
        text="with --cv: the tree with the best score, or the smallest about as good",
        panel=CHOICE,
    ),
]
Loss = Annotated[
    str | None, flag("loss", "squared_error (the default) or absolute_error", panel=PRICES)
]
ClassWeight = Annotated[
    list[str] | None,
    flag(
        "class_weight",
        "balanced, or NAME=WEIGHT (may be repeated), or a CSV file of both",
        text="weights of classes",
        panel=PRICES,
    ),
]
CostMatrix = Annotated[
    Path | None,
    flag("cost_matrix", "a CSV file, a true class at the head of every row", panel=PRICES),
]
FeatureCosts = Annotated[
    list[str] | None,
    flag("feature_costs", "NAME=COST (may be repeated), or a CSV file of both", panel=PRICES),
]
FeatureCostsOnce = Annotated[bool, flag("feature_costs_once", panel=PRICES)]
FeatureGroups = Annotated[
    list[str] | None, flag("feature_groups", "NAME,NAME; may be repeated", panel=PRICES)
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="print nothing but problems", rich_help_panel=OUTPUT),
]
TreeNumber = Annotated[
    int | None,
    typer.Option("--tree", help="number of a tree in the table of fit; without, the chosen one"),
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"treefront {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="which release"),
    ] = False,
) -> None:
    """Every decision tree on the accuracy/complexity front, from one fit."""


@app.command()
def demo(
    folder: Annotated[Path, typer.Option("--to", help="folder for the data and the model")] = Path(
        "treefront-demo"
    ),
    quiet: Quiet = False,
) -> None:
    """Fit bundled data: the front as a table, the chosen tree as rules, a report, a saved model."""
    demo_command.run(folder, quiet=quiet)


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="CSV or Parquet file with named columns")],
    target: Annotated[
        str | None, typer.Option(help="column to predict (required)", rich_help_panel=DATA)
    ] = None,
    task: Annotated[
        str,
        typer.Option(
            help="what the target holds: classes, numbers, or auto: numbers where all are and one "
            f"is not whole or more than {MOST_NUMERIC_CLASSES} differ",
            rich_help_panel=DATA,
        ),
    ] = "auto",
    drop: Annotated[
        list[str] | None,
        typer.Option(help="column to leave out; may be repeated", rich_help_panel=DATA),
    ] = None,
    categorical: Annotated[
        list[str] | None,
        typer.Option(
            help="column of numbers that are names, such as zip codes; may be repeated",
            rich_help_panel=DATA,
        ),
    ] = None,
    weight: Annotated[
        str | None, typer.Option(help="column with the weights of rows", rich_help_panel=DATA)
    ] = None,
    holdout: Annotated[
        float,
        typer.Option(
            help="fraction of rows to choose the tree by, such as 0.25", rich_help_panel=CHOICE
        ),
    ] = 0.0,
    seed: Annotated[
        int,
        typer.Option(min=0, help="which rows are held out, or make a fold", rich_help_panel=CHOICE),
    ] = 0,
    cv: Folds = None,
    rule: Rule = None,
    scoring: Scoring = None,
    n_leaves: Annotated[
        int | None, typer.Option(help="at most so many leaves", rich_help_panel=CHOICE)
    ] = None,
    mean_tests: Annotated[
        float | None,
        typer.Option(help="at most so many tests on average", rich_help_panel=CHOICE),
    ] = None,
    alpha: Alpha = None,
    complexity: Complexity = DEFAULT["complexity"],
    loss: Loss = None,
    class_weight: ClassWeight = None,
    cost_matrix: CostMatrix = None,
    feature_costs: FeatureCosts = None,
    feature_costs_once: FeatureCostsOnce = False,
    feature_groups: FeatureGroups = None,
    max_depth: MaxDepth = DEFAULT["max_depth"],
    splits: Splits = DEFAULT["splits"],
    exact_tail: ExactTail = DEFAULT["exact_tail"],
    prove: Prove = None,
    min_samples_leaf: MinSamplesLeaf = TEXT_DEFAULT["min_samples_leaf"],
    min_weight_fraction_leaf: MinWeightLeaf = DEFAULT["min_weight_fraction_leaf"],
    monotonic: Monotonic = None,
    thresholds: Thresholds = DEFAULT["thresholds"],
    time_limit: TimeLimit = DEFAULT["time_limit"],
    memory_limit: MemoryLimit = DEFAULT["memory_limit"],
    n_jobs: NJobs = DEFAULT["n_jobs"],
    on_interrupt: OnInterrupt = DEFAULT["on_interrupt"],
    out: Annotated[
        Path | None,
        typer.Option(help="write the model to this JSON file", rich_help_panel=OUTPUT),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="write a page that shows all trees to this HTML file", rich_help_panel=OUTPUT
        ),
    ] = None,
    report_rows: Annotated[
        int,
        typer.Option(
            min=0,
            help="how many rows of the data the page holds, to be followed",
            rich_help_panel=OUTPUT,
        ),
    ] = MOST_ROWS,
    quiet: Quiet = False,
) -> None:
    """Find all trees of the front for a file, show them, and choose one.

    The tree is chosen by the rows held out (--holdout), by cross-validation (--cv), by --n-leaves
    or --mean-tests, else by --alpha.
    """
    params: dict[str, Any] = {
        "max_depth": max_depth,
        "splits": parse_splits(splits),
        "exact_tail": parse_number(exact_tail),
        "complexity": complexity,
        "min_samples_leaf": parse_number(min_samples_leaf),
        "min_weight_fraction_leaf": min_weight_fraction_leaf,
        "thresholds": thresholds,
        "feature_costs_once": feature_costs_once,
        "time_limit": time_limit,
        "memory_limit": None if memory_limit is None else parse_number(memory_limit),
        "n_jobs": n_jobs,
        "on_interrupt": on_interrupt,
    }
    given = {"prove": prove, "alpha": alpha, "loss": loss, "cv": cv, "rule": rule}
    params |= {name: value for name, value in given.items() if value is not None}
    fit_command.run(
        Request(
            data=data,
            target=target,
            task=task,
            drop=drop or [],
            categorical=categorical or [],
            weight=weight,
            params=params,
            class_weight=class_weight or [],
            cost_matrix=cost_matrix,
            feature_costs=feature_costs or [],
            feature_groups=feature_groups or [],
            monotonic=monotonic or [],
            holdout=holdout,
            seed=seed,
            scoring=scoring,
            n_leaves=n_leaves,
            mean_tests=mean_tests,
            out=out,
            report=report,
            report_rows=report_rows,
            quiet=quiet,
        )
    )


@app.command()
def predict(
    model: Annotated[Path, typer.Argument(help="model file of treefront fit")],
    data: Annotated[Path, typer.Argument(help="CSV or Parquet file with the model's columns")],
    out: Annotated[
        Path | None, typer.Option(help="write to this CSV or Parquet file, not to the screen")
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="class shares as well")] = False,
    tree: TreeNumber = None,
) -> None:
    """Predict every row of a file with a saved model; other columns are ignored."""
    predict_command.run(model, data, out, proba=proba, number=tree)


@app.command()
def export(
    model: Annotated[Path, typer.Argument(help="model file of treefront fit")],
    to: Annotated[str, typer.Option(help=f"one of {', '.join(export_command.TARGETS)}")],
    output: Annotated[
        Path | None, typer.Option("--output", "--out", "-o", help="write to this file")
    ] = None,
    tree: TreeNumber = None,
    table: Annotated[str | None, typer.Option(help="sql: a query of this table")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="sql: of which database, such as duckdb or postgres")
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(help="sql: text that the table has for a missing value; may be repeated"),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="sql: class shares as well")] = False,
    name: Annotated[
        str | None, typer.Option(help="python, c: what the names of functions begin with")
    ] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="latex: a whole document")
    ] = False,
) -> None:
    """Write a tree of a saved model in another language, for use without treefront."""
    options = {
        "table": table,
        "dialect": dialect,
        "missing": missing or None,
        "proba": proba or None,
        "name": name,
        "standalone": standalone or None,
    }
    given = {option: value for option, value in options.items() if value is not None}
    export_command.run(model, to, output, given, number=tree)


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code.

    0: done. 2: bad input, one line on standard error. 130: interrupted.
    """
    try:
        code = app(args=arguments or ["--help"], prog_name="treefront", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except UsageError as error:
        return _fail(_usage(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough of it; nothing is left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    # Newer releases of typer turn Ctrl-C into this code themselves.
    return _fail("interrupted", INTERRUPTED) if code == INTERRUPTED else 0


def _usage(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "treefront"
    return f"{error.format_message().rstrip('.')} (see {command} --help)"


def _fail(message: str, code: int) -> int:
    print(f"treefront: {message}", file=sys.stderr)
    return code
