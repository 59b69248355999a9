"""What every page of the experiments shares: where it goes, and cells with the paper's beside ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks import machine, results
from benchmarks.paper.settings import Settings

Published = dict[str, dict[str, "float | None"]]


def published(number: int) -> Published:
    """A table of the paper, by data set; an empty cell is None."""
    return results.recorded(f"paper/published/table{number}")


def write(settings: Settings, name: str, title: str, parts: Iterable[str]) -> None:
    """A page of the results, with the machine it was measured on."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([f"# {title}", machine.describe(), *parts])
    (settings.folder / f"{name}.md").write_text(text + "\n")


def percent(value: float | None, digits: int = 1) -> str:
    """A share in per cent."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def plain(value: float | None, digits: int = 1) -> str:
    """A number of the paper as it prints it."""
    return "–" if value is None else f"{value:.{digits}f}"


def beside(ours: float | None, theirs: float | None, digits: int = 1) -> str:
    """Our figure, then the paper's in brackets."""
    return f"{plain(ours, digits)} ({plain(theirs, digits)})"


def timed(ours: float | None, theirs: float | None) -> str:
    """Seconds, ours and the paper's."""
    return f"{results.seconds(ours)} ({results.seconds(theirs)})"


def printed(accuracy: float) -> float:
    """In per cent, to the digit that the paper prints."""
    return round(100 * accuracy, 1)


def wins(ours: dict[str, float], others: dict[str, float]) -> tuple[int, int, int]:
    """Data sets on which we are better, equal and worse, to the digit the paper prints."""
    better = sum(ours[data] > others[data] for data in ours)
    equal = sum(ours[data] == others[data] for data in ours)
    return better, equal, len(ours) - better - equal


def save(settings: Settings, name: str, figure: Any) -> None:
    """A picture of the results."""
    from matplotlib import pyplot as plt

    settings.folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(settings.folder / f"{name}.png", dpi=110)
    plt.close(figure)


def pyplot() -> Any:
    """pyplot without a screen."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    return plt
