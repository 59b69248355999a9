"""Groups and weights find their way through scikit-learn's metadata routing."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treefront import CartSplits, DPDTClassifierCV, DPDTRegressorCV

X, Y = load_iris(return_X_y=True)
GROUPS = np.arange(150) % 5
WEIGHT = np.where(Y == 0, 3.0, 1.0)
SMALL = {"max_depth": 2, "splits": CartSplits(2), "exact_tail": 1}


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def scores(model):
    names = [f"split{fold}_test_score" for fold in range(model.n_splits_)]
    return np.column_stack([model.cv_results_[name] for name in names])


@pytest.fixture
def expected():
    """What `fit` does without routing."""
    with sklearn.config_context(enable_metadata_routing=False):
        model = DPDTClassifierCV(**SMALL, cv=GroupKFold(3))
        return scores(model.fit(X, Y, sample_weight=WEIGHT, groups=GROUPS))


def weighing():
    return get_scorer("accuracy").set_score_request(sample_weight=True)


def test_splitter_and_scorer_are_given_what_they_ask_for(expected, routing):
    model = DPDTClassifierCV(**SMALL, cv=GroupKFold(3), scoring=weighing())
    assert (scores(model.fit(X, Y, sample_weight=WEIGHT, groups=GROUPS)) == expected).all()


def test_a_scorer_may_decline_weights(expected, routing):
    declining = get_scorer("accuracy").set_score_request(sample_weight=False)
    model = DPDTClassifierCV(**SMALL, cv=GroupKFold(3), scoring=declining)
    assert (scores(model.fit(X, Y, sample_weight=WEIGHT, groups=GROUPS)) != expected).any()


def test_a_scorer_that_says_nothing_about_weights_is_treated_as_by_scikit_learn(routing):
    def refused(model):
        try:
            model.fit(X, Y, sample_weight=WEIGHT)
        except UnsetMetadataPassedError as error:
            return "sample_weight" in str(error)
        return False

    # Releases differ in whether this is an error.
    theirs = LogisticRegressionCV(Cs=2, cv=3, scoring="accuracy", max_iter=1000)
    assert refused(DPDTClassifierCV(**SMALL, cv=3, scoring="accuracy")) == refused(theirs)


def test_metadata_of_its_own_kind_reach_the_scorer(routing):
    seen = []

    def value(y_true, y_pred, prices):
        seen.append(prices)
        return accuracy_score(y_true, y_pred, sample_weight=prices)

    scorer = make_scorer(value).set_score_request(prices=True)
    prices = np.arange(150) + 1.0
    model = DPDTClassifierCV(**SMALL, scoring=scorer, cv=3).fit(X, Y, prices=prices)
    assert np.isin(np.concatenate(seen), prices).all()
    assert len(np.unique(np.concatenate(seen))) == 150
    assert model.n_splits_ == 3


def test_what_nobody_asks_for_is_refused(routing):
    with pytest.raises(TypeError, match="groups"):
        DPDTClassifierCV(**SMALL, cv=3).fit(X, Y, groups=GROUPS)


def test_through_a_pipeline_and_an_outer_cross_validation(expected, routing):
    model = DPDTClassifierCV(**SMALL, cv=GroupKFold(3), scoring=weighing())
    model.set_fit_request(sample_weight=True)
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    pipe = make_pipeline(scaler, model).fit(X, Y, sample_weight=WEIGHT, groups=GROUPS)
    assert scores(pipe[-1]) == pytest.approx(expected)
    outer = cross_validate(
        pipe,
        X,
        Y,
        cv=GroupKFold(5),
        scoring=weighing(),
        params={"sample_weight": WEIGHT, "groups": GROUPS},
        error_score="raise",
    )
    assert np.isfinite(outer["test_score"]).all()


def test_fit_has_no_request_for_groups_of_its_own(routing):
    for model in (DPDTClassifierCV(), DPDTRegressorCV()):
        assert not hasattr(model, "set_fit_request") or model.set_fit_request(sample_weight=True)
        with pytest.raises(TypeError, match="groups"):
            model.set_fit_request(groups=True)
        router = model.get_metadata_routing()
        assert {"splitter", "scorer"} <= set(dict(router))
