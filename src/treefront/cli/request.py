"""What `treefront fit` was asked for, and what can be seen to be wrong before the work starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sklearn.metrics import get_scorer_names

from treefront.cli import outputs
from treefront.cli.errors import InputError
from treefront.cli.flags import OPTIONS, flag_name, with_flags
from treefront.cli.table import listed
from treefront.cli.targets import TASKS
from treefront.report import MOST_ROWS


@dataclass(frozen=True)
class Request:
    """The flags of `treefront fit`; what is said by name is checked against the data later."""

    data: Path
    target: str | None
    task: str = "auto"
    drop: list[str] = field(default_factory=list)
    categorical: list[str] = field(default_factory=list)
    weight: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)  # of the estimator, as it takes them
    class_weight: list[str] = field(default_factory=list)
    cost_matrix: Path | None = None
    feature_costs: list[str] = field(default_factory=list)
    feature_groups: list[str] = field(default_factory=list)
    monotonic: list[str] = field(default_factory=list)
    holdout: float = 0.0
    seed: int = 0
    scoring: str | None = None
    n_leaves: int | None = None
    mean_tests: float | None = None
    out: Path | None = None
    report: Path | None = None
    report_rows: int = MOST_ROWS
    title: str | None = None  # of the report
    quiet: bool = False

    @property
    def chosen_by(self) -> dict[str, float]:
        """Price or size of the tree, where one was asked for."""
        given = {
            "alpha": self.params.get("alpha"),
            "n_leaves": self.n_leaves,
            "mean_tests": self.mean_tests,
        }
        return {name: value for name, value in given.items() if value is not None}

    @property
    def by_folds(self) -> bool:
        """Whether cross-validation chooses the tree."""
        return "cv" in self.params

    def check(self) -> None:
        """Raise InputError for what is wrong whatever the data."""
        if self.task not in TASKS:
            raise InputError(f"--task must be one of {', '.join(TASKS)}, got {self.task!r}")
        if not 0 <= self.holdout < 1:
            raise InputError(
                f"--holdout must be a fraction of at least 0 and below 1, got {self.holdout:g}"
            )
        self._check_columns()
        self._check_choice()
        _check_can_be_written("--out", self.out, "a model")
        _check_can_be_written("--report", self.report, "a report")
        outputs.check_not_read("--out", self.out, self._read)
        outputs.check_not_read("--report", self.report, self._read)
        outputs.check_differ("--out and --report", self.out, self.report)
        try:
            for name, value in self.params.items():
                OPTIONS[name].check(flag_name(name), value)
        except ValueError as error:
            raise InputError(with_flags(str(error))) from error

    def _check_columns(self) -> None:
        if self.target is not None and self.target == self.weight:
            raise InputError(f"--target and --weight are both {self.target!r}: take two columns")
        for flag, name in (("--target", self.target), ("--weight", self.weight)):
            if name in self.drop:
                raise InputError(
                    f"--drop {name}: that is the column of {flag}, which is no feature anyway"
                )

    @property
    def _read(self) -> list[Path]:
        """Files that are read."""
        words = [*self.class_weight, *self.feature_costs, *self.monotonic]
        files = [Path(word) for word in words if "=" not in word]
        return [self.data, *files, *([] if self.cost_matrix is None else [self.cost_matrix])]

    def _check_choice(self) -> None:
        ways = [flag_name(name) for name in self.chosen_by] + ["--cv"] * self.by_folds
        if len(ways) > 1:
            raise InputError(f"{' and '.join(ways)} choose the tree each in another way: take one")
        if self.by_folds and self.holdout > 0:
            raise InputError("--cv and --holdout choose the tree each in another way: take one")
        if self.by_folds and self.params["cv"] < 2:
            raise InputError(f"--cv must be at least 2 folds, got {self.params['cv']}")
        if self.params.get("prove") == "front" and self.params.get("splits") != "all":
            raise InputError("--prove front is for --splits all: others prove nothing")
        if "rule" in self.params and not self.by_folds:
            raise InputError("--rule is for --cv")
        if self.scoring is not None and not (self.by_folds or self.holdout > 0):
            raise InputError("--scoring is for --holdout and --cv")
        if self.scoring is not None and self.scoring not in get_scorer_names():
            raise InputError(
                f"--scoring {self.scoring!r} is no scorer of scikit-learn; such are "
                f"{listed(get_scorer_names())}"
            )


def _check_can_be_written(flag: str, path: Path | None, what: str) -> None:
    try:
        if path is not None and not path.parent.is_dir():
            raise InputError(f"there is no folder {path.parent} to write {what} to")
        if path is not None and path.is_dir():
            raise InputError(f"{path} is a folder; {flag} needs the name of a file")
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
