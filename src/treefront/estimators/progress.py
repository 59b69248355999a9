"""The progress bar of ``verbose=1``."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from treefront._native import OnProgress


class StoppedError(Exception):
    """Raised by a search that was asked to stop."""


class Stop:
    """Asks the searches of other threads to stop, which see no Ctrl-C.

    In another process it is a new one, which nobody raises: processes are ended as a whole.
    """

    def __init__(self) -> None:
        self._requested = threading.Event()

    def request(self) -> None:
        """Stop them."""
        self._requested.set()

    def check(self, *_progress: float) -> None:
        """Raise StoppedError where it was asked for; a search calls this now and then."""
        if self._requested.is_set():
            raise StoppedError

    def __reduce__(self) -> tuple[type[Stop], tuple[()]]:
        return Stop, ()


BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}{postfix}"


@contextmanager
def bar(
    verbose: int,
    unit: float = 1.0,
    *,
    is_rate: bool = True,
    name: str = "search",
    stop: Stop | None = None,
) -> Iterator[OnProgress | None]:
    """Function for the search to report to, or None; the bar is closed however the search ends.

    During a search the bar is the share that is done. During a proof it is the lower bound as a
    share of the loss in hand, so it is full where the two meet; both and their gap are shown.

    Parameters
    ----------
    verbose : int
        0 shows nothing.
    unit : float
        What the losses reported are divided by.
    is_rate : bool
        Whether they are then shares, shown in per cent.
    name : str
        What the bar calls the search.
    stop : Stop, optional
        Asked at every report.

    Raises
    ------
    ImportError
        tqdm is not installed.
    """
    if not verbose:
        yield None if stop is None else stop.check
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError(
            "verbose=1 shows a progress bar with tqdm: pip install 'treefront[progress]'"
        ) from error
    with tqdm(total=1.0, desc=name, bar_format=BAR, postfix="0 states") as shown:

        def report(fraction: float, n_states: int, value: float, bound: float) -> None:
            if stop is not None:
                stop.check()
            states = f"{n_states:,} states"
            if math.isfinite(value) and math.isfinite(bound):
                shown.set_description_str("proof", refresh=False)
                loss, least = value / unit, bound / unit
                form = ".3%" if is_rate else ".5g"
                gap = max(loss - least, 0.0)
                states = f"{loss:{form}} >= {least:{form}}, gap {gap:{form}}, {states}"
                shown.n = min(max(bound / value, 0.0), 1.0) if value > 0 else 1.0
            else:
                shown.n = max(shown.n, fraction)
            shown.set_postfix_str(states, refresh=False)
            shown.refresh()

        yield report
        _paint_no_error(shown)


def _paint_no_error(shown: Any) -> None:
    """A notebook paints a bar that is not full red when it closes; a limit reached is no error."""
    paint = getattr(shown, "disp", None)
    if paint is None:  # in a terminal
        return

    def calmly(*args: Any, **how: Any) -> None:
        paint(*args, **how | ({"bar_style": "info"} if how.get("bar_style") == "danger" else {}))

    shown.disp = calmly
