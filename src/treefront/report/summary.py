"""A model as one plain dict, ready for JSON: every figure of the report, computed once.

The page draws what is here and computes nothing but the ways of rows through trees.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from treefront import costs, feature_costs, labels, rules, tree_document
from treefront import summary as tree_summary
from treefront.columns import as_frame
from treefront.data import check_rows, check_weight
from treefront.estimators.base import FrontEstimator
from treefront.estimators.cross_validated import CrossValidated
from treefront.front import Front
from treefront.targets import check_numbers, check_scored
from treefront.tree import Tree

Floats = NDArray[np.float64]

FORMAT = 1
MOST_ROWS = 200
HARD_SHARE = 2 / 3  # of the rows that are kept: those on which neighbouring trees differ
BUDGET = 2_500_000  # bytes of trees and rows, so that a page stays below 3 MB
BYTES_OF_A_PLACE = 10  # of a text that stands elsewhere on the page too
NODE_FIELDS = ("test", "missing", "parent", "level", "prediction", "rows", "spread")


@dataclass(frozen=True)
class Tested:
    """Checked rows on which trees are measured, and what every tree says of them."""

    name: str
    X: Floats
    y: NDArray[Any]
    codes: NDArray[np.int64] | None  # places of the labels in the classes; None: numbers
    weight: Floats | None
    leaves: list[NDArray[np.int32]]  # per tree
    row_names: list[str]

    @property
    def own_weight(self) -> Floats:
        """Weight of every row."""
        return np.ones(len(self.X)) if self.weight is None else self.weight


def summarise(
    model: FrontEstimator,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    rows: int = MOST_ROWS,
    name: str = "validation",
    row_names: Sequence[str] | None = None,
    title: str | None = None,
) -> dict[str, Any]:
    """What the report of a fitted model shows; parameters are those of `FrontEstimator.report`.

    Raises
    ------
    ValueError
        Only one of X and y; rows that do not fit the model; a number of rows below 0.
    """
    if (X is None) != (y is None):
        raise ValueError("a report on rows needs both X and y")
    if X is None and sample_weight is not None:
        raise ValueError("sample_weight belongs to X and y")
    if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 0:
        raise ValueError(f"rows must be a number of rows, at least 0, got {rows!r}")
    front = model.front_
    tested = None
    if X is not None and y is not None:
        tested = _tested(model, X, y, sample_weight, name, row_names)
    columns = sorted({int(f) for tree in front for f in tree.feature if f >= 0})
    kept = _kept_rows(front, tested, int(rows))
    chosen = front.index(model.tree_)
    about_columns = [_column(model, column) for column in columns]
    about_rows = [] if tested is None else list(_rows(front[0], tested, kept, columns))
    room = BUDGET - _size([about_columns, about_rows], set())
    return {
        "format": FORMAT,
        "title": rules.printable(title) if title else "treefront",
        "written_by": f"treefront {version('treefront')}",
        "model": _model(model),
        "classes": tree_summary.class_names(front[0]),
        "columns": about_columns,
        "front": _front(front),
        "chosen": chosen,
        "cross_validation": _cross_validation(model),
        "tested": None if tested is None else _tested_figures(model, tested),
        "trees": _trees(model, tested, chosen, room),
        "neighbours": []
        if tested is None
        else [_neighbours(front, tested, i, kept) for i in range(len(front) - 1)],
        "rows": about_rows,
    }


# ---- the model ----


def _model(model: FrontEstimator) -> dict[str, Any]:
    root = model.front_[0]
    return {
        "estimator": type(model).__name__,
        "status": model.status_,
        "gap": model.gap_,
        "alpha": model.alpha_,
        "n_states": model.n_states_,
        "splits": [str(generator) for generator in model.splits_],
        "exact_tail": model.exact_tail_,
        "max_depth": int(model.max_depth),
        "complexity": model.complexity,
        "loss_name": root.loss_name,
        "n_rows": int(root.n_rows[0]),
        "n_features": root.n_features,
        "weighted": not bool((root.weight == root.n_rows).all()),
        "priced": not _prices(model).all_one,
    }


def _prices(model: FrontEstimator) -> feature_costs.Prices:
    return feature_costs.resolve(
        model.feature_costs,
        model.feature_groups,
        model.front_[0].feature_names,
        model.n_features_in_,
        once=model.feature_costs_once,
    )


def _column(model: FrontEstimator, column: int) -> dict[str, Any]:
    """A column that some tree tests."""
    tree, prices = model.front_[0], _prices(model)
    known, time = tree.categories[column], tree.times[column]
    return {
        "column": column,
        "name": tree_summary.feature_names(tree)[column],
        "kind": "category" if known is not None else "time" if time is not None else "number",
        "zone": time,
        "categories": None if known is None else [rules.printable(str(value)) for value in known],
        "with_missing": bool(tree.with_missing[column]),
        "price": prices.costs[column] if prices.costs else 1.0,
        "bought_with": prices.groups[column] if prices.groups else None,  # None: paid every time
    }


def _front(front: Front) -> dict[str, Any]:
    return {
        "alpha_low": _plain(front.alpha_low),
        "alpha_high": _plain(front.alpha_high),
        "loss": _plain(front.loss),
        "complexity": _plain(front.complexity),
        "mean_tests": _plain(front.mean_tests),
        "n_leaves": front.n_leaves.tolist(),
        "depth": front.depth.tolist(),
        "proved": front.proved.tolist(),
    }


def _cross_validation(model: FrontEstimator) -> dict[str, Any] | None:
    """Scores of the folds, of an estimator that chose by them."""
    if not isinstance(model, CrossValidated):
        return None
    results = model.cv_results_
    # A scorer may say that what it measures is a loss, which is then shown as such.
    sign = -1 if getattr(model.scoring, "less_is_better", False) else 1
    return {
        "n_folds": model.n_splits_,
        "score_name": model.score_name,
        "score": _plain(sign * results["mean_test_score"]),
        "standard_error": _plain(results["standard_error"]),
    }


def _plain(numbers: ArrayLike) -> list[float | None]:
    """JSON has no infinity and no NaN."""
    return [number if math.isfinite(number) else None for number in np.asarray(numbers).tolist()]


# ---- trees ----


def _trees(
    model: FrontEstimator, tested: Tested | None, chosen: int, room: int
) -> list[dict[str, Any] | None]:
    """The chosen tree, and the smallest others that have room beside it; None: no room."""
    trees: list[dict[str, Any] | None] = [None] * len(model.front_)
    trees[chosen] = _tree(model, chosen, tested)
    texts: set[str] = set()
    room -= _size(trees[chosen], texts)
    for i in range(len(trees)):
        if i == chosen:
            continue
        tree = _tree(model, i, tested)
        room -= _size(tree, texts)
        if room < 0:
            break  # and those behind it are larger
        trees[i] = tree
    return trees


def _size(value: Any, texts: set[str]) -> int:
    """Bytes on the page, where a text that was seen before takes no more than its place."""
    if isinstance(value, str):
        if value in texts:
            return BYTES_OF_A_PLACE
        texts.add(value)
        escaped = 5 * sum(value.count(sign) for sign in "<>&")  # the page writes six signs for one
        return BYTES_OF_A_PLACE + len(json.dumps(value, ensure_ascii=False).encode()) + escaped
    if isinstance(value, dict):
        return sum(len(key) + 4 + _size(member, texts) for key, member in value.items())
    if isinstance(value, list):
        return sum(1 + _size(member, texts) for member in value)
    return len(repr(value))


def _tree(model: FrontEstimator, index: int, tested: Tested | None) -> dict[str, Any]:
    tree = model.front_[index]
    nodes = tree_summary.nodes(tree, say_missing=False)
    return {
        "arrays": tree_document.nodes(tree),
        "nodes": [{name: getattr(node, name) for name in NODE_FIELDS} for node in nodes],
        "rules": [
            {"leaf": rule.leaf, "conditions": list(rule.conditions)}
            for rule in tree_summary.leaf_rules(tree)
        ],
        "training": _training_confusion(model, tree),
        "tested": None if tested is None else _on_rows(tree, tested, tested.leaves[index]),
    }


def _training_confusion(model: FrontEstimator, tree: Tree) -> list[list[float]] | None:
    """Weights by true class and prediction, as [true, predicted, weight], from the leaves.

    None for numbers, and where leaves hold shares that were moved to keep an order.
    """
    if tree.classes is None or model.monotonic_cst is not None:
        return None
    cells: Counter[tuple[int, int]] = Counter()
    for leaf in np.flatnonzero(tree.feature < 0).tolist():
        for true in np.flatnonzero(tree.value[leaf]).tolist():
            cells[true, int(tree.decision[leaf])] += tree.value[leaf, true]
    return _cells(cells)


def _on_rows(tree: Tree, tested: Tested, leaves: NDArray[np.int32]) -> dict[str, Any]:
    """How many rows pass every node, what they are, and the confusion matrix."""
    passed = np.bincount(leaves, minlength=tree.n_nodes)
    result: dict[str, Any] = {"n_rows": _upwards(tree, passed).tolist()}
    if tested.codes is None:
        numbers = tested.y.reshape(len(tested.y), -1)
        sums = np.stack(
            [np.bincount(leaves, column, minlength=tree.n_nodes) for column in numbers.T], axis=1
        )
        with np.errstate(invalid="ignore"):
            means = sums / passed[:, None]
        return result | {"means": [_plain(mean) for mean in means]}
    predicted = tree.decision[leaves]
    right = np.bincount(leaves[predicted == tested.codes], minlength=tree.n_nodes)
    cells: Counter[tuple[int, int]] = Counter()
    for true, guess, weight in zip(
        tested.codes.tolist(), predicted.tolist(), tested.own_weight.tolist()
    ):
        cells[true, guess] += weight  # true is -1 for a label that was not seen in fit
    return result | {"right": right.tolist(), "confusion": _cells(cells)}


def _upwards(tree: Tree, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts of leaves, added to all nodes above them."""
    total = counts.copy()
    for node in reversed(np.flatnonzero(tree.feature >= 0).tolist()):  # children come later
        total[node] += total[tree.left[node]] + total[tree.right[node]]
    return total


def _cells(cells: Counter[tuple[int, int]]) -> list[list[float]]:
    return [[true, predicted, float(cells[true, predicted])] for true, predicted in sorted(cells)]


# ---- on rows that were given ----


def _tested(
    model: FrontEstimator,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    name: str,
    row_names: Sequence[str] | None,
) -> Tested:
    rows, classes = check_rows(model, X), model.front_[0].classes
    weight = check_weight(sample_weight, len(rows))
    codes = None if classes is None else check_scored(y, classes, len(rows))
    target = check_numbers(y, len(rows)) if classes is None else labels.as_labels(y)
    names = _index(X) if row_names is None else [str(row_name) for row_name in row_names]
    names = [rules.printable(row_name) for row_name in names or map(str, range(len(rows)))]
    if len(names) != len(rows):
        raise ValueError(f"X has {len(rows)} rows, but row_names has {len(names)}")
    leaves = [tree.leaves(rows) for tree in model.front_]
    return Tested(rules.printable(name), rows, target, codes, weight, leaves, names)


def _index(X: Any) -> list[str] | None:
    """Names of the rows of a data frame that has any; else they are counted from 0."""
    frame = as_frame(X)
    index = None if frame is None else nw.maybe_get_index(frame)
    return None if index is None else [str(row_name) for row_name in index]


def _tested_figures(model: FrontEstimator, tested: Tested) -> dict[str, Any]:
    front = model.front_
    scores = front.score_rows(tested.X, tested.y, tested.weight)
    return {
        "name": tested.name,
        "n_rows": len(tested.X),
        "weighted": tested.weight is not None,
        "score_name": front.score_name,
        "score": _plain(scores),
        "loss": _plain(_losses(model, tested, scores)),
    }


def _losses(model: FrontEstimator, tested: Tested, scores: Floats) -> Floats:
    """Loss of every tree on the rows, in the unit of the front's; NaN where it has no price."""
    loss_name = model.front_[0].loss_name
    if loss_name == "error_rate":
        return 1 - scores
    return np.array(
        [
            np.average(_row_losses(model, tree, tested, leaves), weights=tested.weight)
            for tree, leaves in zip(model.front_, tested.leaves)
        ]
    )


def _row_losses(
    model: FrontEstimator, tree: Tree, tested: Tested, leaves: NDArray[np.int32]
) -> Floats:
    """What the tree loses on every row; NaN for a label without a price."""
    if tested.codes is None:
        distance = np.abs(tree.value[leaves] - tested.y.reshape(len(leaves), -1))
        return np.asarray(
            distance.sum(axis=1)
            if tree.loss_name == "absolute_error"
            else np.square(distance).sum(axis=1)
        )
    assert tree.classes is not None
    prices = costs.cost_matrix(model.get_params(deep=False)["cost_matrix"], tree.classes)
    paid = prices[tested.codes, tree.decision[leaves]]
    return np.asarray(np.where(tested.codes >= 0, paid, np.nan))


def _predictions_differ(front: Front, tested: Tested, i: int) -> NDArray[np.bool_]:
    """Rows for which tree `i` and the next one predict something else."""
    (tree, leaves), (other, others) = ((front[k], tested.leaves[k]) for k in (i, i + 1))
    if tested.codes is not None:
        return np.asarray(tree.decision[leaves] != other.decision[others])
    return np.asarray((tree.value[leaves] != other.value[others]).any(axis=1))


def _neighbours(front: Front, tested: Tested, i: int, kept: NDArray[np.intp]) -> dict[str, Any]:
    """Where tree `i` and the next one differ, and which of them is right or closer there.

    For `rows`, those that are on the page are given, by their place in its list of rows.
    """
    differ = _predictions_differ(front, tested, i)
    closer: list[int] = []
    for this, that in ((i, i + 1), (i + 1, i)):
        closer.append(
            int(
                (_distance(front[this], tested, this) < _distance(front[that], tested, that))[
                    differ
                ].sum()
            )
        )
    return {
        "n_rows": int(differ.sum()),
        "smaller_is_better": closer[0],
        "larger_is_better": closer[1],
        "rows": np.flatnonzero(differ[kept]).tolist(),
    }


def _distance(tree: Tree, tested: Tested, index: int) -> Floats:
    """How far the prediction is from the truth: 0 or 1 for classes."""
    leaves = tested.leaves[index]
    if tested.codes is not None:
        return np.asarray(tree.decision[leaves] != tested.codes, dtype=np.float64)
    return np.asarray(np.abs(tree.value[leaves] - tested.y.reshape(len(leaves), -1)).sum(axis=1))


def _kept_rows(front: Front, tested: Tested | None, most: int) -> NDArray[np.intp]:
    """Rows that the page holds, in their order: first those on which neighbours differ."""
    if tested is None or most == 0:
        return np.empty(0, dtype=np.intp)
    hard = np.zeros(len(tested.X), dtype=bool)
    for i in range(len(front) - 1):
        hard |= _predictions_differ(front, tested, i)
    others = np.flatnonzero(~hard)
    n_hard = min(int(hard.sum()), max(int(HARD_SHARE * most), most - len(others)))
    return np.sort(
        np.concatenate([_evenly(np.flatnonzero(hard), n_hard), _evenly(others, most - n_hard)])
    )


def _evenly(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).astype(np.intp)]


def _rows(
    tree: Tree, tested: Tested, kept: NDArray[np.intp], columns: list[int]
) -> Iterator[dict[str, Any]]:
    """Cells of the columns that are tested: as the tree compares them, and as text."""
    for row in kept.tolist():
        values = tested.X[row, columns].tolist()
        code = None if tested.codes is None else int(tested.codes[row])
        truth = tested.y[row].tolist() if tested.codes is None else str(tested.y[row])
        yield {
            "name": tested.row_names[row],
            "values": [None if math.isnan(value) else value for value in values],
            "texts": [_text(tree, column, value) for column, value in zip(columns, values)],
            "code": code,
            "truth": rules.printable(truth) if isinstance(truth, str) else np.ravel(truth).tolist(),
        }


def _text(tree: Tree, column: int, value: float) -> str:
    known = tree.categories[column]
    if math.isnan(value):
        return "missing"
    if known is None:
        return rules.value_of(tree, column, value)
    return rules.printable(str(known[int(value)])) if value >= 0 else "(another value)"
