"""Draw docs/images/front.png: the front of real data, and the trees that pruning CART gives.

.venv/bin/python docs/make_front_image.py
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treefront import DPDTClassifier
from treefront.plots.front import draw, pruning_path

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
    pruned = pruning_path(front, training, y_training, validation, y_validation, against="tests")
    draw(pruned, theirs)
    theirs.set_title(f"CART, pruned: {len(pruned.n_leaves)} trees", fontsize="medium")
    theirs.set_ylabel("")
    for ax in (ours, theirs):
        ax.set(xlim=TESTS, ylim=ERRORS)
        ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
        ax.legend(loc="upper right", frameon=False)
    figure.savefig(IMAGE, dpi=DPI)


if __name__ == "__main__":
    main()
