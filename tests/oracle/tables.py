"""Random small data sets: ties, twice the same row, constant and mirrored columns, weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from tests.oracle.bellman import Generator, Problem


@dataclass(frozen=True, eq=False)
class Table:
    X: np.ndarray
    y: np.ndarray
    weight: list | None  # None: every row weighs 1

    def __repr__(self) -> str:
        return f"Table(X={self.X.tolist()}, y={self.y.tolist()}, weight={self.weight})"

    @property
    def exact_weight(self) -> list:
        return [1] * len(self.y) if self.weight is None else self.weight

    def problem(self, generator: Generator, **options) -> Problem:
        return Problem(self.X, self.y, self.exact_weight, generator, **options)


WEIGHTS = {
    "none": st.none(),
    "integers": st.integers(1, 4),
    "eighths": st.integers(1, 40).map(lambda k: Fraction(k, 8)),  # sums are exact in float64
    "reals": st.floats(0.01, 10.0).map(Fraction),
}


@st.composite
def tables(
    draw,
    max_rows: int = 9,
    max_features: int = 2,
    max_classes: int = 4,
    weights: tuple[str, ...] = ("none", "integers", "eighths"),
    levels: int = 5,
) -> Table:
    n = draw(st.integers(1, max_rows))
    p = draw(st.integers(1, max_features))
    columns = [draw(column(n, levels))]
    while len(columns) < p:
        other = draw(st.sampled_from(["new", "mirrored", "copied", "constant"]))
        columns.append(
            draw(column(n, levels))
            if other == "new"
            else {"mirrored": -columns[-1], "copied": columns[-1], "constant": np.full(n, 0.5)}[
                other
            ]
        )
    X = np.column_stack(columns)
    classes = draw(st.sets(st.integers(0, max_classes - 1), min_size=1))  # some may be missing
    y = np.array(draw(st.lists(st.sampled_from(sorted(classes)), min_size=n, max_size=n)))
    if draw(st.booleans()):  # the same row again, perhaps with another label
        source = np.array(draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
        X = X[source]
    kind = draw(st.sampled_from(weights))
    weight = None if kind == "none" else [draw(WEIGHTS[kind]) for _ in range(n)]
    return Table(X, y, weight)


@st.composite
def column(draw, n: int, levels: int) -> np.ndarray:
    """Few distinct values, so that ties are the rule; thirds are no round binary numbers."""
    ranks = np.array(draw(st.lists(st.integers(0, levels), min_size=n, max_size=n)), dtype=float)
    kind = draw(st.sampled_from(["integers", "thirds", "signed", "close"]))
    if kind == "signed":
        return np.array([-2.0, -1.0, -0.0, 0.0, 1.0])[ranks.astype(int) % 5]
    if kind == "close":  # neighbours differ in the last digits
        return 1 + 1e-12 * ranks
    return ranks / 3 if kind == "thirds" else ranks


@st.composite
def with_optimum_at_an_end(draw, given: st.SearchStrategy[Table]) -> Table:
    """Labels that the first or the last boundary of one feature tells apart, but for one row."""
    table = draw(given)
    values = table.X[:, draw(st.integers(0, table.X.shape[1] - 1))]
    levels = np.unique(values)
    y = (values > levels[0 if draw(st.booleans()) else max(len(levels) - 2, 0)]).astype(int)
    if draw(st.booleans()):
        y[draw(st.integers(0, len(y) - 1))] = 2
    return Table(table.X, y, table.weight)


@st.composite
def noisy_tables(
    draw,
    min_rows: int = 40,
    max_rows: int = 120,
    max_features: int = 4,
    max_classes: int = 3,
    weights: tuple[str, ...] = ("none", "integers"),
) -> Table:
    """Larger tables of continuous values in float32 and noisy labels, where CART rarely ties."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(min_rows, max_rows))
    p = draw(st.integers(1, max_features))
    k = draw(st.integers(2, max_classes))
    X = rng.normal(size=(n, p)).astype(np.float32).astype(np.float64)
    signal = X @ rng.normal(size=(p, k)) + np.sin(3 * X) @ rng.normal(size=(p, k))
    y = np.argmax(signal + rng.gumbel(size=(n, k)), axis=1)
    kind = draw(st.sampled_from(weights))
    weight = None
    if kind == "integers":
        weight = [int(w) for w in rng.integers(1, 5, size=n)]
    elif kind == "eighths":
        weight = [Fraction(int(w), 8) for w in rng.integers(1, 41, size=n)]
    elif kind == "reals":
        weight = [Fraction(float(w)) for w in rng.uniform(0.01, 10.0, size=n)]
    return Table(X, y, weight)
