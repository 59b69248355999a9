"""Figures 5, 6 and 7: learned trees, a schematic of DPDT, and what alpha chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import problems
from benchmarks.paper import fits, mdp, methods, pages, selection
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.pruning import pruned, pruning_path
from benchmarks.paper.selection import CART, SMALLEST
from benchmarks.paper.settings import Settings

SHOWS = ("figure5", "figure6", "figure7")
NAMES = ("picture",)
LEARNED = ("bank", "raisin")
DPDT = "DPDT-3"
# The example of Appendix B: four rows, four classes, and a tree of depth 2 without errors.
EXAMPLE = (np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]]), np.arange(4))


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    """The fits are as quick as their drawing: nothing is kept."""
    return iter(())


def write(log: Log, settings: Settings) -> None:  # noqa: ARG001
    figure6(settings)
    figure7(settings)
    sizes = [figure5(settings, data) for data in LEARNED if data in problems.NAMES]
    parts = [
        (
            "Figure 5: trees of depth 5 as Table 2 chooses them, DPDT-3's and CART's (entropy, "
            "pruned), by one rule: the most accurate one on the first half of the test rows, at a "
            "tie the one of fewest tests; the second half tells its accuracy and tests. "
            + " ".join(sizes)
        ),
        *(f"![Figure 5, {data}](figure5-{data}.png)" for data in LEARNED),
        (
            "Figure 6: how DPDT works, on the four rows of the paper's Appendix B. The MDP of "
            "Algorithm 1 with CART of depth 2: states are sets of rows, tests lead to two of "
            "them; from the last states back, each takes its best test."
        ),
        "![Figure 6](figure6.png)",
        (
            "Figure 7: every tree of the front is a line over alpha, error + alpha x average tests "
            "(iris, depth 3). The lowest line at an alpha is the tree that is optimal for it."
        ),
        "![Figure 7](figure7.png)",
    ]
    pages.write(settings, "pictures", "Figures 5, 6 and 7", parts)


def figure5(settings: Settings, data: str) -> str:
    """The chosen trees one above the other, and a sentence on them."""
    plt = pages.pyplot()
    trees = learned(data)
    titles = {
        name: f"{name}: {tree.n_leaves} leaves, {row['second_tests']:.1f} tests, "
        f"{pages.percent(row['second_accuracy'])} %"
        for name, (tree, row) in trees.items()
    }
    heights = [tree.n_leaves + 2 for tree, _ in trees.values()]  # a title is as high as two leaves
    figure, axes = plt.subplots(
        len(trees),
        1,
        figsize=(12, 0.5 * sum(heights)),
        height_ratios=heights,
        layout="constrained",
    )
    for ax, (name, (tree, _)) in zip(axes, trees.items(), strict=True):
        tree.plot(ax)
        ax.set_title(titles[name], fontsize=12)
    pages.save(settings, f"figure5-{data}", figure)
    return f"{data}: {'; '.join(titles.values())}."


def learned(data: str) -> dict[str, tuple[Any, Row]]:
    """The chosen tree of DPDT-3 and of CART, and its figures by part of the rows."""
    from sklearn.tree import DecisionTreeClassifier

    from treefront import DPDTClassifier

    parts = fits.parts(data)
    X, y = parts["train"]
    parts = parts | selection.halves(*parts["test"])
    front = DPDTClassifier(max_depth=5, **methods.dpdt(3)).fit(X, y).front_
    greedy = DecisionTreeClassifier(criterion="entropy", max_depth=5, random_state=0).fit(X, y)
    rows = {
        DPDT: [fits.scores(tree, parts) for tree in front],
        CART: pruning_path(greedy, parts),
    }
    chosen = {name: selection.choose(found, name, SMALLEST) for name, found in rows.items()}
    place = {name: rows[name].index(row) for name, row in chosen.items()}
    return {
        DPDT: (front[place[DPDT]], chosen[DPDT]),
        CART: (pruned(greedy, place[CART]), chosen[CART]),
    }


def figure6(settings: Settings) -> None:
    """States in columns by depth; what the optimal policy reaches is bold."""
    plt = pages.pyplot()
    rows = mdp.Rows(*EXAMPLE)
    made = mdp.Mdp(rows, 2, mdp.cart(2), keep=True)
    levels = made.levels()
    places = {
        state: (3.0 * depth, -(i + 0.5) / len(level))
        for depth, level in enumerate(levels)
        for i, state in enumerate(level)
    }
    figure, ax = plt.subplots(figsize=(10, 5), layout="constrained")
    optimal = policy(made)
    ground = {"fc": "w", "ec": "none", "pad": 1.5}  # labels are not struck through by lines
    for state, transitions in made.transitions.items():
        for test, left, right in transitions:
            for side, answer in ((left, "yes"), (right, "no")):
                (x0, y0), (x1, y1) = places[state], places[side, state[1] + 1]
                bold = optimal.get(state) == test
                ax.plot([x0, x1], [y0, y1], color="C0" if bold else "0.8", lw=2 if bold else 0.8)
                if bold:
                    label = f"x{test[0] + 1} ≤ {test[1]:g}: {answer}"
                    middle = (0.6 * x0 + 0.4 * x1, 0.6 * y0 + 0.4 * y1)
                    ax.annotate(
                        label, middle, fontsize=7, ha="center", va="center", color="C0", bbox=ground
                    )
    for state, place in places.items():
        inside = np.flatnonzero(rows.members(state[0])) + 1
        text = "{" + ", ".join(f"row {i}" for i in inside) + f"}}\nerrors: {made.best[state]}"
        ax.annotate(
            text, place, fontsize=7, ha="center", va="center", bbox={"fc": "w", "ec": "0.4"}
        )
    titles = [f"depth {depth}" for depth in range(len(levels))]
    for depth, title in enumerate(titles):
        ax.annotate(title, (3.0 * depth, 0.05), ha="center", fontsize=9)
    ax.set(xlim=(-1, 3 * len(levels) - 2), ylim=(-1.05, 0.12))
    ax.axis("off")
    pages.save(settings, "figure6", figure)


def policy(made: mdp.Mdp) -> dict[mdp.State, mdp.Test]:
    """The test of every state that an optimal tree reaches."""
    chosen: dict[mdp.State, mdp.Test] = {}
    waiting = [made.root]
    while waiting:
        state = waiting.pop()
        for test, left, right in made.transitions.get(state, []):
            sides = (left, state[1] + 1), (right, state[1] + 1)
            if sum(made.best[side] for side in sides) == made.best[state]:
                chosen[state] = test
                waiting += sides
                break
    return chosen


def figure7(settings: Settings) -> None:
    from sklearn.datasets import load_iris

    from treefront import DPDTClassifier

    plt = pages.pyplot()
    front: Any = DPDTClassifier(max_depth=3).fit(*load_iris(return_X_y=True)).front_
    figure, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    alphas = np.geomspace(1e-3, 1, 400)
    costs = np.array(
        [loss + alphas * made for loss, made in zip(front.loss, front.complexity, strict=True)]
    )
    for place, cost in enumerate(costs):
        leaves = "1 leaf" if front.n_leaves[place] == 1 else f"{front.n_leaves[place]} leaves"
        label = f"{leaves}, {front.mean_tests[place]:.2f} tests"
        axes[0].plot(alphas, cost, color=f"C{place}", lw=1, label=label)
    axes[0].plot(alphas, costs.min(axis=0), "k", lw=2.5, alpha=0.4)
    axes[0].set(xscale="log", ylim=(0, 0.8), xlabel="alpha", ylabel="error + alpha x tests")
    axes[0].legend(frameon=False, fontsize=8)
    for place in range(len(front)):
        low, high = max(front.alpha_low[place], 1e-3), min(front.alpha_high[place], 1)
        axes[1].plot([low, high], [front.mean_tests[place]] * 2, color=f"C{place}", lw=4)
        axes[1].annotate(
            f"error {100 * front.loss[place]:.1f} %",
            (low, front.mean_tests[place]),
            xytext=(2, 5),
            textcoords="offset points",
            fontsize=8,
        )
    axes[1].set(xscale="log", xlabel="alpha for which a tree is optimal", ylabel="average tests")
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    pages.save(settings, "figure7", figure)
