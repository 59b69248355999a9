"""scikit-learn's tools: clone, pickle, pipelines, searches, data frames, tags."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from treefront import CartSplits, DPDTClassifier, TopSplits

X, Y = load_iris(return_X_y=True)


def test_clone_keeps_generators_apart():
    model = DPDTClassifier(splits=CartSplits(depth=3))
    other = clone(model).set_params(splits__depth=1)
    assert (model.splits.depth, other.splits.depth) == (3, 1)
    assert clone(DPDTClassifier(splits=[CartSplits(3), TopSplits(4)])).splits[1].n_tests == 4


def test_generators_take_part_in_a_search():
    search = GridSearchCV(
        DPDTClassifier(max_depth=2, splits=CartSplits(depth=1), exact_tail=0),
        {"splits__depth": [1, 2], "splits__criterion": ["gini"], "exact_tail": [0, 1]},
        cv=3,
    ).fit(X, Y)
    assert search.best_params_["splits__criterion"] == "gini"
    assert search.best_score_ > 0.9


def test_pipeline_bagging_and_cross_validation():
    model = DPDTClassifier(max_depth=2)
    assert cross_val_score(make_pipeline(StandardScaler(), model), X, Y).mean() > 0.9
    assert BaggingClassifier(model, n_estimators=3, random_state=0).fit(X, Y).score(X, Y) > 0.9


def test_pickle_does_not_grow_with_the_rows():
    sizes = []
    for repeats in (1, 50):
        model = DPDTClassifier(max_depth=3).fit(np.repeat(X, repeats, 0), np.repeat(Y, repeats))
        data = pickle.dumps(model)
        sizes.append(len(data))
        loaded = pickle.loads(data)
        assert loaded.tree_ is loaded.front_[-1]
        assert (loaded.predict(X) == model.predict(X)).all()
        assert loaded.select(n_leaves=3).get_n_leaves() == 3
    assert sizes[0] == pytest.approx(sizes[1], abs=200)


def test_tags():
    tags = get_tags(DPDTClassifier())
    assert is_classifier(DPDTClassifier())
    assert tags.target_tags.required
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert not tags.input_tags.sparse
    assert not tags.non_deterministic
    assert tags.classifier_tags.multi_class


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library):
    module = pytest.importorskip(library)
    frame = module.DataFrame({name: X[:, i] for i, name in enumerate("abcd")})
    model = DPDTClassifier(max_depth=2).fit(frame, Y)
    assert model.feature_names_in_.tolist() == list("abcd")
    assert (model.predict(frame) == model.front_[-1].predict(frame)).all()
    assert (model.front_.score(frame, Y) == model.front_.score(X, Y)).all()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["b", "a", "c", "d"]])


def test_sample_weight_is_routed_through_select():
    model = DPDTClassifier(max_depth=2).fit(X, Y, sample_weight=np.ones(len(Y)))
    weight = np.where(Y == 0, 1.0, 0.0)
    assert model.select(X, Y, sample_weight=weight).score(X[Y == 0], Y[Y == 0]) == 1


def test_repr_shows_what_differs_from_the_defaults():
    model = DPDTClassifier(max_depth=2, splits=CartSplits(depth=3))
    assert repr(model) == "DPDTClassifier(max_depth=2, splits=CartSplits(depth=3))"
    assert "DPDTClassifier" in model._repr_html_()
