"""Fitted estimators from files."""

from __future__ import annotations

from os import PathLike

from treefront import files
from treefront.estimators.classifier import DPDTClassifier
from treefront.estimators.regressor import DPDTRegressor

ESTIMATORS = {cls.__name__: cls for cls in (DPDTClassifier, DPDTRegressor)}


def load(path: str | PathLike[str]) -> DPDTClassifier | DPDTRegressor:
    """Read a model that its method `save` wrote.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    estimator
        Fitted; equal to the one that was saved.

    Raises
    ------
    ValueError
        Not a model file, a version this release does not know, or a damaged file.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import treefront
    >>> X, y = load_iris(return_X_y=True)
    >>> model = treefront.DPDTClassifier(max_depth=2).fit(X, y)
    >>> model.save("iris.json")
    >>> treefront.load("iris.json").front_ == model.front_
    True
    """
    model = files.load(path)
    if model.estimator not in ESTIMATORS:
        raise ValueError(f"{path} holds a {model.estimator}, which this release does not know")
    estimator = ESTIMATORS[model.estimator]()
    estimator.set_params(**model.params)
    estimator._restore(model)
    return estimator
