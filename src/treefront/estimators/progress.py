"""The progress bar of ``verbose=1``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treefront._native import OnProgress

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}{postfix}"


@contextmanager
def bar(verbose: int) -> Iterator[OnProgress | None]:
    """Function for the search to report to, or None; the bar is closed however the search ends.

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

        def report(fraction: float, n_states: int) -> None:
            shown.set_postfix_str(f"{n_states:,} states", refresh=False)
            shown.update(max(fraction - shown.n, 0.0))
            shown.refresh()

        yield report
