"""A tree as readable rules: what is said is computed first, then laid out as text.

all rows                       150 rows  setosa 33.3%, versicolor 33.3%, virginica 33.3%
if petal width <= 0.8: setosa   50 rows  setosa 100%
else:                          100 rows  versicolor 50%, virginica 50%
    if petal width <= 1.75: ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treefront import times

INDENT = "    "
MOST_CLASSES_SHOWN = 3
LARGEST_IN_FULL = 1e15  # larger numbers are written with an exponent


class Nodes(Protocol):
    """The arrays of a tree that its rules are made of."""

    @property
    def feature(self) -> NDArray[np.int32]:
        """Column tested, -1 at leaves."""

    @property
    def threshold(self) -> NDArray[np.float64]:
        """Threshold of the test."""

    @property
    def missing_left(self) -> NDArray[np.bool_]:
        """Whether a row without a value goes left."""

    @property
    def categories(self) -> tuple[tuple[Any, ...] | None, ...]:
        """Categories of every column, None for numbers."""

    @property
    def with_missing(self) -> tuple[bool, ...]:
        """Whether a column had missing values in training."""

    @property
    def loss_name(self) -> str:
        """What the losses of nodes count."""

    @property
    def times(self) -> tuple[str | None, ...]:
        """Which columns hold points in time, of which kind."""

    def left_categories(self, node: int, /) -> tuple[Any, ...]:
        """Categories that go left at a node."""

    @property
    def left(self) -> NDArray[np.int32]:
        """Left child."""

    @property
    def right(self) -> NDArray[np.int32]:
        """Right child."""

    @property
    def value(self) -> NDArray[np.float64]:
        """Class weights, or means: (n_nodes, n_classes or n_outputs)."""

    @property
    def decision(self) -> NDArray[np.int32]:
        """Class that a node predicts."""

    @property
    def loss(self) -> NDArray[np.float64]:
        """Training loss of a node as a leaf."""

    @property
    def n_rows(self) -> NDArray[np.int64]:
        """Training rows."""

    @property
    def weight(self) -> NDArray[np.float64]:
        """Training weight."""


@dataclass(frozen=True)
class Line:
    """One node: how to get there from its parent, what it decides, and who is in it."""

    level: int
    condition: str  # "" for the root
    decision: str | None  # the class, for a leaf
    n_rows: int
    weight: float | None  # None where every row weighs 1
    shares: str

    @property
    def rule(self) -> str:
        """The left column of the text."""
        if not self.condition:
            return "all rows" if self.decision is None else f"all rows: {self.decision}"
        text = INDENT * (self.level - 1) + self.condition + ":"
        return text if self.decision is None else f"{text} {self.decision}"


def lines(nodes: Nodes, feature_names: list[str], class_names: list[str] | None) -> Iterator[Line]:
    """One `Line` per node, in preorder: the order in which a person reads."""
    weighted = not np.array_equal(nodes.weight, nodes.n_rows)
    waiting = [(0, 0, "")]  # a stack, since trees may be deeper than Python calls may nest
    while waiting:
        node, level, condition = waiting.pop()
        feature = int(nodes.feature[node])
        yield Line(
            level,
            condition,
            prediction(nodes, node, class_names) if feature < 0 else None,
            int(nodes.n_rows[node]),
            float(nodes.weight[node]) if weighted else None,
            spread(nodes, node) if class_names is None else shares(nodes.value[node], class_names),
        )
        if feature >= 0:
            test = f"if {condition_of(nodes, node, feature_names[feature])}"
            waiting.append((int(nodes.right[node]), level + 1, "else"))
            waiting.append((int(nodes.left[node]), level + 1, test))


def prediction(nodes: Nodes, node: int, class_names: list[str] | None) -> str:
    """What a leaf predicts: a class, or the means of the targets."""
    if class_names is not None:
        return class_names[int(nodes.decision[node])]
    return ", ".join(rounded(mean, 6) for mean in nodes.value[node].tolist())


def spread(nodes: Nodes, node: int) -> str:
    """Mean and standard deviation of the targets in a node (of several: over all of them).

    By absolute error the median, and the mean distance from it.
    """
    loss = float(nodes.loss[node]) / float(nodes.weight[node])
    if nodes.loss_name == "absolute_error":
        return f"median {prediction(nodes, node, None)}, mean distance {rounded(loss)}"
    return f"mean {prediction(nodes, node, None)}, deviation {rounded(math.sqrt(loss))}"


def decimal(value: float) -> str:
    """Shortest decimal that reads back as the same float64; whole numbers without a point."""
    return repr(value).removesuffix(".0")


def rounded(value: float, digits: int = 4) -> str:
    """A number to so many digits, but all of them before the point: 3.142, 12346, 1.2e-07."""
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < LARGEST_IN_FULL else text


def condition_of(
    nodes: Nodes,
    node: int,
    name: str,
    *,
    most_categories: int | None = None,
    number: Callable[[float], str] = decimal,
    say_missing: bool = True,
) -> str:
    """What is true of the rows that go left at a node; with `say_missing` also of missing values.

    Of more than `most_categories` categories the first ones are named, and the others counted.
    """
    feature = int(nodes.feature[node])
    missing_left = bool(nodes.missing_left[node])
    threshold = float(nodes.threshold[node])
    if math.isinf(threshold):
        return f"{name} is missing" if missing_left else f"{name} is not missing"
    known = nodes.categories[feature]
    if known is None:
        condition = f"{name} <= {value_of(nodes, feature, threshold, number)}"
    else:
        chosen = [printable(str(value)) for value in nodes.left_categories(node)]
        if not chosen:
            return f"{name} is missing"
        condition = f"{name} is {chosen[0]}"
        if len(chosen) > 1:
            condition = f"{name} is one of {listed(chosen, most_categories)}"
    also_missing = say_missing and missing_left and nodes.with_missing[feature]
    return f"{condition} or missing" if also_missing else condition


def listed(names: list[str], most: int | None = None) -> str:
    """Names as a set; of more than `most` the last ones are counted."""
    hidden = 0 if most is None else len(names) - most
    # "+1" is no shorter than a name.
    shown = names if hidden <= 1 else [*names[:most], f"+{hidden}"]
    return f"{{{', '.join(shown)}}}"


def value_of(
    nodes: Nodes, feature: int, value: float, number: Callable[[float], str] = decimal
) -> str:
    """A number of a column, or a point in time, as text."""
    kind = nodes.times[feature]
    return times.text(value, kind) if kind is not None else number(value)


def text(nodes: Nodes, feature_names: list[str], class_names: list[str] | None) -> str:
    """Rules in the left column, rows and class shares in the right one."""
    table = list(lines(nodes, feature_names, class_names))
    rule_width = max(len(line.rule) for line in table)
    digits = len(str(table[0].n_rows))  # no node has more rows than the root
    return "\n".join(
        f"{line.rule:<{rule_width}}  {line.n_rows:>{digits}} {_rows(line)}  {line.shares}"
        for line in table
    )


def _rows(line: Line) -> str:
    word = "row " if line.n_rows == 1 else "rows"
    return word if line.weight is None else f"{word} (weight {line.weight:g})"


def shares(value: NDArray[Any], class_names: list[str]) -> str:
    """Class shares of a node, largest first; what is small or many is summed up."""
    total = float(value.sum())
    order = [int(k) for k in np.argsort(-value, kind="stable") if value[k] > 0]
    shown = order if len(order) <= MOST_CLASSES_SHOWN + 1 else order[:MOST_CLASSES_SHOWN]
    parts = [f"{class_names[k]}: {percent(float(value[k]) / total)}" for k in shown]
    rest = order[len(shown) :]
    if rest:
        others = sum(float(value[k]) for k in rest) / total
        parts.append(f"{len(rest)} others: {percent(others)}")
    return ", ".join(parts)


def leaves(count: int) -> str:
    """A number of leaves."""
    return "1 leaf" if count == 1 else f"{count} leaves"


def percent(share: float) -> str:
    """Percent with one decimal; 0% and 100% are said only where they are exact."""
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    if share < 0.001:
        return "<0.1%"
    if share > 0.999:
        return ">99.9%"
    return f"{share:.1%}"


def printable(name: str) -> str:
    """A name that keeps to its line and can be seen."""
    return name if name.strip() and name.isprintable() else repr(name)
