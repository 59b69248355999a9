"""The plot of a front: the numbers it shows, and that it leaves matplotlib as it was."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.unit.trees import front, leaf, stump, two_tests
from treefront import Front
from treefront.plots.front import compute

matplotlib = pytest.importorskip("matplotlib")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

ROWS, LABELS = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], ["cat", "dog", "dog"]


@pytest.fixture(autouse=True)
def _no_window(monkeypatch):
    plt.switch_backend("agg")
    yield
    plt.close("all")


def test_what_is_drawn():
    curve = compute(front(), ROWS, LABELS)
    assert curve.mean_tests.tolist() == [0, 1, 1.4]
    assert curve.training_error.tolist() == [0.4, 0.2, 0.1]
    assert curve.validation_error.tolist() == pytest.approx([2 / 3, 0, 1 / 3])
    assert curve.best == 1
    assert compute(front(), None, None).best is None
    with pytest.raises(ValueError, match="both X and y"):
        compute(front(), ROWS, None)


def test_trees_are_drawn_from_few_tests_to_many():
    # Under complexity "splits" a larger tree may ask fewer tests on average.
    f = Front.from_vertices(
        [leaf(), two_tests(), stump()], np.array([4.0, 2.0, 1.0]), np.array([0.0, 1, 2]), "splits"
    )
    curve = compute(f, None, None)
    assert curve.n_leaves.tolist() == [1, 2, 3]
    assert curve.training_error.tolist() == [0.4, 0.1, 0.2]


def test_on_given_axes_nothing_else_is_touched():
    settings = dict(matplotlib.rcParams)
    ax = Figure().subplots()
    assert front().plot(ax, X=ROWS, y=LABELS) is ax
    assert plt.get_fignums() == []
    assert dict(matplotlib.rcParams) == settings
    training, validation = ax.lines[0], ax.lines[1]
    assert training.get_drawstyle() == validation.get_drawstyle() == "steps-post"
    assert training.get_xydata().tolist() == [[0, 0.4], [1, 0.2], [1.4, 0.1]]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["training", "validation", "best: 2 leaves"]
    assert [text.get_text() for text in ax.texts] == ["1 leaf", "2", "3"]


def test_without_axes_a_new_figure():
    ax = front().plot()
    assert plt.get_fignums() == [ax.figure.number]
    assert ax.get_legend() is None


def test_a_single_tree_can_be_drawn():
    f = Front.from_vertices([leaf((4, 0))], np.array([0.0]), np.array([0.0]), "tests")
    f.plot(Figure().subplots())


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[plots\]'"):
        front().plot()
