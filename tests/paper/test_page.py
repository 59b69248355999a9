"""docs/paper.md and the pages of the results say what the recorded rows say."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from importlib.util import find_spec

import pytest

from benchmarks import problems
from benchmarks.paper import __main__ as runner
from benchmarks.paper import boosting, depth5, depth10, pages, selection, solvers, summary, tradeoffs
from benchmarks.paper.log import Log
from benchmarks.paper.settings import Settings

# Not of rows alone: pictures fits its trees when it draws them, custard loads deep agents.
LEFT_OUT = ("pictures", "custard")


@pytest.fixture(autouse=True, scope="module")
def _data():
    try:
        problems.folder()
    except SystemExit as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def page() -> str:
    return summary.PAGE.read_text(encoding="utf-8")


def test_the_tables_of_the_page_are_those_of_the_results(page):
    assert summary.tables(Settings()) in page


def test_the_pages_of_the_results_are_those_of_their_rows(tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    folder = Settings().folder
    for path in folder.glob("*.csv"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(pages, "save", lambda settings, name, figure: plt.close(figure))
    names = [name for name in runner.EXPERIMENTS if name not in LEFT_OUT]
    runner.run(replace(Settings(), folder=tmp_path), names, page=True)
    written = sorted(tmp_path.glob("*.md"))
    assert written
    for path in written:
        assert body(path.read_text()) == body((folder / path.name).read_text()), path.name


def body(text: str) -> list[str]:
    """All but where it was measured."""
    return [line for line in text.splitlines() if not line.startswith("Measured")]
