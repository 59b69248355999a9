"""`treefront demo`: real data, a table, rules, a saved model, and next commands that work."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from treefront import load


@pytest.fixture
def demo(treefront, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = treefront("demo")
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def test_what_it_prints(demo):
    assert demo.startswith("Breast cancer (Wisconsin, diagnostic)")
    assert "rows held out" in demo
    assert "* chosen by validation accuracy" in demo
    assert "if worst " in demo
    assert "is in treefront-demo/model.json" in demo
    assert "The report is in treefront-demo/report.html" in demo


def test_the_report_is_of_the_saved_model(demo):
    page = Path("treefront-demo/report.html").read_text(encoding="utf-8")
    front = load("treefront-demo/model.json").front_
    assert page.count("<tr data-tree=") == len(front)
    assert "validation: 138 rows" in page


def test_the_next_commands_work(demo, treefront):
    commands = [line for line in demo.splitlines() if line.startswith("  treefront ")]
    assert len(commands) == 3
    predict, export, fit = (treefront(*shlex.split(line)[1:]) for line in commands)
    assert predict.code == export.code == fit.code == 0
    assert export.out.startswith("SELECT")
    assert len(predict.out.splitlines()) == 21
    assert "validation" in fit.out


def test_quietly_into_another_folder(treefront, tmp_path):
    answer = treefront("demo", "--to", tmp_path / "a" / "b", "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert load(tmp_path / "a" / "b" / "model.json").front_.loss[-1] < 0.05


def test_a_folder_that_cannot_be_made(treefront, tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in treefront("demo", "--to", tmp_path / "file").complaint
