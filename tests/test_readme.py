"""README.md is true: its Python runs, its commands print what it shows, what it links to exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CUT = "..."  # lines left out


def blocks(language: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found, f"README.md has no block of {language}"
    return found


def console() -> Iterator[tuple[list[str], list[str]]]:
    """Arguments of every command of treefront that is shown, and the lines it is shown to print."""
    for block in blocks("console"):
        for call in block.split("$ ")[1:]:
            command, *printed = call.splitlines()
            program, *arguments = shlex.split(command)
            assert Path(program).name == "treefront"
            yield arguments, [line for line in printed if line not in (CUT, "")]


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
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), names)


def test_the_commands_print_what_is_shown(tmp_path, monkeypatch, treefront):
    monkeypatch.chdir(tmp_path)
    treefront("demo", "--quiet")  # the README says that it leaves the files
    for arguments, shown in console():
        printed = treefront(*arguments).splitlines()
        at = 0
        for line in shown:  # in this order, with lines between them where the README cuts
            assert line in printed[at:], f"treefront {arguments[0]} does not print: {line}"
            at = printed.index(line, at) + 1


def test_the_commands_and_flags_exist(treefront):
    listed = treefront("--help")
    commands = {arguments[0] for arguments, _ in console()} | {"demo"}
    assert all(re.search(rf"\b{command}\b", listed) for command in commands)
    flags = set(re.findall(r"`(--[a-z-]+)`", README))
    assert flags
    known = treefront("fit", "--help") + treefront("predict", "--help")
    assert not {flag for flag in flags if flag not in known}


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
