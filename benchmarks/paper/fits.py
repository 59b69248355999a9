"""One fit, and every tree it gives on the training, validation and test rows of a data set."""

from __future__ import annotations

import statistics
from functools import cache
from typing import Any

import numpy as np

from benchmarks import problems
from benchmarks.adapters.clock import Clock
from benchmarks.paper.log import Row
from benchmarks.paper.pruning import Part, pruning_path

VALIDATION = 0.25  # of the training rows
SHORT = 1.0  # seconds: shorter fits are repeated, and the median counts


@cache
def parts(data: str, validation: bool = False) -> dict[str, Part]:
    """Rows and labels by part: "train" and "test", and "valid", which is cut from "train"."""
    X, y = problems.load({"name": data})
    found = {"train": (X, y)}
    if validation:
        from sklearn.model_selection import train_test_split

        X, X_valid, y, y_valid = train_test_split(
            X, y, test_size=VALIDATION, random_state=0, stratify=y
        )
        found = {"train": (X, y), "valid": (X_valid, y_valid)}
    return found | {"test": problems.test_part(data)}


def treefront(rows_by_part: dict[str, Part], repeats: int, **options: Any) -> list[Row]:
    """Every tree of the front, smallest first."""
    from treefront import DPDTClassifier

    X, y = rows_by_part["train"]
    model, spent = timed(lambda: DPDTClassifier(**options).fit(X, y), repeats)
    fit = {
        **spent,
        "n_states": model.n_states_,
        "fit_status": model.status_,
        "proved": model.gap_ == 0,
    }
    return [
        {"tree": place, "alpha": float(model.front_.alpha_low[place])}
        | scores(tree, rows_by_part)
        | fit
        for place, tree in enumerate(model.front_)
    ]


def largest(rows_by_part: dict[str, Part], repeats: int, **options: Any) -> Row:
    """The most accurate tree of the front: alpha = 0."""
    return treefront(rows_by_part, repeats, **options)[-1]


def greedy(rows_by_part: dict[str, Part], repeats: int, **options: Any) -> Row:
    """CART, not pruned."""
    return cart(rows_by_part, repeats, path=False, **options)[0]


def scores(tree: Any, rows_by_part: dict[str, Part]) -> Row:
    """Leaves, accuracy and tests made of one tree of ours."""
    depth = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in np.flatnonzero(tree.left >= 0):
        depth[[tree.left[node], tree.right[node]]] = depth[node] + 1
    row: Row = {"leaves": tree.n_leaves}
    for name, (X, y) in rows_by_part.items():
        leaves = tree.leaves(X)
        row[f"{name}_accuracy"] = float(np.mean(tree.classes[tree.decision[leaves]] == y))
        row[f"{name}_tests"] = float(depth[leaves].mean())
    return row


def cart(
    rows_by_part: dict[str, Part], repeats: int, *, path: bool = True, **options: Any
) -> list[Row]:
    """Every tree of CART's pruning path, largest first; without `path` the largest alone.

    The time is that of the fit and of scikit-learn's path of prices, without a fit for each.
    """
    from sklearn.tree import DecisionTreeClassifier

    X, y = rows_by_part["train"]
    model = DecisionTreeClassifier(random_state=0, **options)

    def fit() -> DecisionTreeClassifier:
        if path:
            model.cost_complexity_pruning_path(X, y)
        return model.fit(X, y)

    _, spent = timed(fit, repeats)
    trees = pruning_path(model, rows_by_part)
    return [{"tree": place} | row | spent for place, row in enumerate(trees if path else trees[:1])]


def timed(fit: Any, repeats: int) -> tuple[Any, Row]:
    """The model, and the medians of its seconds of the processor and of the clock."""
    clocks: list[Clock] = []
    while not clocks or (clocks[0].seconds < SHORT and len(clocks) < repeats):
        with Clock() as clock:
            model = fit()
        clocks.append(clock)
    return model, {
        "seconds": statistics.median(clock.seconds for clock in clocks),
        "wall_seconds": statistics.median(clock.wall_seconds for clock in clocks),
    }
