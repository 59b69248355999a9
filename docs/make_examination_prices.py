"""Draws docs/images/examination-prices.png, the figure of how-to/examination-prices.md."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import PercentFormatter

HERE = Path(__file__).resolve().parent


def model_and_scores():
    """Run the code of the page; what it leaves behind."""
    page = (HERE / "how-to" / "examination-prices.md").read_text(encoding="utf-8")
    scope: dict = {}
    for block in page.split("```python\n")[1:]:
        exec(block.split("```")[0], scope)  # our own page
    return scope["model"], scope["scores"], scope["chosen"]


def main() -> None:
    """Draw the front that the page's code found."""
    model, scores, chosen = model_and_scores()
    price = model.front_.complexity
    figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    ax.plot(price, model.front_.loss, "o-", drawstyle="steps-post", label="training")
    ax.plot(price, 1 - scores, "o-", drawstyle="steps-post", label="validation")
    ax.plot(price[chosen], 1 - scores[chosen], "o", ms=12, mfc="none", mec="k", label="chosen")
    ax.set(xlabel="price per patient", ylabel="wrong predictions", ylim=(0, None))
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="lower right")
    figure.savefig(HERE / "images" / "examination-prices.png", dpi=120)


if __name__ == "__main__":
    main()
