"""Points in time as numbers and as text.

A number is that of microseconds since 1970-01-01, in float64, which is exact from the year 1684 to
2255; what is finer is cut off. Times with a zone are turned into UTC; those without stay as they
are. The two kinds are told apart and never compared with each other.
"""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta, timezone
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAIVE, UTC = "naive", "UTC"
KINDS = (NAIVE, UTC)
UNIT = {
    NAIVE: "microseconds since 1970-01-01 00:00",
    UTC: "microseconds since 1970-01-01 00:00 UTC",
}

DAY = 86_400_000_000
# What a person would write, coarsest first, with numpy's name of its unit.
STEPS = {DAY: "D", 60_000_000: "m", 1_000_000: "s", 1000: "ms", 1: "us"}


def kind_of_cell(cell: object) -> str | None:
    """Whether a cell is a point in time, and of which kind."""
    if isinstance(cell, datetime):
        return NAIVE if cell.tzinfo is None else UTC
    return NAIVE if isinstance(cell, (date, np.datetime64)) else None


def naive(cell: Any) -> Any:
    """A cell that is a point in time, in UTC if it has a zone, as numpy's `datetime64` takes it."""
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        return cell.astimezone(timezone.utc).replace(tzinfo=None)
    return cell


def numbers(cells: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """Microseconds since 1970-01-01; NaN for NaT."""
    whole = cells.astype("datetime64[us]")
    return np.where(np.isnat(cells), np.nan, whole.astype(np.int64).astype(np.float64))


def iso(number: float, kind: str) -> str:
    """ISO 8601 with a space, to the second or with six digits of it; UTC as ``+00:00``.

    Rounded down to a microsecond, below which no two times differ.

    Raises
    ------
    ValueError
        Before the year 1 or after 9999, which dates of most languages do not reach.
    """
    zone = timezone.utc if kind == UTC else None
    try:
        point = datetime(1970, 1, 1, tzinfo=zone) + timedelta(microseconds=math.floor(number))
    except OverflowError as error:
        raise ValueError(f"{text(number, kind)} is a date that cannot be written") from error
    return point.isoformat(sep=" ")


def text(number: float, kind: str) -> str:
    """ISO 8601 with a space, as short as possible: 2021-03-04, 2021-03-04 12:30, 12:30:15.250.

    Rounded down to a microsecond, below which no two times differ.
    """
    point = math.floor(number)
    unit: Any = next(unit for step, unit in STEPS.items() if point % step == 0)
    iso = str(np.datetime_as_string(np.datetime64(point, "us"), unit=unit)).replace("T", " ")
    return iso if kind == NAIVE else f"{iso} {kind}"
