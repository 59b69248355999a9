"""The experiments run, from data to pages, and go on where they stopped."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.paper import __main__ as runner
from benchmarks.paper import binary, pages
from benchmarks.paper.log import Log, Task
from benchmarks.paper.settings import quick

SLOW = ("custard",)  # loads a deep learning library in every run


@pytest.fixture
def settings(tmp_path, shared_data):
    pytest.importorskip("matplotlib")
    return quick(tmp_path / "paper")


def test_a_quick_run_writes_every_page_and_is_not_repeated(settings, capsys):
    names = [name for name in runner.EXPERIMENTS if name not in SLOW]
    runner.run(settings, names)
    pages = {path.name for path in settings.folder.iterdir()}
    assert {"table1.md", "table2.md", "table3.md", "table6.md", "table7.md"} <= pages
    assert ("table4.md" in pages) == (find_spec("highspy") is not None)
    assert {f"figure{i}.png" for i in (1, 2, 3, 6, 7, 8, 9)} <= pages
    assert {"figure1.md", "pictures.md", "tradeoffs.md", "boosting.md"} <= pages
    measured = {path: path.read_text() for path in settings.folder.glob("*.csv")}
    assert len(measured) >= 6
    for text in measured.values():
        assert list(csv.DictReader(text.splitlines()))
    capsys.readouterr()
    runner.run(settings, ["depth5", "iris"])
    assert "[1/" not in capsys.readouterr().err
    for path in ("depth5.csv", "iris.csv"):
        assert (settings.folder / path).read_text() == measured[settings.folder / path]


@pytest.mark.long
@pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs stable-baselines3")
def test_a_quick_run_of_custard(settings):
    runner.run(settings, ["custard"])
    assert (settings.folder / "custard.md").exists()
    assert (settings.folder / "figure4.png").exists()


BLOCKED = """
import importlib, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages!r}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
from benchmarks.paper import __main__ as runner
from benchmarks.paper import summary
from benchmarks.paper.settings import Settings
for name in runner.EXPERIMENTS:
    importlib.import_module(f"benchmarks.paper.{{name}}")
print(summary.tables(Settings()))
"""


def test_without_the_rivals_the_experiments_are_there_and_the_page_too(settings):
    """`settings` asks for the data."""
    packages = ("gymnasium", "stable_baselines3", "torch", "highspy", "pystreed", "fimdlp")
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(packages=(*packages, "pycontree"))],
        cwd=Path(__file__).resolve().parents[2],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Figure 4" in done.stdout


# ---- where it is measured, and what a row and a page say of it ----


@pytest.fixture
def bound(monkeypatch):
    """The cores a process is bound to, of 2, 5 and 7, without binding this one."""
    chosen: list[set[int]] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 5, 7}, raising=False)
    monkeypatch.setattr(
        os, "sched_setaffinity", lambda _, cores: chosen.append(cores), raising=False
    )
    return chosen


@pytest.mark.parametrize(("asked", "core"), [(None, 7), (2, 2), (5, 5)])
def test_the_caller_chooses_the_core(bound, asked, core):
    runner.one_core(asked)
    assert bound == [{core}]


def test_a_core_that_is_not_allowed_is_told(bound):
    with pytest.raises(SystemExit, match="--core: 3 is none of 2, 5, 7"):
        runner.one_core(3)
    assert not bound


def test_a_row_says_when_and_with_what_it_was_measured(tmp_path):
    log = Log(tmp_path / "log.csv", ("name",), packages=("numpy", "no-such-package"))
    log.run([task([], "a")])
    (row,) = Log(tmp_path / "log.csv", ("name",)).rows
    assert row["date"].count("-") == 2
    assert row["processor"]
    assert f"numpy {version('numpy')}" in row["versions"].split(", ")
    assert f"treefront {version('treefront')}" in row["versions"].split(", ")


def test_a_page_tells_the_range_of_its_rows():
    noted = {"processor": "P", "versions": "a 1, b 2"}
    rows = [{"date": "2026-03-02"} | noted, {"date": "2026-03-04"} | noted]
    assert pages.measured(rows) == "Measured 2026-03-02 to 2026-03-04 on P, a 1, b 2."
    assert pages.measured(rows[:1]) == "Measured 2026-03-02 on P, a 1, b 2."
    text = pages.measured([*rows, {"date": "2026-03-01"}, {}])
    assert text.startswith("Measured 2026-03-01 to 2026-03-04 on P, a 1, b 2. 2 of 4 rows did not")
    assert "of 1 it is not known" in text


def test_a_page_tells_the_limits_that_were_met():
    rows = [
        {"data": "a", "ended": "True", "budget": "5", "seconds": "1", "wall_seconds": "2"},
        {"data": "b", "ended": "False", "budget": "15", "seconds": "5", "wall_seconds": "10"},
    ]
    text = pages.limits(rows, "it", 600)
    assert text.startswith("it: limit 15 s of the clock, of which the machine gave them 50%")
    assert "1 of 2" in text
    assert "partial" in text
    assert "partial" not in pages.limits(rows, "it", 15)
    assert "no limit was met" in pages.limits(rows[:1], "it", 600)


def test_the_first_half_chooses_the_size_and_the_second_tells():
    columns = ("test_accuracy", "first_accuracy", "second_accuracy")
    found = [("0.5", "0.4", "0.6"), ("0.7", "0.9", "0.5"), ("0.6", "0.9", "0.3")]
    rows = [dict(zip(columns, row, strict=True)) for row in found]
    assert binary.best(rows, binary.ON_TEST) == 0.7
    assert binary.best(rows, binary.ON_HALF) == 0.5
    assert binary.best([{"test_accuracy": "0.7"}], binary.ON_HALF) is None


# ---- resuming ----


def task(calls: list[str], name: str, budget: float | None = None, **row):
    def measure():
        calls.append(name)
        return {"train_accuracy": 0.5} | row

    return Task((name,), measure, budget)


def test_a_finished_row_is_not_run_again(tmp_path):
    calls: list[str] = []
    path = tmp_path / "log.csv"
    Log(path, ("name",)).run([task(calls, "a"), task(calls, "b")])
    again = Log(path, ("name",))
    again.run([task(calls, "a"), task(calls, "b"), task(calls, "c")])
    assert calls == ["a", "b", "c"]
    assert [row["name"] for row in Log(path, ("name",)).rows] == ["a", "b", "c"]


def test_what_was_done_before_a_crash_is_kept(tmp_path):
    calls: list[str] = []
    path = tmp_path / "log.csv"

    def crash():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Log(path, ("name",)).run([task(calls, "a"), Task(("b",), crash), task(calls, "c")])
    Log(path, ("name",)).run([task(calls, "a"), task(calls, "b"), task(calls, "c")])
    assert calls == ["a", "b", "c"]


def test_a_larger_limit_runs_again_what_a_smaller_one_cut_short(tmp_path):
    calls: list[str] = []
    path = tmp_path / "log.csv"
    Log(path, ("name",)).run(
        [task(calls, "cut", 1.0, ended=False), task(calls, "whole", 1.0, ended=True)]
    )
    for budget in (0.5, 1.0, 2.0):
        Log(path, ("name",)).run(
            [task(calls, "cut", budget, ended=False), task(calls, "whole", budget, ended=True)]
        )
    assert calls == ["cut", "whole", "cut"]
    assert [row["budget"] for row in Log(path, ("name",)).of("cut")] == ["2.0"]


def test_a_failure_is_tried_again_and_new_columns_are_added(tmp_path):
    calls: list[str] = []
    path = tmp_path / "log.csv"
    Log(path, ("name",)).run([task(calls, "a", status="failed: no memory"), task(calls, "b")])
    Log(path, ("name",)).run([task(calls, "a", status="ok", seconds=1.5)])
    rows = Log(path, ("name",)).rows
    assert [(row["name"], row["status"], row["seconds"]) for row in rows] == [
        ("b", "", ""),
        ("a", "ok", "1.5"),
    ]
