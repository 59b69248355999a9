"""The commands and options of the command line, as typer describes them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from sphinx.application import Sphinx

PAGE = "docs/reference/command-line"
MARK = "<!-- commands -->"


def describe() -> str:
    """Markdown that typer writes from the declarations of the commands."""
    command = [sys.executable, "-m", "typer", "treefront.cli.app", "utils", "docs"]
    done = subprocess.run(
        [*command, "--name", "treefront"], capture_output=True, text=True, check=True
    )
    _, _, commands = done.stdout.partition("\n## ")
    return "## " + commands


def fill_in(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put the description where the page has its mark."""
    if page == PAGE:
        before, mark, after = source[0].partition(MARK)
        assert mark, f"{PAGE} has no {MARK}"
        source[0] = before + describe() + after


def setup(app: Sphinx) -> dict[str, Any]:
    """Fill in the page when it is read."""
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
