"""Entry point of the script ``treefront``.

A package of its own: to import any part of `treefront` imports scikit-learn first, a second or two
in which Ctrl-C must end the program with one line as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

INTERRUPTED = 130  # as treefront.cli.app has it, which cannot be imported yet


def main() -> int:
    """Run the command line; returns the exit code."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # else whoever started the program wants it so
        # No exception: a module that is half imported might hide it, or make another of it.
        signal.signal(signal.SIGINT, _end)
    from treefront.cli import main as command_line

    with contextlib.suppress(ModuleNotFoundError):  # which command_line says in one line
        import treefront.cli.app  # noqa: F401
    signal.signal(signal.SIGINT, before)
    return command_line()


def _end(*_: Any) -> None:
    os.write(2, b"treefront: interrupted\n")
    os._exit(INTERRUPTED)
