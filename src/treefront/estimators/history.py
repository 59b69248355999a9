"""How a proof went: the best loss in hand and the lower bound, at a bounded number of moments."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treefront._native import OnProgress

MOST_MOMENTS = 512


@dataclass(frozen=True, eq=False)
class History:
    """Moments of a proof, first to last; empty where nothing was to be proved.

    Attributes
    ----------
    seconds : ndarray of float64, shape (n,)
        Since the search began.
    value : ndarray of float64, shape (n,)
        ``loss + alpha * complexity`` of the best tree in hand.
    bound : ndarray of float64, shape (n,)
        No tree has less.
    n_states : ndarray of int64, shape (n,)
        States solved until then.
    """

    seconds: NDArray[np.float64]
    value: NDArray[np.float64]
    bound: NDArray[np.float64]
    n_states: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def gap(self) -> NDArray[np.float64]:
        """By how much the best tree may be worse than the best there is: (n,)."""
        return np.maximum(self.value - self.bound, 0.0)


class Recorder:
    """Writes a history while a search reports to it.

    When it is full every second moment is forgotten, and from then on moments lie twice as far
    apart: a long search is remembered as evenly as a short one.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self.start = time.monotonic()
        self.pause = 0.0  # seconds between two moments
        self.moments: list[tuple[float, float, float, int]] = []

    def and_then(self, shown: OnProgress | None) -> OnProgress:
        """Function that records what the search reports, and passes it on."""

        def report(fraction: float, n_states: int, value: float, bound: float) -> None:
            self._record(n_states, value, bound, is_last=fraction >= 1.0)
            if shown is not None:
                shown(fraction, n_states, value, bound)

        return report

    def _record(self, n_states: int, value: float, bound: float, *, is_last: bool) -> None:
        if not (math.isfinite(value) and math.isfinite(bound)):
            return  # the search for a start proves nothing yet
        now = time.monotonic() - self.start
        if not is_last and self.moments and now - self.moments[-1][0] < self.pause:
            return
        self.moments.append((now, value / self.unit, bound / self.unit, n_states))
        if len(self.moments) >= MOST_MOMENTS:
            self.moments = self.moments[::2]
            self.pause = max(2 * self.pause, 2 * now / MOST_MOMENTS)

    @property
    def history(self) -> History:
        """What was recorded."""
        columns = np.array(self.moments, dtype=np.float64).reshape(-1, 4).T
        return History(columns[0], columns[1], columns[2], columns[3].astype(np.int64))
