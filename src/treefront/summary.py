"""A tree as plain values for people: the strings and numbers that every picture of it shows.

Plots, HTML, dot, Mermaid, LaTeX and rules are drawn from here, so that they cannot disagree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from treefront import labels, rules

if TYPE_CHECKING:
    from treefront.tree import Tree

# Okabe and Ito's colours for classes, without black; see https://jfly.uni-koeln.de/color/
CLASS_COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")


@dataclass(frozen=True)
class Node:
    """One node of a tree."""

    number: int
    parent: int | None  # None: the root
    level: int
    is_left: bool | None  # None: the root
    test: str | None  # what is true of the rows that go left; None: a leaf
    missing: str | None  # "left" or "right": where missing values go; None: training had none
    left: int | None
    right: int | None
    prediction: str
    decision: int | None  # place of the class in the tree's classes; None: a regression tree
    n_rows: int
    weight: float | None  # None: every row weighs 1
    share_of_rows: float  # by weight
    shares: tuple[float, ...] | None  # of every class; None: a regression tree
    means: tuple[float, ...] | None  # of every target; None: a classification tree
    spread: str  # class shares, or mean and deviation, in words

    @property
    def is_leaf(self) -> bool:
        """Whether it decides."""
        return self.test is None

    @property
    def rows(self) -> str:
        """How many training rows, in words."""
        count = f"{self.n_rows:,} row" + ("" if self.n_rows == 1 else "s")
        return count if self.weight is None else f"{count} (weight {self.weight:g})"


def nodes(
    tree: Tree,
    *,
    most_categories: int | None = None,
    number: Callable[[float], str] = rules.decimal,
    say_missing: bool = True,
) -> list[Node]:
    """All nodes, in the order of the tree's arrays: preorder.

    Parameters
    ----------
    tree : Tree
    most_categories : int, optional
        How many categories a test names before it counts the others.
    number : callable, optional
        How thresholds are written; by default exactly.
    say_missing : bool, default=True
        Whether `test` says that missing values go left, beside `missing`.
    """
    features, classes = feature_names(tree), class_names(tree)
    weighted = not (tree.weight == tree.n_rows).all()
    total = float(tree.weight[0])
    shares = None if classes is None else tree.shares
    parent: dict[int, tuple[int, bool, int]] = {}
    result = []
    for i in range(tree.n_nodes):
        feature = int(tree.feature[i])
        above, is_left, level = parent.get(i, (None, None, 0))
        children: tuple[int, int] | tuple[None, None] = (None, None)
        if feature >= 0:
            children = (int(tree.left[i]), int(tree.right[i]))
            parent[children[0]] = (i, True, level + 1)
            parent[children[1]] = (i, False, level + 1)
        asked_of_missing = feature >= 0 and tree.with_missing[feature]
        result.append(
            Node(
                number=i,
                parent=above,
                level=level,
                is_left=is_left,
                test=None
                if feature < 0
                else rules.condition_of(
                    tree,
                    i,
                    features[feature],
                    most_categories=most_categories,
                    number=number,
                    say_missing=say_missing,
                ),
                missing=("left" if tree.missing_left[i] else "right") if asked_of_missing else None,
                left=children[0],
                right=children[1],
                prediction=rules.prediction(tree, i, classes),
                decision=None if classes is None else int(tree.decision[i]),
                n_rows=int(tree.n_rows[i]),
                weight=float(tree.weight[i]) if weighted else None,
                share_of_rows=float(tree.weight[i]) / total,
                shares=None if shares is None else tuple(shares[i].tolist()),
                means=tuple(tree.value[i].tolist()) if classes is None else None,
                spread=rules.spread(tree, i)
                if classes is None
                else rules.shares(tree.value[i], classes),
            )
        )
    return result


def summary(tree: Tree) -> dict[str, Any]:
    """The whole tree in plain values, ready for JSON: names, sizes, nodes and rules.

    What every picture of a tree shows: text as people read it, where `Tree.to_dict` has the arrays.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    dict
    """
    return {
        "features": feature_names(tree),
        "classes": class_names(tree),
        "n_leaves": tree.n_leaves,
        "depth": tree.depth,
        "mean_tests": tree.mean_tests,
        "nodes": [asdict(node) | {"rows": node.rows} for node in nodes(tree)],
        "rules": [
            {"leaf": rule.leaf, "conditions": rule.conditions, "prediction": rule.prediction}
            for rule in leaf_rules(tree)
        ],
    }


def feature_names(tree: Tree) -> list[str]:
    """Names of the columns, each on one line; ``x[0]``, ``x[1]`` where they have none."""
    if tree.feature_names is None:
        return [f"x[{column}]" for column in range(tree.n_features)]
    return [rules.printable(name) for name in tree.feature_names]


def class_names(tree: Tree) -> list[str] | None:
    """Names of the classes, each on one line; None for a regression tree."""
    if tree.classes is None:
        return None
    return [rules.printable(name) for name in labels.names(tree.classes)]


# ---- one rule per leaf ----


@dataclass(frozen=True)
class Allowed:
    """What the tests on a path leave open for one column: values in (low, high], or categories."""

    low: float = -math.inf
    high: float = math.inf
    levels: frozenset[int] | None = None  # None: numbers
    missing: bool = True  # whether a row without a value comes here

    def holds(self, value: float) -> bool:
        """Whether a row with this value (a code, for categories; NaN: missing) fulfils it."""
        if math.isnan(value) or (self.levels is not None and value < 0):
            return self.missing
        if self.levels is not None:
            return value in self.levels
        return self.low < value <= self.high


@dataclass(frozen=True)
class Rule:
    """A leaf, and all that must be true of a row that comes there."""

    leaf: int
    allowed: dict[int, Allowed]  # by column; the tests on the path, put together
    conditions: tuple[str, ...]
    prediction: str
    rows: str
    spread: str


def leaf_rules(tree: Tree) -> list[Rule]:
    """One rule per leaf, left to right; exactly one of them holds for any row."""
    names, summaries = feature_names(tree), nodes(tree)
    rules_ = []
    for leaf, allowed in _allowed(tree):
        conditions = (
            _in_words(tree, column, names[column], allowed[column]) for column in sorted(allowed)
        )
        node = summaries[leaf]
        rules_.append(
            Rule(
                leaf,
                allowed,
                tuple(words for words in conditions if words),
                node.prediction,
                node.rows,
                node.spread,
            )
        )
    return rules_


def _allowed(tree: Tree) -> Iterator[tuple[int, dict[int, Allowed]]]:
    """Every leaf with what its path leaves open, per column that is tested on it."""
    waiting: list[tuple[int, dict[int, Allowed]]] = [(0, {})]
    while waiting:
        node, allowed = waiting.pop()
        column = int(tree.feature[node])
        if column < 0:
            yield node, allowed
            continue
        known = tree.categories[column]
        everything = Allowed(levels=None if known is None else frozenset(range(len(known))))
        before = allowed.get(column, everything)
        left, right = _divide(tree, node, before)
        waiting.append((int(tree.right[node]), {**allowed, column: right}))
        waiting.append((int(tree.left[node]), {**allowed, column: left}))


def _divide(tree: Tree, node: int, before: Allowed) -> tuple[Allowed, Allowed]:
    """What is left of `before` on both sides of a test."""
    goes_left = bool(tree.missing_left[node])
    to_left, to_right = before.missing and goes_left, before.missing and not goes_left
    if before.levels is not None:
        chosen = frozenset(tree.left_places(node).tolist())
        return (
            Allowed(levels=before.levels & chosen, missing=to_left),
            Allowed(levels=before.levels - chosen, missing=to_right),
        )
    threshold = float(tree.threshold[node])
    return (
        Allowed(before.low, min(before.high, threshold), missing=to_left),
        Allowed(max(before.low, threshold), before.high, missing=to_right),
    )


def _in_words(tree: Tree, column: int, name: str, allowed: Allowed) -> str:
    """One condition; what is missing is spoken of where training had missing values."""
    known, asked = tree.categories[column], tree.with_missing[column]
    if known is not None:
        assert allowed.levels is not None
        if not allowed.levels:
            return f"{name} is missing"
        values = [rules.printable(str(known[level])) for level in sorted(allowed.levels)]
        if len(values) == len(known):
            return f"{name} is not missing" if asked and not allowed.missing else ""
        words = (
            f"{name} is {values[0]}"
            if len(values) == 1
            else f"{name} is one of {rules.listed(values)}"
        )
    elif math.isinf(allowed.low) and math.isinf(allowed.high):
        if allowed.low == allowed.high:
            return f"{name} is missing"
        return f"{name} is not missing" if asked and not allowed.missing else ""
    else:
        low, high = (
            "" if math.isinf(end) else rules.value_of(tree, column, end)
            for end in (allowed.low, allowed.high)
        )
        if not low:
            words = f"{name} <= {high}"
        elif not high:
            words = f"{name} > {low}"
        else:
            words = f"{low} < {name} <= {high}"
    return f"{words} or missing" if asked and allowed.missing else words
