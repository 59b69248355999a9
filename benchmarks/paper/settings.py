"""How much of the paper's experiments a run does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks import problems, results

OCT = (
    *("balance-scale", "breast-cancer", "car-evaluation", "hayes-roth"),
    *("house-votes-84", "soybean-small", "spect", "tic-tac-toe"),
)


@dataclass(frozen=True)
class Settings:
    """The defaults are the full run; a limit is of seconds of the clock per fit."""

    data: tuple[str, ...] = problems.NAMES
    oct_data: tuple[str, ...] = OCT
    oct_seeds: tuple[int, ...] = (37, 42, 53)  # the splits of Table 4
    oct_depth: int = 5
    solver_limit: float = 600.0  # of the integer programmes, and of pycontree
    size_limit: float = 300.0  # of all 32 sizes of one binarised search together
    shallow_limit: float = 300.0  # of its 8 sizes at depth 3
    lots_data: tuple[str, ...] = ("bank", "fault", "raisin", "segment", "wilt")  # small ones
    lots_runs: int = 6
    memory_mb: int = 8192  # past it a rival is out of memory
    custard_data: tuple[str, ...] = problems.NAMES
    custard_steps: int = 200_000  # of the environment, a minute or two each
    custard_runs: int = 3
    example_steps: int = 50_000  # of Figure 4's example
    example_settings: int = 6  # tried for each agent
    example_trials: int = 3  # runs of each
    example_runs: int = 5  # of the best one
    example_long_steps: int = 300_000  # of agents with the library's defaults
    example_long_runs: int = 5
    boosting_rounds: int = 50
    repeats: int = 3  # of fits under a second
    folder: Path = results.FOLDER / "paper"


def quick(folder: Path) -> Settings:
    """A few small data sets and limits: whether everything runs, not what comes out."""
    return Settings(
        data=("bank",),
        oct_data=("soybean-small",),
        oct_seeds=(37,),
        oct_depth=1,
        solver_limit=1.0,
        size_limit=1.0,
        shallow_limit=1.0,
        lots_runs=1,
        custard_data=("bank",),
        custard_steps=200,
        custard_runs=1,
        example_steps=200,
        example_settings=1,
        example_trials=1,
        example_runs=1,
        example_long_steps=200,
        example_long_runs=1,
        boosting_rounds=2,
        repeats=1,
        folder=folder,
    )
