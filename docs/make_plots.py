"""Draw docs/images/plot-{front,tree,search}.png, the pictures of docs/how-to/plots.md.

.venv/bin/python docs/make_plots.py
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treefront import DPDTClassifier
from treefront.plots.tree import compute

IMAGES = Path(__file__).parent / "images"
DPI = 150


def main() -> None:
    """The same data and models as on the page."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    X_train, X_val, y_train, y_val = train_test_split(X, y, random_state=0, stratify=y)
    model = DPDTClassifier(max_depth=3).fit(X_train, y_train).select(X_val, y_val)

    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    cart = (X_train, y_train)
    model.front_.plot(left, X_val, y_val, chosen=model.tree_, cart=cart)
    model.front_.plot(right, X_val, y_val, chosen=model.tree_, cart=cart, against="leaves")
    figure.savefig(IMAGES / "plot-front.png", dpi=DPI)

    picture = compute(model.tree_)
    figure = Figure(figsize=(9, 0.6 + 0.16 * picture.height), layout="constrained")
    model.tree_.plot(figure.subplots())
    figure.savefig(IMAGES / "plot-tree.png", dpi=DPI)

    proof = DPDTClassifier(max_depth=3, splits="all", alpha=0.01, time_limit=60).fit(X, y)
    figure = Figure(figsize=(6.4, 3.4), layout="constrained")
    proof.plot_search(figure.subplots())
    figure.savefig(IMAGES / "plot-search.png", dpi=DPI)


if __name__ == "__main__":
    main()
