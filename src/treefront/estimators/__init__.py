"""Estimators with scikit-learn's conventions, and loading them from files."""

from treefront.estimators.classifier import DPDTClassifier
from treefront.estimators.classifier_cv import DPDTClassifierCV
from treefront.estimators.plan import LongSearchWarning
from treefront.estimators.regressor import DPDTRegressor
from treefront.estimators.regressor_cv import DPDTRegressorCV
from treefront.estimators.saved import load

__all__ = [
    "DPDTClassifier",
    "DPDTClassifierCV",
    "DPDTRegressor",
    "DPDTRegressorCV",
    "LongSearchWarning",
    "load",
]
