"""Finished measurements, one row each, in a CSV: what is there is not measured again."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import machine

ALWAYS = ("treefront", "scikit-learn")  # packages whose versions every row tells
Row = dict[str, Any]
Measurement = Callable[[], "Row | list[Row]"]


@dataclass(frozen=True)
class Task:
    """One fit, or one that gives many trees and so many rows."""

    key: tuple[str, ...]
    measure: Measurement
    budget: float | None = None  # the limit it runs under


@dataclass
class Log:
    """Rows of one experiment; `names` are the columns that tell its fits apart.

    Every row says when and where it was measured, and with which versions: those of `packages` too.
    """

    path: Path
    names: tuple[str, ...]
    rows: list[dict[str, str]] = field(default_factory=list)
    packages: tuple[str, ...] = ()
    fits: dict[tuple[str, ...], list[dict[str, str]]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.path.exists():
            with self.path.open(newline="") as file:
                self.rows = list(csv.DictReader(file))
        self._index()

    def run(self, tasks: Iterable[Task]) -> None:
        """Do what is not done yet, in order; each finished fit is on disk before the next."""
        left = [task for task in tasks if not self.is_done(task)]
        for number, task in enumerate(left, 1):
            label = ", ".join(task.key)
            print(f"[{number}/{len(left)}] {label} ... ", end="", file=sys.stderr, flush=True)
            start = perf_counter()
            found = task.measure()
            found = found if isinstance(found, list) else [found]
            print(summary(found, perf_counter() - start), file=sys.stderr, flush=True)
            budget = "" if task.budget is None else task.budget
            key = dict(zip(self.names, task.key, strict=True))
            circumstances = {"budget": budget} | self._circumstances()
            self._add([key | row | circumstances for row in found], task.key)

    def is_done(self, task: Task) -> bool:
        """A fit that failed, or that a smaller limit cut short, is not."""
        found = self.of(*task.key)
        if any(row.get("status", "").startswith("failed") for row in found):
            return False
        return bool(found) and all(
            row.get("ended", "") != "False"
            or task.budget is None
            or float(row["budget"]) >= task.budget
            for row in found
        )

    def of(self, *key: str) -> list[dict[str, str]]:
        """Rows of a fit; of all fits that begin with a shorter key."""
        return list(self.fits.get(key, ()))

    def _index(self) -> None:
        """Pages ask for thousands of fits: rows by every key they begin with."""
        self.fits = {}
        for row in self.rows:
            key = tuple(row[name] for name in self.names)
            for length in range(len(key) + 1):
                self.fits.setdefault(key[:length], []).append(row)

    def _circumstances(self) -> Row:
        return {
            "date": date.today(),
            "processor": machine.processor(),
            "versions": ", ".join(machine.versions((*ALWAYS, *self.packages))),
        }

    def _add(self, rows: list[Row], key: tuple[str, ...]) -> None:
        """Append; the file is written anew where an old measurement or the columns change."""
        text = [{name: "" if v is None else str(v) for name, v in row.items()} for row in rows]
        columns = list(dict.fromkeys(name for row in [*self.rows, *text] for name in row))
        old = self.of(*key)
        known = list(self.rows[0]) if self.rows else []
        self.rows = [row for row in self.rows if row not in old] + text
        self.rows = [{name: row.get(name, "") for name in columns} for row in self.rows]
        self._index()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if old or columns != known or not self.path.exists():
            part = self.path.with_suffix(".part")
            _write(part, columns, self.rows, "w")
            part.replace(self.path)
        else:
            _write(self.path, columns, self.rows[-len(text) :], "a")


def _write(path: Path, columns: list[str], rows: list[dict[str, str]], mode: str) -> None:
    with path.open(mode, newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        if mode == "w":
            writer.writeheader()
        writer.writerows(rows)


def summary(rows: list[Row], wall: float) -> str:
    """How it went, in a few words."""
    status = rows[-1].get("status", "ok")
    if status != "ok":
        return f"{status} ({rows[-1].get('reason', f'{wall:.1f} s')})"
    best = max(
        (float(row["train_accuracy"]) for row in rows if row.get("train_accuracy") is not None),
        default=None,
    )
    trees = f"{len(rows)} rows, " if len(rows) > 1 else ""
    return trees + ("" if best is None else f"{best:.2%}, ") + f"{wall:.1f} s"


def number(row: dict[str, str], name: str) -> float | None:
    """A cell as a number; None where it is empty or missing."""
    cell = row.get(name, "")
    return float(cell) if cell else None
