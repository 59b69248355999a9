"""Plots: the numbers they show, that no texts overlap, and that matplotlib is left as it was."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.export import cases
from tests.unit.trees import front, leaf, stump, two_tests
from treefront import DPDTClassifier, DPDTRegressor, Front, load
from treefront.estimators.history import MOST_MOMENTS, Recorder
from treefront.plots import tree as tree_plot
from treefront.plots.front import compute, draw

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
    assert curve.training_error.tolist() == [0.4, 0.2, 0.1]


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


# ---- the front, with all that can stand beside it ----


def numbers_and_labels(n=120):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3))
    return X, (X[:, 0] > 0) ^ (X[:, 1] > 0.5)


def test_cart_is_drawn_by_its_own_scores():
    X, y = numbers_and_labels()
    model = DPDTClassifier(max_depth=3).fit(X, y)
    cart = compute(model.front_, X, y, cart=(X, y)).cart
    assert cart.training_error.tolist() == cart.validation_error.tolist()
    assert cart.n_leaves[0] == 1
    assert cart.mean_tests[0] == 0
    assert (np.diff(cart.training_error) <= 0).all()
    # No tree of CART lies below the front.
    for tests, error in zip(cart.mean_tests, cart.training_error):
        for alpha in (0.001, 0.01, 0.1):
            ours = (model.front_.loss + alpha * model.front_.mean_tests).min()
            assert ours <= error + alpha * tests + 1e-12
    ax = Figure().subplots()
    model.front_.plot(ax, X, y, cart=(X, y), chosen=model.tree_)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[:4] == ["CART, training", "CART, validation", "training", "validation"]
    assert texts[-1] == f"chosen: {model.tree_.n_leaves} leaves"


def test_against_leaves_and_the_chosen_tree():
    f = front()
    curve = compute(f, ROWS, LABELS, against="leaves", chosen=f[1])
    assert curve.x.tolist() == [1, 2, 3]
    assert curve.chosen == 1
    assert compute(f, None, None, chosen=-1).chosen == 2
    ax = f.plot(Figure().subplots(), against="leaves", chosen=0)
    assert ax.get_xlabel() == "number of leaves"


def test_scores_of_a_cross_validation_have_error_bars():
    ax = Figure().subplots()
    front().plot(ax, scores=[0.6, 0.7, 0.9], scores_std=[0.1, 0.2, 0.05])
    bars = ax.containers[0].lines[2][0].get_segments()
    assert [(a[1], b[1]) for a, b in bars] == [
        pytest.approx((0.3, 0.5)),
        pytest.approx((0.1, 0.5)),
        pytest.approx((0.05, 0.15)),
    ]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["training", "cross-validation", "best: 3 leaves"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": [1, 2]}, r"one entry per tree of the front, \(3,\), got \(2,\)"),
        ({"scores_std": [1, 2, 3]}, "belongs to scores"),
        ({"X": ROWS, "y": LABELS, "scores": [1, 2, 3]}, "not from both"),
        ({"against": "depth"}, "'tests' or 'leaves', got 'depth'"),
        ({"chosen": 3}, "chosen is 3, but the front has 3 trees"),
    ],
)
def test_bad_options_of_a_front(options, message):
    with pytest.raises(ValueError, match=message):
        front().plot(Figure().subplots(), **options)


@pytest.mark.parametrize(
    ("loss", "label"),
    [
        ("squared_error", "squared error left (1 − R²)"),
        ("absolute_error", "absolute error left (1 − D²)"),
    ],
)
def test_a_front_of_numbers_shows_what_is_left_of_its_own_loss(loss, label):
    X, _ = numbers_and_labels()
    y = X[:, 0] ** 2
    model = DPDTRegressor(max_depth=3, loss=loss).fit(X, y)
    curve = compute(model.front_, X, y, cart=(X, y))
    assert curve.training_error == pytest.approx(curve.validation_error)
    assert curve.training_error[0] == 1
    assert curve.cart.training_error[0] == pytest.approx(1)
    assert curve.cart.training_error[-1] >= curve.training_error[-1] - 1e-12
    assert draw(curve, Figure().subplots()).get_ylabel() == label


def test_cart_takes_no_categories():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": ["u", "v"] * 5})
    model = DPDTClassifier(max_depth=1).fit(X, [0, 1] * 5)
    with pytest.raises(ValueError, match="CART takes no categories"):
        model.front_.plot(Figure().subplots(), cart=(X, [0, 1] * 5))


# ---- a tree ----


def texts_of(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("name", cases.ALL)
def test_every_node_is_drawn_with_the_numbers_of_the_tree(name):
    tree = cases.ALL[name]()
    picture = tree_plot.compute(tree)
    assert [box.node.n_rows for box in picture.boxes] == tree.n_rows.tolist()
    if tree.classes is not None:
        for box, shares in zip(picture.boxes, tree.shares):
            assert sum(share for _, share in box.bar) == pytest.approx(1)
            assert max(share for _, share in box.bar) >= shares.max() - 1e-12
    else:
        assert all(0 <= box.mean <= 1 for box in picture.boxes)
    # Leaves have a line each, and what stands in one column does not overlap.
    columns: dict[float, list[float]] = {}
    for box in picture.boxes:
        columns.setdefault(box.x, []).append(box.y)
    for places in columns.values():
        assert (np.diff(sorted(places)) >= tree_plot.LEAF_LINES - 1e-9).all()
    settings = dict(matplotlib.rcParams)
    ax = Figure().subplots()
    assert tree.plot(ax) is ax
    assert plt.get_fignums() == []
    assert dict(matplotlib.rcParams) == settings
    said = texts_of(ax)
    assert all(box.text in said for box in picture.boxes)


@pytest.mark.parametrize("name", ["numbers", "missing", "kinds", "regression"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_two_texts_of_a_tree_overlap(name):
    ax = cases.ALL[name]().plot()
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    overlapping = [
        (i, j) for i, a in enumerate(boxes) for j, b in enumerate(boxes[:i]) if a.overlaps(b)
    ]
    assert [(ax.texts[i].get_text(), ax.texts[j].get_text()) for i, j in overlapping] == []


def test_branches_say_where_missing_values_go():
    said = texts_of(cases.missing().plot(Figure().subplots()))
    assert "yes, missing" in said or "no, missing" in said
    assert not any("or missing" in text for text in said)
    assert not any("missing" in text for text in texts_of(cases.numbers().plot()))


def test_many_categories_are_folded():
    pd = pytest.importorskip("pandas")
    names = [f"category {i}" for i in range(12)]
    X = pd.DataFrame({"c": names * 5})
    tree = DPDTClassifier(max_depth=1).fit(X, [i % 12 < 6 for i in range(60)]).tree_
    said = texts_of(tree.plot(Figure().subplots()))
    assert any("+4}" in text or "+5}" in text for text in said), said


# ---- a proof ----


def test_the_history_of_a_proof_ends_where_the_fit_ends():
    X, y = numbers_and_labels()
    model = DPDTClassifier(max_depth=3, splits="all", alpha=0.01).fit(X, y)
    history = model.search_history_
    assert (np.diff(history.seconds) >= 0).all()
    assert (history.bound <= history.value + 1e-12).all()
    assert history.bound[-1] == pytest.approx(model.lower_bound_)
    assert history.gap[-1] == pytest.approx(model.gap_)
    assert history.n_states[-1] == model.n_states_
    ax = model.plot_search(Figure().subplots())
    assert texts_of(ax) == ["proved optimal"]
    assert plt.get_fignums() == []


def test_a_long_history_is_thinned_evenly(monkeypatch):
    recorder = Recorder(2.0)
    clock = iter(np.arange(0, 1e6, 0.02))
    recorder.start = 0.0
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    report = recorder.and_then(None)
    for i in range(20_000):
        report(0.5, i, 4.0, i / 10_000)
    report(1.0, 20_000, 4.0, 2.0)
    history = recorder.history
    assert 100 < len(history) < MOST_MOMENTS
    gaps = np.diff(history.seconds)[:-1]
    assert gaps.max() < 5 * gaps.min()
    assert history.value[-1] == 2.0
    assert history.bound[-1] == 1.0


def test_what_has_no_history_says_so(tmp_path):
    X, y = numbers_and_labels()
    model = DPDTClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="proved nothing"):
        model.plot_search()
    model.save(tmp_path / "model.json")
    with pytest.raises(ValueError, match="files do not hold it"):
        load(tmp_path / "model.json").plot_search()
