"""A tree chosen by cross-validation: this library's estimator, or scikit-learn's search over CART.

Both get the same folds. What is measured of the tree is measured on the test part of the data.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import problems
from benchmarks.adapters import Fit
from benchmarks.adapters.clock import Clock

FOLDS = 5
ALPHAS = 20


def prepare() -> None:

    import treefront  # noqa: F401


def fit(
    X: np.ndarray, y: np.ndarray, *, tool: str, data: str, n_jobs: int = 1, **options: Any
) -> Fit:
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FOLDS)
    run = {"treefront": treefront_cv, "CART": cart_search}[tool]
    with Clock() as clock:
        model, score, candidates = run(X, y, folds, n_jobs, **options)
    facts = {"cv_score": float(score), "candidates": candidates}
    X_test, y_test = problems.test_part(data)
    if X_test.shape[1] == X.shape[1]:  # not the toy of the warm-up
        tree = getattr(model, "best_estimator_", model)
        facts |= {
            "test_accuracy": float(np.mean(model.predict(X_test) == y_test)),
            "test_tests": float(tree.decision_path(X_test).sum(axis=1).mean() - 1),
            "leaves": int(tree.get_n_leaves()),
        }
    return Fit(clock, model.predict(X), facts)


def treefront_cv(X, y, folds, n_jobs, **options):
    from treefront import DPDTClassifierCV

    model = DPDTClassifierCV(cv=folds, n_jobs=n_jobs, **options).fit(X, y)
    return model, model.best_score_, len(model.front_)


def cart_search(X, y, folds, n_jobs, *, max_depth):
    """0, and prices from the smallest to the largest that prunes, in equal ratios."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    cart = DecisionTreeClassifier(max_depth=max_depth, random_state=0)
    prices = cart.cost_complexity_pruning_path(X, y).ccp_alphas
    prices = prices[prices > 0]
    grid = np.append(0.0, np.geomspace(prices[0], prices[-1], ALPHAS - 1))
    search = GridSearchCV(cart, {"ccp_alpha": grid}, cv=folds, n_jobs=n_jobs).fit(X, y)
    return search, search.best_score_, len(grid)
