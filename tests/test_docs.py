"""The pages of docs/ are true: what they show exists, and their code prints what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pages import arguments_of, assert_printed, blocks, consoles

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
WITH_CODE = [page for page in PAGES if "\n```python\n" in page.read_text(encoding="utf-8")]
WITH_COMMANDS = [page for page in PAGES if "\n```console\n" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_and_prints_what_is_shown(page, capsys, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)  # some write files
    scope: dict[str, object] = {}
    everything = printed = ""
    for language, block in blocks(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(block, str(page), "exec"), scope)
            printed = capsys.readouterr().out
            everything += printed
        elif language == "text":
            assert_printed(block, printed)
    assert everything


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_the_commands_of_a_page_print_what_is_shown(page, capsys, tmp_path, monkeypatch):
    for extra in ("typer", "rich", "polars"):
        pytest.importorskip(extra)
    from treefront.cli.app import run

    monkeypatch.chdir(tmp_path)
    for command, shown in consoles(page.read_text(encoding="utf-8")):
        arguments = arguments_of(command)
        assert arguments is not None
        run(arguments)
        printed = capsys.readouterr()
        assert_printed(shown, printed.out + printed.err)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_links_to_exists(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_clinic_gets_a_proved_front_and_a_choice():
    page = (DOCS / "how-to/examination-prices.md").read_text(encoding="utf-8")
    scope: dict = {}
    for language, block in blocks(page):
        if language == "python":
            exec(block, scope)
    model, chosen = scope["model"], scope["chosen"]
    assert model.front_.proved.all()
    assert model.tree_ == model.front_[chosen]
    assert model.front_.complexity[-1] <= 36  # nothing costs more than all examinations
    assert (scope["scores"] <= scope["scores"][chosen]).all()
