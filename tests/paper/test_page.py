"""docs/paper.md says what the recorded rows say."""

from __future__ import annotations

import pytest

from benchmarks import problems
from benchmarks.paper import summary
from benchmarks.paper.settings import Settings


def test_the_table_of_the_page_is_that_of_the_results():
    try:
        problems.folder()
    except SystemExit as reason:
        pytest.skip(str(reason))
    assert summary.tables(Settings()) in summary.PAGE.read_text(encoding="utf-8")
