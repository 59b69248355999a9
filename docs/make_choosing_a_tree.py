"""Draws docs/images/choosing-a-tree.png, the figure of how-to/choosing-a-tree.md."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

HERE = Path(__file__).resolve().parent


def careful():
    """Run the code of the page; the model that it chooses by one standard error."""
    page = (HERE / "how-to" / "choosing-a-tree.md").read_text(encoding="utf-8")
    scope: dict = {}
    for block in page.split("```python\n")[1:]:
        exec(block.split("```")[0], scope)  # our own page
    return scope["careful"]


def main() -> None:
    """Draw the scores that the page's code found."""
    figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    careful().plot_scores(ax)
    figure.savefig(HERE / "images" / "choosing-a-tree.png", dpi=120)


if __name__ == "__main__":
    main()
