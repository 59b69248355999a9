"""Pages in Markdown as tests see them: their blocks of code, and what they are shown to print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"^```(python|text|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CUT = "..."  # lines left out


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of every block that is run or printed."""
    return BLOCK.findall(page)


def consoles(page: str) -> Iterator[tuple[str, str]]:
    """Every command that is shown, and what it is shown to print."""
    for language, block in blocks(page):
        if language == "console":
            for call in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
                command, _, printed = call.partition("\n")
                yield command, printed


def arguments_of(command: str) -> list[str] | None:
    """What a command hands to treefront; None: it is another program's."""
    program, *arguments = shlex.split(command)
    return arguments if Path(program).name == "treefront" else None


def assert_printed(shown: str, printed: str) -> None:
    """Every line shown was printed, in this order, with others between them only at a cut."""
    lines = [line.rstrip() for line in printed.splitlines()]
    at, may_skip = 0, True
    for line in (line.rstrip() for line in shown.splitlines()):
        if line == CUT:
            may_skip = True
            continue
        assert line in lines[at:], f"not printed: {line}"
        place = lines.index(line, at)
        assert may_skip or place == at, f"printed before {line!r}: {lines[at]!r}"
        at, may_skip = place + 1, False
