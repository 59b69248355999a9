"""What every page of the experiments shares: where it goes, what its rows were measured on, and
cells with the paper's beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks import results
from benchmarks.paper.settings import Settings

Recorded = dict[str, str]  # a row of a log
Published = dict[str, dict[str, "float | None"]]


def published(number: int) -> Published:
    """A table of the paper, by data set; an empty cell is None."""
    return results.recorded(f"paper/published/table{number}")


def write(
    settings: Settings, name: str, title: str, parts: Iterable[str], rows: Sequence[Recorded] = ()
) -> None:
    """A page of the results; `rows` are those it shows, and say when and where."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([f"# {title}", *([measured(rows)] if rows else []), *parts])
    (settings.folder / f"{name}.md").write_text(text + "\n")


def measured(rows: Sequence[Recorded]) -> str:
    """When, where and with what some rows were measured, as far as they say."""
    days = sorted({row["date"] for row in rows if row.get("date")})
    silent = [row for row in rows if not row.get("processor")]
    where = sorted({row["processor"] for row in rows if row.get("processor")})
    found = {version for row in rows for version in row.get("versions", "").split(", ")} - {""}
    text = f"Measured {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else "Measured"
    text += (f" on {' and '.join(where)}" if where else "") + "".join(
        f", {version}" for version in sorted(found)
    )
    text += "."
    if silent:
        undated = sum(not row.get("date") for row in silent)
        text += (
            f" {len(silent):,} of {len(rows):,} rows did not note processor and versions: their "
            "day is that on which they were recorded"
            + (f", and of {undated:,} it is not known" if undated else "")
            + "."
        )
    return text


def limits(rows: Sequence[Recorded], what: str, whole: float) -> str:
    """A sentence: which limits met `what` in these rows, and whether the full run's is larger."""
    cut = [row for row in rows if row.get("ended") == "False"]
    sets = len({row["data"] for row in rows})
    if not cut:
        return f"{what}: no limit was met, data sets: {sets}."
    met = sorted({float(row["budget"]) for row in cut})
    given = share(rows)
    return (
        f"{what}: limit {', '.join(f'{limit:g}' for limit in met)} s of the clock"
        + ("" if given is None else f", of which the machine gave them {given:.0%}")
        + f"; it cut {len({row['data'] for row in cut})} of {sets} data sets short."
        + (f" **A partial measurement**: the full run's is {whole:g} s." if met[0] < whole else "")
    )


def share(rows: Sequence[Recorded]) -> float | None:
    """Seconds of the processor for one of the clock, where rows tell both."""
    both = [
        (float(row["seconds"]), float(row["wall_seconds"]))
        for row in rows
        if row.get("wall_seconds") and row.get("seconds")
    ]
    wall = sum(clock for _, clock in both)
    return sum(processor for processor, _ in both) / wall if wall else None


def percent(value: float | None, digits: int = 1) -> str:
    """A share in per cent."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def plain(value: float | None, digits: int = 1) -> str:
    """A number of the paper as it prints it."""
    return "–" if value is None else f"{value:.{digits}f}"


def or_oom(value: float | None) -> str:
    """A figure of the paper's rivals, which has none where they were out of memory."""
    return "OOM" if value is None else plain(value)


def beside(ours: float | None, theirs: float | None, digits: int = 1) -> str:
    """Our figure, then the paper's in brackets."""
    return f"{plain(ours, digits)} ({plain(theirs, digits)})"


def timed(ours: float | None, theirs: float | None) -> str:
    """Seconds, ours and the paper's."""
    return f"{results.seconds(ours)} ({results.seconds(theirs)})"


def printed(accuracy: float) -> float:
    """In per cent, to the digit that the paper prints."""
    return round(100 * accuracy, 1)


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
