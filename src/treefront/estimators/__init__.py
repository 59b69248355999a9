"""Estimators with scikit-learn's conventions, and loading them from files."""

from treefront.estimators.base import LongSearchWarning
from treefront.estimators.classifier import DPDTClassifier
from treefront.estimators.regressor import DPDTRegressor
from treefront.estimators.saved import load

__all__ = ["DPDTClassifier", "DPDTRegressor", "LongSearchWarning", "load"]
