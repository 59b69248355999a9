"""README.md is true: its Python runs, its commands print what it shows, what it links to exists."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pages import arguments_of, assert_printed, blocks, consoles

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OF_OTHERS = ("--csv",)  # flags of other programs


def of_treefront() -> list[list[str]]:
    """Arguments of the commands that call treefront."""
    calls = [arguments_of(command) for command, _ in consoles(README)]
    return [call for call in calls if call is not None]


@pytest.fixture
def treefront(capsys) -> Callable[..., str]:
    for extra in ("typer", "rich", "polars"):
        pytest.importorskip(extra)
    from treefront.cli.app import run

    def call(*arguments: str) -> str:
        capsys.readouterr()
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    return call


def test_the_python_runs_as_it_stands(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, block in blocks(README):
        if language == "python":
            exec(compile(block, "README.md", "exec"), names)
    assert names


def test_the_commands_from_a_csv_to_sql_print_what_is_shown(tmp_path, monkeypatch, treefront):
    monkeypatch.chdir(tmp_path)
    treefront("demo", "--quiet")  # the README says that it leaves the files
    ran = set()
    for command, shown in consoles(README):
        arguments, program = arguments_of(command), command.split()[0]
        if arguments is not None:
            printed = treefront(*arguments)
        elif shutil.which(program) is None:
            continue  # what the SQL does is also tested without sqlite3
        else:
            printed = subprocess.run(
                ["bash", "-c", command], capture_output=True, text=True, check=True
            ).stdout
        ran.add(Path(program).name)
        assert_printed(shown, printed)
    assert ran >= {"treefront", "cat"}
    assert Path("report.html").exists()


def test_the_sql_of_the_readme_is_what_the_model_predicts(tmp_path, monkeypatch, treefront):
    pl = pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    treefront("demo", "--quiet")
    for arguments in of_treefront():
        printed = treefront(*arguments)
    predicted = [line.split(",")[0] for line in printed.splitlines()[1:]]  # of the last one
    rows = pl.read_csv("treefront-demo/new.csv", infer_schema=False)
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE patients ({', '.join(map(json.dumps, rows.columns))})")
    base.executemany(f"INSERT INTO patients VALUES ({', '.join('?' * rows.width)})", rows.rows())
    answer = base.execute(Path("tree.sql").read_text(encoding="utf-8"))
    assert [row[-1] for row in answer] == predicted


def test_the_commands_and_flags_exist(treefront):
    listed = treefront("--help")
    commands = {arguments[0] for arguments in of_treefront()} | {"demo"}
    assert commands == {"demo", "fit", "export", "predict"}
    assert all(re.search(rf"\b{command}\b", listed) for command in commands)
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    assert len(flags) > 20
    known = " ".join(treefront(command, "--help") for command in commands)
    assert not {flag for flag in flags if flag not in known and flag not in OF_OTHERS}


def test_the_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:^ {4}|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"demo", "test"} <= targets
    assert not {target for target in targets if f"\n{target}:" not in makefile}


def test_links_and_images_exist():
    links = re.findall(r"\]\(([^)]+)\)", README)
    local = [link for link in links if "://" not in link]
    assert "docs/images/front.png" in local
    assert not [link for link in local if not (ROOT / link).exists()]


@pytest.mark.parametrize("option", ["splits", "exact_tail", "alpha", "complexity", "time_limit"])
def test_the_table_of_options_names_the_defaults(option):
    from treefront import DPDTClassifier

    default = repr(DPDTClassifier().get_params()[option]).replace("'", '"')
    assert f"| `{option}={default}` | `--{option.replace('_', '-')}` |" in README
