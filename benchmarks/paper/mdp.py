"""The Markov decision process of the paper's Section 4, built as Algorithm 1 says, for small data.

This has nothing of the engine: a state is a set of rows (the bits of an integer) and a depth, and
what tests it admits is told by a generator. It is for counting, drawing and checking.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import log2

import numpy as np

State = tuple[int, int]  # rows as bits, depth
Test = tuple[int, float]
Cut = tuple[Test, int]  # a test, and the rows of a state that pass it


@dataclass(frozen=True)
class Rows:
    """The training rows as sets of bits."""

    X: np.ndarray
    y: np.ndarray

    @cached_property
    def of_class(self) -> list[int]:
        return [bits(self.y == label) for label in np.unique(self.y)]

    @cached_property
    def passing(self) -> list[list[Cut]]:
        """Per feature every test of the data and the rows that pass it, thresholds ascending."""
        return [
            [((j, float(t)), bits(column <= t)) for t in np.unique(column)]
            for j, column in enumerate(self.X.T)
        ]

    def counts(self, state: int) -> list[int]:
        return [(state & rows).bit_count() for rows in self.of_class]

    def errors(self, state: int) -> int:
        return state.bit_count() - max(self.counts(state))

    def entropy(self, state: int) -> float:
        """In bits, times the number of rows."""
        n = state.bit_count()
        return n * log2(n) - sum(k * log2(k) for k in self.counts(state) if k)

    def all_tests(self, state: int) -> list[Cut]:
        """Every test that divides a state; of one feature, each division once."""
        found = []
        for cuts in self.passing:
            before = 0
            for test, passing in cuts:
                left = state & passing
                if left not in (before, state):
                    found.append((test, left))
                before = left
        return found

    def members(self, state: int) -> np.ndarray:
        n = len(self.y)
        packed = np.frombuffer(state.to_bytes((n + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(packed, count=n, bitorder="little").astype(bool)


def bits(mask: np.ndarray) -> int:
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


Generator = Callable[[Rows, int], list[Cut]]


def exhaustive(rows: Rows, state: int) -> list[Cut]:
    return rows.all_tests(state)


def top(n_tests: int) -> Generator:
    """The most informative tests, by entropy (Nunes et al., 2020)."""

    def tests(rows: Rows, state: int) -> list[Cut]:
        def remaining(cut: Cut) -> float:
            return rows.entropy(cut[1]) + rows.entropy(state & ~cut[1])

        return sorted(rows.all_tests(state), key=remaining)[:n_tests]

    return tests


def cart(depth: int, lots: int | np.random.RandomState = 0) -> Generator:
    """The test nodes of scikit-learn's CART on the rows of the state (Section 5.1.1).

    Among tests that tie CART draws `lots`: a number starts them anew in every state.
    """

    def tests(rows: Rows, state: int) -> list[Cut]:
        from sklearn.tree import DecisionTreeClassifier

        inside = rows.members(state)
        model = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=lots)
        tree = model.fit(rows.X[inside], rows.y[inside]).tree_
        found = {}
        for node in np.flatnonzero(tree.children_left >= 0):
            feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
            left = state & bits(rows.X[:, feature] <= threshold)
            if left not in (0, state):
                found[feature, left] = (feature, threshold)
        return [(test, left) for (_, left), test in found.items()]

    return tests


@dataclass
class Mdp:
    """All states that can be reached, and the fewest errors from each (alpha = 0)."""

    rows: Rows
    depth: int
    generator: Generator
    best: dict[State, int] = field(default_factory=dict)
    unmerged: dict[State, int] = field(default_factory=dict)
    transitions: dict[State, list[tuple[Test, int, int]]] = field(default_factory=dict)
    n_tests: int = 0  # that states admit, over all states
    keep: bool = False  # transitions, for a drawing

    def __post_init__(self) -> None:
        self.root: State = ((1 << len(self.rows.y)) - 1, 0)
        self.expand(self.root)

    def expand(self, state: State) -> int:
        """Bellman's equation, depth first."""
        if state in self.best:
            return self.best[state]
        inside, depth = state
        best, reached = self.rows.errors(inside), 1
        if depth < self.depth and best > 0:
            for test, left in self.generator(self.rows, inside):
                right = inside & ~left
                sides = (left, depth + 1), (right, depth + 1)
                self.n_tests += 1
                best = min(best, sum(map(self.expand, sides)))
                reached += sum(self.unmerged[side] for side in sides)
                if self.keep:
                    self.transitions.setdefault(state, []).append((test, left, right))
        self.best[state], self.unmerged[state] = best, reached
        return best

    @property
    def n_states(self) -> int:
        """A state that is reached twice counts once."""
        return len(self.best)

    @property
    def n_unmerged(self) -> int:
        """It counts as often as it is reached, as in the paper's estimate."""
        return self.unmerged[self.root]

    @property
    def n_actions(self) -> int:
        """What all states admit, each once: their tests, and to name any of the classes."""
        return self.n_tests + self.n_states * len(self.rows.of_class)

    def value(self, state: State) -> Fraction:
        """Expected reward of the best policy from a state on (`keep`), by Bellman's equation.

        A test costs nothing and leads to either side with the probability that is its share of the
        rows; a class is worth the share of the rows that have it.
        """
        known: dict[State, Fraction] = {}

        def of(state: State) -> Fraction:
            if state not in known:
                inside, depth = state
                n = inside.bit_count()
                known[state] = max(
                    [Fraction(count, n) for count in self.rows.counts(inside)]
                    + [
                        sum(
                            (
                                Fraction(side.bit_count(), n) * of((side, depth + 1))
                                for side in sides
                            ),
                            Fraction(0),
                        )
                        for _, *sides in self.transitions.get(state, [])
                    ]
                )
            return known[state]

        return of(state)

    def levels(self) -> list[list[State]]:
        """States by depth, in the order in which they are reached."""
        found: list[list[State]] = [[self.root]]
        for depth in range(self.depth):
            below = [
                (side, depth + 1)
                for state in found[depth]
                for _, left, right in self.transitions.get(state, [])
                for side in (left, right)
            ]
            found.append(list(dict.fromkeys(below)))
        return [level for level, _ in pairwise([*found, []]) if level]
