"""Says on standard error which fit is running and what the last one gave."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

Task = tuple[str, Callable[[], dict[str, Any]]]  # what it is, and the measurement


def run(tasks: Iterable[Task]) -> Iterable[tuple[str, dict[str, Any]]]:
    """Do the tasks in order and yield each with what it measured."""
    tasks = list(tasks)
    for number, (label, task) in enumerate(tasks, 1):
        print(f"[{number}/{len(tasks)}] {label} ... ", end="", file=sys.stderr, flush=True)
        row = task()
        print(summary(row), file=sys.stderr, flush=True)
        yield label, row


def summary(row: dict[str, Any]) -> str:
    if row["status"] != "ok":
        return row["status"] + (f" ({row['reason']})" if "reason" in row else "")
    quality = f"{row['accuracy']:.2%}" if "accuracy" in row else f"{row['mse']:.5g}"
    return f"{quality}, {row['seconds']:.3f} s"
