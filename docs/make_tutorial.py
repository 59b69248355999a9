"""Draw docs/images/tutorial-{scores,tree}.png, the pictures of tutorial.md, by its own code."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from treefront.plots.tree import compute

HERE = Path(__file__).resolve().parent
DPI = 150


def model():
    """Run the page up to the choice; the model that it chooses."""
    page = (HERE / "tutorial.md").read_text(encoding="utf-8").split("## 4.")[0]
    scope: dict = {}
    with TemporaryDirectory() as folder:
        os.chdir(folder)  # the page writes files
        for block in page.split("```python\n")[1:]:
            exec(block.split("```")[0], scope)  # our own page
        os.chdir(HERE)
    return scope["model"]


def main() -> None:
    """Draw the scores and the tree."""
    chosen = model()
    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    chosen.plot_scores(ax)
    figure.savefig(HERE / "images" / "tutorial-scores.png", dpi=DPI)
    height = 0.6 + 0.16 * compute(chosen.tree_).height
    figure, ax = plt.subplots(figsize=(9, height), layout="constrained")
    chosen.tree_.plot(ax)
    figure.savefig(HERE / "images" / "tutorial-tree.png", dpi=DPI)


if __name__ == "__main__":
    main()
