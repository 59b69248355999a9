"""`treefront export`: the chosen tree of a saved model, in another language."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from treefront.cli import outputs
from treefront.cli.errors import InputError
from treefront.cli.predict import load_model, tree_of
from treefront.export import TARGETS


def run(
    model_path: Path,
    to: str,
    output: Path | None,
    options: dict[str, Any],
    *,
    number: int | None = None,
) -> None:
    """Write the chosen tree, or tree `number` of the front, to a file or to the screen.

    Raises
    ------
    InputError
        The model cannot be read, there is no such target, an option is not one of its options, or
        the tree cannot be written in it.
    """
    if to not in TARGETS:
        raise InputError(f"--to must be one of {', '.join(TARGETS)}, got {to!r}")
    known = inspect.signature(TARGETS[to]).parameters
    for option in options:
        if option not in known:
            takers = [
                name for name in TARGETS if option in inspect.signature(TARGETS[name]).parameters
            ]
            raise InputError(f"--{option} is for --to {' and '.join(takers)}, not for {to}")
    outputs.check_not_read("--output", output, [model_path])
    tree = tree_of(load_model(model_path), number)
    try:
        written = tree.export(to, **options)
    except (ValueError, ImportError) as error:
        raise InputError(_with_flags(str(error), options)) from error
    _write(written, output)


def _with_flags(message: str, options: dict[str, Any]) -> str:
    """A message of an export that speaks of one of its options, as of a flag."""
    for option in options:
        message = re.sub(rf"^{option}\b|(?<=leave out ){option}\b", f"--{option}", message)
    return message


def _write(written: str | bytes, output: Path | None) -> None:
    if output is None and isinstance(written, str):
        sys.stdout.write(written if written.endswith("\n") else written + "\n")
        return
    if output is None:
        raise InputError("ONNX is binary: say which file to write with --output")
    if isinstance(written, str):
        written = f"{written.rstrip()}\n"
    content = written.encode() if isinstance(written, str) else written
    try:
        output.write_bytes(content)
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror or error}") from error
