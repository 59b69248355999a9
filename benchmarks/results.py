"""Tables of results: read the recorded ones, write new ones as Markdown and CSV."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "results"


def recorded(name: str) -> dict[str, dict[str, float | None]]:
    """A committed CSV of numbers, by data set; an empty cell is None."""
    with (HERE / f"{name}.csv").open(newline="") as file:
        return {
            row.pop("data"): {key: float(cell) if cell else None for key, cell in row.items()}
            for row in csv.DictReader(file)
        }


def read_rows(name: str) -> list[dict[str, str]]:
    """Rows that an earlier run wrote, as text."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """One line per measurement; columns in order of first appearance."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{name}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_page(name: str, title: str, parts: Iterable[str]) -> None:
    """A Markdown page that says where and when it was measured."""
    FOLDER.mkdir(exist_ok=True)
    text = "\n\n".join([f"# {title}", machine.describe(), *parts])
    (FOLDER / f"{name}.md").write_text(text + "\n")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, first column left, the others right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def seconds(value: float | None) -> str:
    """Two or three digits that matter."""
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 1 else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def geometric_mean(values: Iterable[float]) -> float:
    """Of positive numbers; nan where there are none."""
    values = list(values)
    return statistics.geometric_mean(values) if values else float("nan")
