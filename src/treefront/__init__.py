"""Every decision tree on the accuracy/complexity front, from one fit."""

from importlib.metadata import version

from treefront import export
from treefront.estimators import (
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
    load,
)
from treefront.front import Front
from treefront.splits import AllSplits, CartSplits, QuantileSplits, TopSplits
from treefront.tree import Tree

__version__ = version("treefront")

__all__ = [
    "AllSplits",
    "CartSplits",
    "DPDTClassifier",
    "DPDTClassifierCV",
    "DPDTRegressor",
    "DPDTRegressorCV",
    "Front",
    "QuantileSplits",
    "TopSplits",
    "Tree",
    "export",
    "load",
]
