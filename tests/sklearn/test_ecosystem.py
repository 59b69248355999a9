"""scikit-learn's tools over our estimators: searches, pipelines, ensembles, inspection."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    GroupKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier, RegressorChain
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.utils import get_tags

from treefront import (
    CartSplits,
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
)

X, Y = load_iris(return_X_y=True)
XR, YR = load_diabetes(return_X_y=True)

SMALL = {"max_depth": 2, "splits": CartSplits(depth=2), "exact_tail": 1}
CLASSIFIERS = [DPDTClassifier(**SMALL), DPDTClassifierCV(**SMALL, cv=3)]
REGRESSORS = [DPDTRegressor(**SMALL), DPDTRegressorCV(**SMALL, cv=3)]
ALL = [(model, X, Y) for model in CLASSIFIERS] + [(model, XR, YR) for model in REGRESSORS]

every_model = pytest.mark.parametrize(("model", "X", "y"), ALL, ids=lambda v: type(v).__name__)
classifiers = pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda v: type(v).__name__)
regressors = pytest.mark.parametrize("model", REGRESSORS, ids=lambda v: type(v).__name__)


def twice(X):
    return 2 * X


@every_model
def test_clone_pickle_and_tags(model, X, y):
    fitted = clone(model).fit(X, y)
    assert clone(fitted).get_params(deep=False).keys() == model.get_params(deep=False).keys()
    loaded = pickle.loads(pickle.dumps(fitted))
    assert (loaded.predict(X) == fitted.predict(X)).all()
    assert loaded.tree_ is loaded.front_[loaded.front_.index(loaded.tree_)]
    assert get_tags(model).input_tags.allow_nan
    assert is_classifier(model) == (X.shape[1] == 4)


@every_model
def test_searches_over_generators(model, X, y):
    grid = {"splits__depth": [1, 2], "max_depth": [1, 2]}
    search = GridSearchCV(model, grid, cv=2, n_jobs=2).fit(X, y)
    assert search.best_params_["max_depth"] in (1, 2)
    assert search.score(X, y) == search.best_estimator_.score(X, y)


@every_model
def test_cross_validation_and_pipelines(model, X, y):
    # Twice a number is exact, and so is the midpoint: else a row may pass a threshold.
    model = clone(model).set_params(thresholds="midpoint")
    pipe = make_pipeline(FunctionTransformer(twice), model)
    alone = cross_val_score(model, X, y, cv=3)
    assert cross_val_score(pipe, X, y, cv=3) == pytest.approx(alone)
    assert np.shape(cross_val_predict(pipe, X, y, cv=3)) == np.shape(y)
    assert len(cross_validate(model, X, y, cv=3, return_estimator=True)["estimator"]) == 3
    assert learning_curve(model, X, y, cv=3, train_sizes=[0.9], shuffle=True)[2].shape == (1, 3)
    assert pipe.fit(X, y)[-1].front_ == clone(pipe).fit(X, y)[-1].front_
    assert SelectFromModel(model, threshold="mean").fit(X, y).transform(X).shape[1] >= 1


@every_model
def test_inspection(model, X, y):
    fitted = clone(model).fit(X, y)
    used = int(np.argmax(fitted.feature_importances_))
    curve = partial_dependence(fitted, X, [used], kind="average")["average"]
    assert np.ptp(curve) > 0
    importance = permutation_importance(fitted, X, y, n_repeats=3, random_state=0)
    assert importance.importances_mean[used] > 0
    unused = np.flatnonzero(fitted.feature_importances_ == 0)
    assert (importance.importances_mean[unused] == 0).all()


@classifiers
def test_ensembles_of_classifiers(model):
    boosted = AdaBoostClassifier(model, n_estimators=4, random_state=0).fit(X, Y)
    assert boosted.score(X, Y) >= 0.95
    bagged = BaggingClassifier(model, n_estimators=3, random_state=0, n_jobs=2).fit(X, Y)
    assert bagged.predict_proba(X) == pytest.approx(
        np.mean([tree.predict_proba(X) for tree in bagged.estimators_], axis=0)
    )
    stack = StackingClassifier(
        [("tree", model)], LogisticRegression(max_iter=1000), cv=3, passthrough=True
    )
    assert stack.fit(X, Y).score(X, Y) > 0.9
    vote = VotingClassifier([("a", model), ("b", LogisticRegression(max_iter=1000))], voting="soft")
    assert vote.fit(X, Y).score(X, Y) > 0.9


@classifiers
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(model, method):
    calibrated = CalibratedClassifierCV(model, method=method, cv=3).fit(X, Y)
    assert calibrated.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert calibrated.score(X, Y) > 0.9


@classifiers
def test_more_targets_and_thresholds(model):
    assert OneVsRestClassifier(model).fit(X, Y).score(X, Y) > 0.9
    both = np.column_stack([Y, Y == 1])
    assert MultiOutputClassifier(model).fit(X, both).predict(X).shape == (150, 2)
    fixed = FixedThresholdClassifier(model, threshold=0.2, pos_label=1).fit(X, Y == 1)
    assert fixed.predict(X).sum() >= (model.fit(X, Y == 1).predict_proba(X)[:, 1] >= 0.5).sum()


@regressors
def test_ensembles_of_regressors(model):
    alone = clone(model).fit(XR, YR).score(XR, YR)
    assert AdaBoostRegressor(model, n_estimators=4, random_state=0).fit(XR, YR).score(XR, YR) > 0.3
    bagged = BaggingRegressor(model, n_estimators=3, random_state=0).fit(XR, YR)
    assert bagged.score(XR, YR) > 0.3
    stack = StackingRegressor([("tree", model), ("ridge", Ridge())], Ridge(), cv=3).fit(XR, YR)
    assert stack.score(XR, YR) > 0.3
    assert RegressorChain(model).fit(XR, np.column_stack([YR, -YR])).predict(XR).shape == (442, 2)
    moved = TransformedTargetRegressor(model, func=lambda y: y + 5, inverse_func=lambda y: y - 5)
    assert moved.fit(XR, YR).score(XR, YR) == pytest.approx(alone)


@every_model
def test_columns_of_a_pipeline_keep_their_names(model, X, y):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])
    frame["kind"] = np.where(X[:, 0] > np.median(X[:, 0]), "high", "low")
    encode = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["kind"]), remainder="passthrough"
    )
    pipe = make_pipeline(encode, clone(model)).set_output(transform="pandas").fit(frame, y)
    assert pipe[-1].feature_names_in_[0] == "onehotencoder__kind_high"
    assert clone(model).fit(frame, y).feature_names_in_.tolist() == list(frame.columns)


@every_model
def test_groups_of_an_outer_cross_validation(model, X, y):
    groups = np.arange(len(y)) % 7
    scores = cross_val_score(model, X, y, groups=groups, cv=GroupKFold(3))
    assert np.isfinite(scores).all()
