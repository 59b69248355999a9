"""Every check that scikit-learn has for a classifier or a regressor."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from treefront import (
    CartSplits,
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")


@pytest.fixture(autouse=True)
def _arrays_of_other_libraries(monkeypatch):
    """scikit-learn leaves the checks of them out where this is not set."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@parametrize_with_checks(
    [
        DPDTClassifier(),
        DPDTClassifier(max_depth=2, splits=CartSplits(depth=2), exact_tail=0, alpha=0.01),
        DPDTClassifier(max_depth=2, splits="all", complexity="splits", n_jobs=2),
        DPDTClassifier(max_depth=3, splits="all", prove="front", alpha=0.01),
        DPDTRegressor(),
        DPDTRegressor(max_depth=2, splits="all", prove="front", alpha=0.01),
        DPDTClassifierCV(),
        DPDTClassifierCV(max_depth=2, splits="all", rule="best", cv=3, n_jobs=2),
        DPDTRegressorCV(),
        DPDTRegressorCV(max_depth=2, scoring="explained_variance", complexity="splits", cv=3),
    ]
)
def test_scikit_learn(estimator, check):
    check(estimator)
