"""Model files: what is read equals what was written, and what is no model file is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris

from treefront import AllSplits, CartSplits, DPDTClassifier, QuantileSplits, TopSplits, load

IRIS = load_iris()
X, Y = IRIS.data, IRIS.target


def round_trip(model, path):
    model.save(path / "model.json")
    return load(path / "model.json")


def parameters(model):
    """Parameters, generators as text: they have no equality of their own."""
    return {
        name: str(value) if name == "splits" else value
        for name, value in model.get_params(deep=False).items()
    }


def same(a, b):
    assert a.front_ == b.front_
    assert (a.tree_, a.alpha_) == (b.tree_, b.alpha_)
    assert (a.status_, a.n_states_) == (b.status_, b.n_states_)
    assert (a.lower_bound_, a.gap_) == (b.lower_bound_, b.gap_)
    assert (str(a.splits_), a.exact_tail_) == (str(b.splits_), b.exact_tail_)
    assert parameters(a) == parameters(b)
    assert a.classes_.dtype == b.classes_.dtype
    assert (a.predict_proba(X) == b.predict_proba(X)).all()
    assert (a.predict(X) == b.predict(X)).all()
    return True


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"splits": CartSplits(2, criterion="gini"), "exact_tail": 0, "alpha": 0.1},
        {"splits": [TopSplits(4), QuantileSplits(3), AllSplits()], "max_depth": 2},
        {"splits": "all", "max_depth": 1, "complexity": "splits", "memory_limit": "1GB"},
        {"splits": "all", "prove": "front", "alpha": 0.01},
        {"splits": "all", "max_depth": 5, "time_limit": 1e-9},
        {"min_samples_leaf": np.float64(0.1), "max_depth": np.int64(2), "time_limit": 60},
    ],
)
def test_round_trip(tmp_path, params):
    model = DPDTClassifier(**{"max_depth": 3, **params}).fit(X, Y)
    loaded = round_trip(model, tmp_path)
    assert same(model, loaded)
    assert any(tree is loaded.tree_ for tree in loaded.front_)
    assert loaded.select(n_leaves=1).get_n_leaves() == 1


@pytest.mark.parametrize("y", [IRIS.target_names[Y], Y > 0, Y / 2, IRIS.target_names[Y].tolist()])
def test_labels_keep_their_type(tmp_path, y):
    y = np.asarray(y)
    y = y if y.dtype.kind != "f" else np.round(y)
    model = DPDTClassifier(max_depth=2).fit(X, y)
    assert same(model, round_trip(model, tmp_path))


def test_feature_names_and_choice_are_kept(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "ü"])
    model = DPDTClassifier(max_depth=2).fit(frame, Y).select(n_leaves=3)
    loaded = round_trip(model, tmp_path)
    assert loaded.feature_names_in_.tolist() == ["a", "b", "c", "ü"]
    assert loaded.tree_.n_leaves == 3
    assert (loaded.predict(frame) == model.predict(frame)).all()


def test_weights_are_exact(tmp_path):
    weight = np.random.default_rng(0).uniform(size=len(Y))
    model = DPDTClassifier(max_depth=3).fit(X, Y, sample_weight=weight)
    assert same(model, round_trip(model, tmp_path))


def test_the_file_is_strict_json_without_training_rows(tmp_path):
    sizes = []
    for repeats in (1, 20):
        model = DPDTClassifier(max_depth=2).fit(np.repeat(X, repeats, 0), np.repeat(Y, repeats))
        path = tmp_path / "model.json"
        model.save(path)
        json.loads(path.read_text(), parse_constant=pytest.fail)
        sizes.append(path.stat().st_size)
    assert sizes[1] < 1.2 * sizes[0]


def test_a_python_function_cannot_be_written(tmp_path):
    model = DPDTClassifier(max_depth=1, splits=lambda X, y, w: [(0, 5.0)]).fit(X, Y)
    with pytest.raises(ValueError, match=r"splits is <function .* cannot be written"):
        model.save(tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()


def test_an_unfitted_model_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        DPDTClassifier().save(tmp_path / "model.json")


@pytest.fixture
def document(tmp_path):
    DPDTClassifier(max_depth=2).fit(X, Y).save(tmp_path / "good.json")
    return json.loads((tmp_path / "good.json").read_text())


def changed(document, path, value):
    *way, last = path
    part = document
    for key in way:
        part = part[key]
    part[last] = value
    return document


def test_a_file_from_before_there_were_proofs(tmp_path):
    model = DPDTClassifier(max_depth=2, alpha=0.02).fit(X, Y)
    model.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    del document["front"]["proved"], document["params"]["prove"]
    del document["search"]["lower_bound"], document["search"]["gap"]
    (tmp_path / "old.json").write_text(json.dumps(document))
    old = load(tmp_path / "old.json")
    assert same(model, old)
    assert not old.front_.proved.any()
    best = old.front_.index(old.tree_)
    cost = old.front_.loss[best] + 0.02 * old.front_.complexity[best]
    assert (old.prove, old.lower_bound_, old.gap_) == ("tree", 0.0, cost)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["version"], 2, "has version 2 of the treefront-model format; .* reads version 1"),
        (["format"], "other", "is not a treefront-model file"),
        (["estimator"], "DPDTRanker", "holds a DPDTRanker, which this release"),
        (["params"], {"depth": 3}, "Invalid parameter 'depth'"),
        (["params", "splits"], {"generator": "os.system"}, "damaged"),
        (["chosen"], 99, "damaged: the chosen tree 99 is not one of"),
        (["front", "trees", 1, "left"], [0, 0, 0], "damaged: .* tree"),
        (["front", "loss"], [0.0], "damaged"),
        (["front"], None, "damaged"),
        (["classes"], {"dtype": "O", "values": [[1]]}, "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path, document, path, value, message):
    file = tmp_path / "model.json"
    file.write_text(json.dumps(changed(document, path, value)))
    with pytest.raises(ValueError, match=message):
        load(file)


@pytest.mark.parametrize("text", ["", "[]", "{", "a,b\n1,2\n"])
def test_what_is_no_model(tmp_path, text):
    file = tmp_path / "model.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="is not a treefront-model file"):
        load(file)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "model.json")
