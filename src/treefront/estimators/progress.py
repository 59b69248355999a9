"""The progress bar of ``verbose=1``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from treefront._native import OnProgress

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}{postfix}"


@contextmanager
def bar(verbose: int, unit: float = 1.0, *, is_rate: bool = True) -> Iterator[OnProgress | None]:
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

    Raises
    ------
    ImportError
        tqdm is not installed.
    """
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError(
            "verbose=1 shows a progress bar with tqdm: pip install 'treefront[progress]'"
        ) from error
    with tqdm(total=1.0, desc="search", bar_format=BAR, postfix="0 states") as shown:

        def report(fraction: float, n_states: int, value: float, bound: float) -> None:
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
