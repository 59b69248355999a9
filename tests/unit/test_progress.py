"""The progress bar of verbose=1: it moves, it ends full, and it is closed after an error."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext

import numpy as np
import pytest

from treefront import AllSplits, DPDTClassifier
from treefront.estimators import progress

rng = np.random.default_rng(0)
X = rng.normal(size=(600, 6))
Y = rng.integers(0, 2, size=600)


def lines(capsys) -> list[str]:
    """What the bar showed, one after the other."""
    out, err = capsys.readouterr()
    assert out == ""
    return [text.strip() for text in err.split("\r") if text.strip()]


def test_silent_by_default(capsys):
    DPDTClassifier(max_depth=2).fit(X, Y)
    assert capsys.readouterr() == ("", "")


def test_it_moves_and_ends_full(capsys):
    pytest.importorskip("tqdm")
    model = DPDTClassifier(max_depth=4, splits=AllSplits(), exact_tail=1, time_limit=1.5, verbose=1)
    model.fit(X, Y)
    shown = lines(capsys)
    assert len({text.rpartition(",")[2] for text in shown}) > 3  # numbers of states
    assert "100%" in shown[-1]
    assert f"{model.n_states_:,} states" in shown[-1]


def test_a_proof_shows_the_loss_its_bound_and_their_gap_as_they_move(capsys):
    pytest.importorskip("tqdm")
    # Rare labels without a pattern: a proof at depth 3 that takes about a second.
    x, y = rng.normal(size=(1500, 6)), rng.uniform(size=1500) < 0.15
    model = DPDTClassifier(max_depth=3, splits="all", time_limit=20, verbose=1).fit(x, y)
    shown = lines(capsys)
    assert shown[0].startswith("search")
    states = [
        tuple(map(float, found.groups()))
        for found in map(re.compile(r"proof .* (\S+)% >= (\S+)%, gap (\S+)%, ").search, shown)
        if found
    ]
    values, bounds, gaps = zip(*states)
    assert list(values) == sorted(values, reverse=True)
    assert list(bounds) == sorted(bounds)
    assert len(set(bounds)) > 2
    assert all(v - b == pytest.approx(g, abs=2e-3) for v, b, g in states)
    assert values[-1] == pytest.approx(100 * model.front_.loss[-1], abs=1e-3)
    assert bounds[-1] == pytest.approx(100 * model.lower_bound_, abs=1e-3)
    assert gaps[-1] == pytest.approx(100 * model.gap_, abs=1e-3)
    assert ("100%" in shown[-1]) == (model.status_ == "optimal")


@pytest.mark.parametrize("fails", [False, True])
def test_in_a_notebook_a_limit_is_not_painted_as_an_error(monkeypatch, fails):
    tqdm = pytest.importorskip("tqdm")
    painted = []

    class InANotebook(tqdm.tqdm):
        """As tqdm's own does where there are widgets."""

        def __init__(self, *args, **options):
            super().__init__(*args, **options, disable=True)
            self.disp = self._paint

        def _paint(self, bar_style):
            painted.append(bar_style)

        def close(self):
            self.disp(bar_style="danger" if self.n < 1 else "success")

    monkeypatch.setattr("tqdm.auto.tqdm", InANotebook)

    def search():
        with progress.bar(1) as report:
            report(0.5, 10, float("nan"), float("nan"))
            if fails:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) if fails else nullcontext():
        search()
    assert set(painted) == {"danger" if fails else "info"}


def test_it_is_closed_after_an_error(capsys):
    tqdm = pytest.importorskip("tqdm")
    before = len(getattr(tqdm.tqdm, "_instances", ()))

    def interrupted():
        with progress.bar(1) as report:
            report(0.5, 10, float("nan"), float("nan"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(tqdm.tqdm._instances) == before


def test_without_tqdm_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[progress\]'"):
        DPDTClassifier(verbose=1).fit(X, Y)
