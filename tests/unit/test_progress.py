"""The progress bar of verbose=1: it moves, it ends full, and it is closed after an error."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from treefront import DPDTClassifier
from treefront.estimators import progress

rng = np.random.default_rng(0)
X = rng.normal(size=(600, 6))
Y = rng.integers(0, 2, size=600)


def test_silent_by_default(capsys):
    DPDTClassifier(max_depth=2).fit(X, Y)
    assert capsys.readouterr() == ("", "")


def test_it_moves_and_ends_full(capsys):
    pytest.importorskip("tqdm")
    model = DPDTClassifier(max_depth=4, splits="all", exact_tail=1, time_limit=1.5, verbose=1)
    model.fit(X, Y)
    out, err = capsys.readouterr()
    assert out == ""
    shown = [text.strip() for text in err.split("\r") if text.strip()]
    assert len({text.rpartition(",")[2] for text in shown}) > 3  # numbers of states
    assert "100%" in shown[-1]
    assert f"{model.n_states_:,} states" in shown[-1]


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
