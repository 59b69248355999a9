"""Command line: `main`, which the script ``treefront`` runs."""

from __future__ import annotations

import signal
import sys

EXTRA = ("typer", "rich", "polars")


def main() -> int:
    """Run the command line; returns the exit code.

    A reader that stops early, such as ``head``, ends the program as it ends other Unix tools.
    """
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        from treefront.cli.app import run
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        print(
            f"treefront: the command line needs {error.name}: pip install 'treefront[cli]'",
            file=sys.stderr,
        )
        return 1
    return run(sys.argv[1:])
