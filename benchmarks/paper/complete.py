"""Complete binary trees, as integer programmes number their nodes, and CART as one of them.

Node 1 is the root, node t has the children 2t and 2t + 1, and the last 2^depth nodes are leaves.
Every inner node tests: without a price per test, an early leaf may be tested on, with the same
class everywhere below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class CompleteTree:
    """A test for every inner node, a class for every leaf."""

    depth: int
    test: dict[int, tuple[int, float]]  # feature <= threshold goes to 2t
    label: dict[int, int]

    def leaves(self, X: np.ndarray) -> np.ndarray:
        """The number of the leaf of every row."""
        node = np.ones(len(X), dtype=int)
        for _ in range(self.depth):
            for t in np.unique(node):
                here = np.flatnonzero(node == t)
                j, threshold = self.test[t]
                node[here] = 2 * t + (X[here, j] > threshold)
        return node

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.array([self.label[t] for t in self.leaves(X)])

    def errors(self, X: np.ndarray, y: np.ndarray) -> int:
        return int(np.count_nonzero(self.predict(X) != y))

    def labelled(self, X: np.ndarray, y: np.ndarray) -> CompleteTree:
        """With the heaviest class of its rows in every leaf, of all rows where it has none."""
        place = self.leaves(X)
        label = {
            leaf: int(np.bincount(y[here] if (here := place == leaf).any() else y).argmax())
            for leaf in leaves(self.depth)
        }
        return CompleteTree(self.depth, self.test, label)

    def below(self, node: int) -> CompleteTree:
        """The tree under a node."""
        numbers = {1: node}  # in the part -> in the whole
        part = CompleteTree(self.depth - node.bit_length() + 1, {}, {})
        for t in inner(part.depth):
            numbers[2 * t], numbers[2 * t + 1] = 2 * numbers[t], 2 * numbers[t] + 1
            part.test[t] = self.test[numbers[t]]
        part.label.update({t: self.label[numbers[t]] for t in leaves(part.depth)})
        return part

    def put(self, node: int, part: CompleteTree) -> CompleteTree:
        """With another tree under a node."""
        whole = CompleteTree(self.depth, dict(self.test), dict(self.label))
        numbers = {1: node}
        for t in inner(part.depth):
            numbers[2 * t], numbers[2 * t + 1] = 2 * numbers[t], 2 * numbers[t] + 1
            whole.test[numbers[t]] = part.test[t]
        whole.label.update({numbers[t]: part.label[t] for t in leaves(part.depth)})
        return whole


def inner(depth: int) -> range:
    return range(1, 2**depth)


def leaves(depth: int) -> range:
    return range(2**depth, 2 ** (depth + 1))


def sides(node: int, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Places, from 0, of the leaves on the left and on the right of a node."""
    width = 2 ** (depth - node.bit_length())
    first = 2 * node * width - 2**depth
    return np.arange(first, first + width), np.arange(first + width, first + 2 * width)


def thresholds(column: np.ndarray) -> np.ndarray:
    """Midpoints of neighbouring values."""
    values = np.unique(column)
    return (values[:-1] + values[1:]) / 2


def among(tree: CompleteTree, X: np.ndarray) -> CompleteTree:
    """The tree that does the same with these rows, by tests at their own midpoints.

    A test that all rows answer alike is none of those: another stands in its place, with the same
    tree, of the answer, on both sides.
    """
    values = [np.unique(column) for column in X.T]
    any_test = next(
        (j, float(np.mean(found[:2]))) for j, found in enumerate(values) if len(found) > 1
    )
    same = CompleteTree(tree.depth, {}, {})

    def write(source: int, target: int) -> None:
        if target >= 2**tree.depth:
            same.label[target] = tree.label[source]
            return
        left = right = source
        same.test[target] = any_test
        if source < 2**tree.depth:
            left, right = 2 * source, 2 * source + 1
            j, threshold = tree.test[source]
            passing = int(np.searchsorted(values[j], threshold, side="right"))
            if passing == 0:
                left = right
            elif passing == len(values[j]):
                right = left
            else:
                middle = float(np.mean(values[j][passing - 1 : passing + 1]))
                same.test[target] = (j, middle)
        write(left, 2 * target)
        write(right, 2 * target + 1)

    write(1, 1)
    return same


def cart(X: np.ndarray, y: np.ndarray, depth: int) -> CompleteTree:
    """The greedy tree by entropy, as the paper's column CART has it."""
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0).fit(X, y)
    greedy = model.tree_
    tree = CompleteTree(depth, {}, {})
    at = {1: 0}  # our number of a node -> scikit-learn's
    for t in inner(depth):
        node = at[t]
        at[2 * t] = at[2 * t + 1] = node
        tree.test[t] = (0, np.inf)
        if greedy.children_left[node] >= 0:
            at[2 * t], at[2 * t + 1] = greedy.children_left[node], greedy.children_right[node]
            tree.test[t] = (int(greedy.feature[node]), float(greedy.threshold[node]))
    answers = model.classes_[greedy.value[:, 0].argmax(axis=1)]
    tree.label.update({t: int(answers[at[t]]) for t in leaves(depth)})
    return tree


def grown(tree: CompleteTree, X: np.ndarray, y: np.ndarray) -> CompleteTree:
    """One level more: each leaf is tested once, greedily."""
    taller = CompleteTree(tree.depth + 1, dict(tree.test), {})
    place = tree.leaves(X)
    for leaf, answer in tree.label.items():
        here = place == leaf
        stump = CompleteTree(1, {1: (0, np.inf)}, {2: answer, 3: answer})
        taller = taller.put(leaf, cart(X[here], y[here], 1) if here.any() else stump)
    return taller
