"""Small tables with missing values and categories, and which tests they admit, by definition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
from hypothesis import strategies as st

from tests.oracle.bellman import Problem, Rows
from tests.oracle.tables import WEIGHTS, Table

LEAST_WEIGHTS = st.sampled_from([0.0, 0.0, 0.25, 1.0, 1.75, 3.0])  # of a leaf
ALL_SETS = 4  # up to so many levels every set of them is a test at every level of the tree
NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Mixed(Table):
    """Cells are numbers or codes of levels, and NaN where they are missing."""

    n_levels: tuple[int, ...] = ()  # per column; 0: numbers

    def __repr__(self) -> str:
        return f"{super().__repr__()} n_levels={self.n_levels}"


@st.composite
def mixed_tables(
    draw,
    max_rows: int = 9,
    max_features: int = 2,
    max_classes: int = 3,
    most_levels: int = 7,
    weights: tuple[str, ...] = ("none", "integers", "eighths"),
) -> Mixed:
    n = draw(st.integers(1, max_rows))
    classes = draw(st.integers(1, max_classes))
    columns, n_levels = [], []
    for _ in range(draw(st.integers(1, max_features))):
        # In which order sets of more levels are tested is told of two classes only.
        most = most_levels if classes <= 2 else ALL_SETS - 1
        levels = draw(st.sampled_from([0, 0, 1, 2, 3, most]))
        cells = st.integers(0, (levels or 4) - 1).map(float)
        if draw(st.booleans()):
            cells = st.one_of(cells, cells, st.just(NAN))
        columns.append(draw(st.lists(cells, min_size=n, max_size=n)))
        n_levels.append(levels)
    y = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    kind = draw(st.sampled_from(weights))
    weight = None if kind == "none" else [draw(WEIGHTS[kind]) for _ in range(n)]
    return Mixed(np.array(columns).T, y, weight, tuple(n_levels))


@dataclass(frozen=True, eq=False)
class MixedProblem(Problem):
    n_levels: tuple[int, ...] = ()
    n_classes: int = 2

    def actions(self, rows: Rows, r: int) -> Iterator[tuple[Rows, Rows]]:
        for column, levels in enumerate(self.n_levels):
            sides = self.sets(column, rows, r) if levels else self.cuts(column, rows)
            for left in sides:
                right = tuple(i for i in rows if i not in left)
                if self.allows(tuple(left), right):
                    yield tuple(sorted(left)), right

    @property
    def limits_leaves(self) -> bool:
        """Whether leaves must keep something; without weights that differ, more than one row."""
        counted = all(weight == 1 for weight in self.weight)
        limits_weight = self.min_weight_leaf > (1 if counted else 0)
        return self.min_samples_leaf > 1 or limits_weight

    def cuts(self, column: int, rows: Rows) -> Iterator[frozenset[int]]:
        """Numbers up to a threshold, with the rows that miss one or without; and those alone."""
        missing = frozenset(i for i in rows if math.isnan(self.X[i, column]))
        numbers = [i for i in rows if i not in missing]
        yield missing
        for threshold in {self.X[i, column] for i in numbers}:
            low = frozenset(i for i in numbers if self.X[i, column] <= threshold)
            yield low
            yield low | missing

    def sets(self, column: int, rows: Rows, r: int) -> Iterator[frozenset[int]]:
        """Rows whose level is one of some; what is missing is one more level."""
        of_row = {i: _level(self.X[i, column]) for i in self.all_rows}
        present = sorted({of_row[i] for i in rows})
        free = r == 1 and self.n_classes == 2 and not self.limits_leaves
        if free or len(set(of_row.values())) <= ALL_SETS:
            chosen = chain.from_iterable(combinations(present, k) for k in range(len(present)))
        else:
            order = sorted(set(of_row.values()), key=lambda level: self._rank(of_row, level))
            chosen = [order[:k] for k in range(len(order))]
        for levels in chosen:
            yield frozenset(i for i in rows if of_row[i] in levels)

    def _rank(self, of_row: dict[int, float], level: float) -> tuple[Fraction, float]:
        """Share of class 1 in all rows of the level; then the code."""
        weight = ones = Fraction(0)
        for i, here in of_row.items():
            if here == level:
                weight += Fraction(self.weight[i])
                ones += Fraction(self.weight[i]) * int(self.y[i] == 1)
        return ones / weight, level


def problem(table: Mixed, n_classes: int, **options) -> MixedProblem:
    """The decision problem of a table; all its tests are admissible."""
    return MixedProblem(
        table.X,
        table.y,
        table.exact_weight,
        lambda rows, r: (),
        n_levels=table.n_levels,
        n_classes=n_classes,
        exact_tail=1,  # a path may end with a set that only a last test may ask for
        **options,
    )


def _level(cell: float) -> float:
    return math.inf if math.isnan(cell) else cell
