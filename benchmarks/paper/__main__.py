"""``python -m benchmarks.paper``: every table and figure of the paper, into results/paper/.

A finished fit is a row of a CSV and is not run again; a fit that a smaller limit cut short is.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from benchmarks import problems
from benchmarks.paper import settings as amounts
from benchmarks.paper import summary
from benchmarks.paper.log import Log

# In this order: some pages show rows of experiments before them.
EXPERIMENTS = (
    *("depth3", "binary", "depth5", "depth10", "iris", "pictures", "mip"),
    *("formulations", "custard", "boosting"),
)


def main() -> None:
    arguments = parse()
    one_core(arguments.core)
    run(settings_of(arguments), arguments.only, arguments.page)


def run(settings: amounts.Settings, only: list[str], page: bool = False) -> None:
    """Measure what is missing of the experiments named, and write their pages anew."""
    for name in EXPERIMENTS:
        experiment = importlib.import_module(f"benchmarks.paper.{name}")
        if only and not {name, *experiment.SHOWS} & set(only):
            continue
        print(f"==> {name}: {', '.join(experiment.SHOWS)}", file=sys.stderr)
        needs = getattr(experiment, "NEEDS", ())
        missing = [need for need in needs if find_spec(need) is None]
        if missing and not page:
            print(f"    left out, not installed: {', '.join(missing)}", file=sys.stderr)
            continue
        noted = (*needs, *getattr(experiment, "USES", ()))  # USES: some of its fits alone
        log = Log(settings.folder / f"{name}.csv", experiment.NAMES, packages=noted)
        if not page:
            log.run(experiment.tasks(settings, log))
        experiment.write(log, everything(settings))
    if settings.folder == amounts.Settings().folder:
        summary.update(everything(settings))


def everything(settings: amounts.Settings) -> amounts.Settings:
    """Pages show all that is recorded, whatever part of it this run measures."""
    return replace(settings, data=amounts.Settings().data)


def one_core(core: int | None) -> None:
    """This process on one core, as those it starts: the last it may have, if none is chosen."""
    if not hasattr(os, "sched_setaffinity"):
        if core is not None:
            raise SystemExit("--core: this system does not bind processes to cores; leave it out")
        return
    allowed = os.sched_getaffinity(0)
    if core is not None and core not in allowed:
        raise SystemExit(f"--core: {core} is none of {', '.join(map(str, sorted(allowed)))}")
    os.sched_setaffinity(0, {max(allowed) if core is None else core})


def settings_of(arguments: argparse.Namespace) -> amounts.Settings:
    if arguments.quick:
        return amounts.quick(arguments.out or Path("build/paper"))
    settings = amounts.Settings()
    chosen = arguments.data and tuple(arguments.data)
    given = {
        "data": chosen,
        "custard_data": chosen,
        "solver_limit": arguments.solver_limit,
        "size_limit": arguments.size_limit,
        "shallow_limit": arguments.shallow_limit,
        "custard_steps": arguments.custard_steps,
        "custard_runs": arguments.custard_runs,
        "oct_seeds": arguments.oct_seeds and tuple(arguments.oct_seeds),
        "folder": arguments.out,
    }
    return replace(settings, **{name: value for name, value in given.items() if value is not None})


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description=__doc__)
    names = [
        *EXPERIMENTS,
        *(f"table{i}" for i in range(1, 8)),
        *(f"figure{i}" for i in range(1, 10)),
    ]
    parser.add_argument("--quick", action="store_true", help="a smoke run, into build/paper")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="NAME", choices=names, help=", ".join(names)
    )
    parser.add_argument("--page", action="store_true", help="write pages of what is measured")
    parser.add_argument("--out", type=Path, help="another folder for the results")
    parser.add_argument(
        "--core", type=int, help="where to measure (the last): two runs at once need two"
    )
    parser.add_argument("--data", nargs="*", choices=problems.NAMES, help="only these data sets")
    parser.add_argument(
        "--solver-limit", type=float, help="seconds per integer programme and of pycontree (600)"
    )
    parser.add_argument("--size-limit", type=float, help="seconds for all sizes of pystreed (300)")
    parser.add_argument(
        "--shallow-limit", type=float, help="the same for its sizes of depth 3 (300)"
    )
    parser.add_argument("--custard-steps", type=int, help="training steps of Custard (200000)")
    parser.add_argument("--custard-runs", type=int, help="Custard runs per data set (3)")
    parser.add_argument("--oct-seeds", nargs="*", type=int, help="splits of Table 4 (37 42 53)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
