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
from treefront.report import MOST_ROWS

BAD_INPUT = 2
INTERRUPTED = 130

# Base class of what typer raises for a command line it does not understand.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
)

MaxDepth = Annotated[int, flag("max_depth")]
Splits = Annotated[str, flag("splits", f"tests allowed in a state: {SPLITS_HELP}")]
ExactTail = Annotated[str, flag("exact_tail")]
Prove = Annotated[str, flag("prove")]
Alpha = Annotated[float, flag("alpha")]
Complexity = Annotated[str, flag("complexity")]
MinSamplesLeaf = Annotated[str, flag("min_samples_leaf")]
Thresholds = Annotated[str, flag("thresholds")]
TimeLimit = Annotated[float | None, flag("time_limit")]
MemoryLimit = Annotated[str | None, flag("memory_limit")]
NJobs = Annotated[int | None, flag("n_jobs")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="print nothing but problems")]


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
    target: Annotated[str | None, typer.Option(help="column with the labels (required)")] = None,
    drop: Annotated[
        list[str] | None, typer.Option(help="column to leave out; may be repeated")
    ] = None,
    holdout: Annotated[
        float, typer.Option(help="fraction of rows to choose the tree by, such as 0.25")
    ] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="which rows are held out")] = 0,
    out: Annotated[Path | None, typer.Option(help="write the model to this JSON file")] = None,
    report: Annotated[
        Path | None, typer.Option(help="write a page that shows all trees to this HTML file")
    ] = None,
    report_rows: Annotated[
        int, typer.Option(min=0, help="how many rows of the data the page holds, to be followed")
    ] = MOST_ROWS,
    max_depth: MaxDepth = DEFAULT["max_depth"],
    splits: Splits = DEFAULT["splits"],
    exact_tail: ExactTail = DEFAULT["exact_tail"],
    prove: Prove = DEFAULT["prove"],
    alpha: Alpha = DEFAULT["alpha"],
    complexity: Complexity = DEFAULT["complexity"],
    min_samples_leaf: MinSamplesLeaf = TEXT_DEFAULT["min_samples_leaf"],
    thresholds: Thresholds = DEFAULT["thresholds"],
    time_limit: TimeLimit = DEFAULT["time_limit"],
    memory_limit: MemoryLimit = DEFAULT["memory_limit"],
    n_jobs: NJobs = DEFAULT["n_jobs"],
    quiet: Quiet = False,
) -> None:
    """Find all trees of the front for a file, show them, and choose one.

    The tree is chosen by the rows held out (--holdout), else by --alpha.
    """
    params: dict[str, Any] = {
        "max_depth": max_depth,
        "splits": parse_splits(splits),
        "exact_tail": parse_number(exact_tail),
        "prove": prove,
        "alpha": alpha,
        "complexity": complexity,
        "min_samples_leaf": parse_number(min_samples_leaf),
        "thresholds": thresholds,
        "time_limit": time_limit,
        "memory_limit": None if memory_limit is None else parse_number(memory_limit),
        "n_jobs": n_jobs,
    }
    fit_command.run(
        fit_command.Request(
            data=data,
            target=target,
            drop=drop or [],
            params=params,
            holdout=holdout,
            seed=seed,
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
) -> None:
    """Predict every row of a file with a saved model; other columns are ignored."""
    predict_command.run(model, data, out, proba=proba)


@app.command()
def export(
    model: Annotated[Path, typer.Argument(help="model file of treefront fit")],
    to: Annotated[str, typer.Option(help=f"one of {', '.join(export_command.TARGETS)}")],
    output: Annotated[
        Path | None, typer.Option("--output", "--out", "-o", help="write to this file")
    ] = None,
    table: Annotated[str | None, typer.Option(help="sql: a query of this table")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="sql: of which database, such as duckdb or postgres")
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="sql: class shares as well")] = False,
    name: Annotated[
        str | None, typer.Option(help="python, c: what the names of functions begin with")
    ] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="latex: a whole document")
    ] = False,
) -> None:
    """Write the chosen tree of a saved model in another language, for use without treefront."""
    options = {
        "table": table,
        "dialect": dialect,
        "proba": proba or None,
        "name": name,
        "standalone": standalone or None,
    }
    given = {option: value for option, value in options.items() if value is not None}
    export_command.run(model, to, output, given)


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
