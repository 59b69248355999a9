"""Files to write must be other files than those that are read, and differ from each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from treefront.cli.errors import InputError


def check_not_read(flag: str, output: Path | None, read: Iterable[Path]) -> None:
    """Raise InputError for an output that is one of the files that are read."""
    for path in read:
        if output is not None and are_same(output, path):
            raise InputError(
                f"{flag} {output} would overwrite {path}, which is read: name another file"
            )


def check_differ(flags: str, first: Path | None, second: Path | None) -> None:
    """Raise InputError for two outputs that are one file."""
    if first is not None and second is not None and are_same(first, second):
        raise InputError(f"{flags} both name {first}: give each a file of its own")


def are_same(first: Path, second: Path) -> bool:
    """Whether two paths name one file; never so for what keeps nothing, such as /dev/null."""
    try:
        if first.exists() and second.exists():  # links, and names in other letters
            return first.is_file() and first.samefile(second)
        return first.resolve() == second.resolve()
    except (OSError, ValueError, RuntimeError):  # cannot be opened either, which says why
        return False
