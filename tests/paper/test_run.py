"""The experiments run, from data to pages, and go on where they stopped."""

from __future__ import annotations

import csv
from importlib.util import find_spec

import pytest

from benchmarks import problems
from benchmarks.paper import __main__ as runner
from benchmarks.paper.log import Log, Task
from benchmarks.paper.settings import quick

SLOW = ("custard",)  # loads a deep learning library in every run


@pytest.fixture
def settings(tmp_path):
    pytest.importorskip("matplotlib")
    try:
        problems.folder()
    except SystemExit as reason:
        pytest.skip(str(reason))
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
