"""The site, built once, every warning an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STRICT = ("-W", "--keep-going", "-n", "-E", "-q")  # as in the Makefile


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    for tool in ("sphinx", "myst_parser", "numpydoc", "pydata_sphinx_theme", "typer"):
        pytest.importorskip(tool)
    folder = tmp_path_factory.mktemp("site")
    output, doctrees = folder / "html", folder / "doctrees"
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", "docs", *STRICT]
    command += ["-d", str(doctrees), ".", str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output
