"""The pages of docs/ are true: their Python runs, and what they show exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
WITH_CODE = [page for page in PAGES if "\n```python\n" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, capsys, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)  # some write files
    text = page.read_text(encoding="utf-8")
    scope: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for block in blocks:
        exec(compile(block, str(page), "exec"), scope)
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_links_to_exists(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_clinic_gets_a_proved_front_and_a_choice():
    page = (DOCS / "how-to/examination-prices.md").read_text(encoding="utf-8")
    scope: dict = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(block, scope)
    model, chosen = scope["model"], scope["chosen"]
    assert model.front_.proved.all()
    assert model.tree_ == model.front_[chosen]
    assert model.front_.complexity[-1] <= 36  # nothing costs more than all examinations
    assert (scope["scores"] <= scope["scores"][chosen]).all()
