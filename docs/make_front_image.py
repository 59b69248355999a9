"""Draw docs/images/front.png: the front of real data, and the trees that pruning CART gives.

.venv/bin/python docs/make_front_image.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from treefront import DPDTClassifier
from treefront.plots.front import FrontCurve, draw

IMAGE = Path(__file__).parent / "images" / "front.png"
DEPTH = 3
SIZE = (9.6, 3.9)  # inches
DPI = 200  # sharp at the width of a README on a dense screen
# The single leaf, no test and 37 % errors, would flatten all the rest: its step comes from above.
TESTS = (0.8, 3.1)
ERRORS = (-0.012, 0.13)


def main() -> None:
    """Fit both on the same training rows and draw them on the same scales."""
    X, y = load_breast_cancer(return_X_y=True)
    training, validation, y_training, y_validation = train_test_split(
        X, y, random_state=0, stratify=y
    )
    front = DPDTClassifier(max_depth=DEPTH).fit(training, y_training).front_
    figure = Figure(figsize=SIZE, layout="constrained")
    ours, theirs = figure.subplots(1, 2, sharex=True, sharey=True)
    front.plot(ours, validation, y_validation)
    ours.set_title(f"treefront: {len(front)} trees, one fit", fontsize="medium")
    pruned = pruning_path(training, y_training, validation, y_validation)
    draw(pruned, theirs)
    theirs.set_title(f"CART, pruned: {len(pruned.n_leaves)} trees", fontsize="medium")
    theirs.set_ylabel("")
    for ax in (ours, theirs):
        ax.set(xlim=TESTS, ylim=ERRORS)
        ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
        ax.legend(loc="upper right", frameon=False)
    figure.savefig(IMAGE, dpi=DPI)


def pruning_path(
    X: np.ndarray, y: np.ndarray, X_validation: np.ndarray, y_validation: np.ndarray
) -> FrontCurve:
    """Every tree of scikit-learn's cost-complexity pruning path."""
    cart = DecisionTreeClassifier(max_depth=DEPTH, random_state=0)
    path = cart.cost_complexity_pruning_path(X, y)
    trees = [
        DecisionTreeClassifier(max_depth=DEPTH, random_state=0, ccp_alpha=alpha).fit(X, y)
        for alpha in reversed(path.ccp_alphas)
    ]
    return FrontCurve(
        mean_tests=np.array([tree.decision_path(X).sum() / len(X) - 1 for tree in trees]),
        n_leaves=np.array([tree.get_n_leaves() for tree in trees]),
        training_error=np.array([1 - tree.score(X, y) for tree in trees]),
        validation_error=np.array([1 - tree.score(X_validation, y_validation) for tree in trees]),
    )


if __name__ == "__main__":
    main()
