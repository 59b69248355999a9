"""The plot of scores: the numbers it shows, and that it leaves matplotlib as it was."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import ShuffleSplit

from treefront import DPDTClassifierCV
from treefront.plots.scores import compute

matplotlib = pytest.importorskip("matplotlib")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

X, Y = load_iris(return_X_y=True)
RESULTS = {
    "mean_tests": np.array([0.0, 2.0, 1.5]),  # as under complexity "splits"
    "n_leaves": np.array([1, 3, 4]),
    "mean_test_score": np.array([0.5, 0.9, 0.8]),
    "standard_error": np.array([0.0, 0.15, 0.05]),
    "rank_test_score": np.array([3, 1, 2]),
}


@pytest.fixture(autouse=True)
def _no_window():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def test_what_is_drawn():
    curve = compute(RESULTS, 2, "accuracy")
    assert curve.mean_tests.tolist() == [0, 1.5, 2]
    assert curve.n_leaves.tolist() == [1, 4, 3]
    assert curve.score.tolist() == [0.5, 0.8, 0.9]
    assert curve.standard_error.tolist() == [0, 0.05, 0.15]
    assert curve.chosen == 1
    assert curve.threshold == pytest.approx(0.75)


def test_on_given_axes_nothing_else_is_touched():
    model = DPDTClassifierCV(max_depth=2).fit(X, Y)
    settings = dict(matplotlib.rcParams)
    ax = Figure().subplots()
    assert model.plot_scores(ax) is ax
    assert plt.get_fignums() == []
    assert dict(matplotlib.rcParams) == settings
    (bars,) = ax.containers
    line = bars.lines[0].get_xydata()
    assert line[:, 1] == pytest.approx(model.cv_results_["mean_test_score"])
    assert line[:, 0] == pytest.approx(model.front_.mean_tests)
    assert ax.get_ylabel() == "accuracy in cross-validation"
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    leaves = model.front_.n_leaves[model.best_index_]
    assert {"mean of the folds", f"chosen: {leaves} leaves"} < set(texts)


def test_a_single_fold_has_no_bars():
    model = DPDTClassifierCV(
        max_depth=1, cv=ShuffleSplit(1, random_state=0), scoring="f1_macro", rule="best"
    )
    ax = model.fit(X, Y).plot_scores()
    assert plt.get_fignums() == [ax.figure.number]
    assert ax.get_ylabel() == "f1 macro in cross-validation"
    assert len(ax.get_legend().get_texts()) == 2


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    model = DPDTClassifierCV(max_depth=1).fit(X, Y)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[plots\]'"):
        model.plot_scores()
