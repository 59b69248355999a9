"""The rule behind ``splits="auto"`` and ``exact_tail="auto"``, and the start of ``splits="all"``.

The work of a search is predicted from the shape of the data and the depth, never from a clock, so
the same data give the same trees on every machine. Every level starts with the one test CART
would make; then the levels above the exact tail are widened, from the root down and round again,
rung by rung of `LADDER`, as long as the predicted work stays within the budget: a constant and a
share for every cell of X. The tail has two levels unless even the narrowest such search is
predicted to cost more.

Predicted work, in visits of a cell of X, with ``m = n / 2**d`` rows in a state at depth d and
``b_d`` tests there:

- rows seen at depth d: ``R_d = n * b_0 * ... * b_(d-1)`` (the two sides of a test share the rows
  of the state), each with all p features;
- any state: a fixed cost, which counts where states are small; there are ``2**d b_0 ... b_(d-1)``;
- a state above the tail: a partition, and the passes of the CART that proposes its tests;
- a tail of one level: a pass for its tests;
- a tail of two levels: ``TAIL * (1 + v / TAIL_VALUES)`` visits of each cell, twice that with more
  than two classes, where v is the smaller of m and the number of different values per feature.
  Measured: the tests that bounds cannot exclude grow with the number there are.

States reached in several ways are solved once, so a search mostly takes a third of its prediction.

Where no batch of tests shares a pass (medians, signs of features with numbers to predict, least
weights of leaves), a visit costs more, and the tail has one level.

A proof of optimality starts from such a search with a part of the budget: a small one, since a
proof that ends needs little more than a good tree to measure bounds against; but a quarter of the
time limit where the proof is not expected to end within it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treefront.splits import (
    AllSplits,
    CartSplits,
    Generator,
    QuantileSplits,
    TopSplits,
    sequence,
)
from treefront.targets import Classes, Numbers

BUDGET = 1e9  # visits; measured 0.3 to 1 nanoseconds each
BUDGET_PER_CELL = 600.0  # who fits more data expects to wait longer
TAIL = 30.0
TAIL_VALUES = 10_000.0
STATE = 80_000.0  # what a small state costs beyond its cells
SECONDS_PER_VISIT = 0.5e-9
# Of searches that look at the children of a batch one by one, in visits of a cell; rough. A scan
# by medians was measured at 30 nanoseconds a cell. On 10,000 x 20, with the same tests to depth 3,
# fits by absolute error took 2.6 times and signed ones 1.9 times as long as by squared error.
VISIT_OF_A_MEDIAN = 40.0
VISIT_ONE_BY_ONE = 15.0
PASSES_OF_AN_OUTLOOK = 2.0  # what deciding on the last level's tests costs without an exact tail
TESTS_OF_A_CALLABLE = 31.0  # unknown before it runs

# A proof: measured at depths 3 and 4, on data whose labels are noisy. Others take far less.
SHARE_OF_A_START = 0.02
LARGEST_SHARE_OF_A_START = 20.0
PART_OF_THE_TIME_LIMIT = 0.25
SECONDS_AT_DEPTH_3 = 0.03  # with CELLS_AT_DEPTH_3 cells of X
CELLS_AT_DEPTH_3 = 5040.0
GROWTH_AT_DEPTH_3 = 1.3
CELLS_PER_FACTOR_OF_A_LEVEL = 150.0

# Leaves of the CART and its impurity. Best-first growth follows the rows where the errors are,
# so it proposes better tests than a CART of full depth with as many.
LADDER = (
    (2, "entropy"),
    (3, "entropy"),
    (4, "entropy"),
    (6, "entropy"),
    (8, "entropy"),
    (8, "both"),
    (12, "both"),
    (16, "both"),
    (24, "both"),
    (32, "both"),
    (48, "both"),
    (64, "both"),
)
SHARED = 0.7  # of the tests of the two impurities' trees, the part that is different


@dataclass(frozen=True)
class Shape:
    """What the prediction may look at."""

    n_rows: int
    n_features: int
    n_classes: int
    max_depth: int
    n_values: float = math.inf  # different values per feature, on average
    share: float = 1.0  # of the budget
    visit_cost: float = 1.0  # of a cell; above 1, no batch of tests shares a pass

    @property
    def budget(self) -> float:
        """Cell visits that a search may be predicted to take."""
        return self.share * (BUDGET + BUDGET_PER_CELL * self.n_cells)

    @property
    def n_cells(self) -> float:
        """Cells of X."""
        return float(self.n_rows) * self.n_features


def visit_cost(target: Classes | Numbers, *, keeps_bounds: bool, limits_weight: bool) -> float:
    """Of a cell of X, in visits of the passes that look at a batch of tests at once."""
    if isinstance(target, Numbers) and target.absolute:
        return VISIT_OF_A_MEDIAN
    return VISIT_ONE_BY_ONE if keeps_bounds or limits_weight else 1.0


def n_values(X: NDArray[np.float64]) -> float:
    """Mean number of different values per feature of X, shape (n_rows, n_features)."""
    # NaN, which differs from itself, comes last.
    ordered = (np.sort(column) for column in X.T)
    changes = [np.count_nonzero(column[1:] > column[:-1]) for column in ordered]
    return 1.0 + float(np.mean(changes))


def resolve(splits: object, exact_tail: str | int, shape: Shape) -> tuple[list[Generator], int]:
    """Generators per depth and exact tail for the parameters `splits` and `exact_tail`.

    Parameters
    ----------
    splits : "auto" or anything `treefront.splits.sequence` accepts
    exact_tail : "auto", 0, 1 or 2
        What is not ``"auto"`` is kept as it is.
    shape : Shape
        Of the problem; its `share` says how much of the budget may be used.

    Returns
    -------
    generators : list
        One per depth; the last one serves all deeper levels.
    exact_tail : int
        Number of last levels solved over all tests.
    """
    given = None if isinstance(splits, str) and splits == "auto" else sequence(splits)
    narrowest = given or [_rung(0)]
    if exact_tail == "auto":
        one_pass = shape.visit_cost == 1
        tail = 2 if one_pass and predicted_work(narrowest, 2, shape) <= shape.budget else 1
    else:
        tail = int(exact_tail)
    return given or _widest(tail, shape), tail


def _widest(tail: int, shape: Shape) -> list[Generator]:
    """The widest plan within the budget; its last generator serves greedily chosen levels."""
    n_levels = max(min(shape.max_depth - tail, math.ceil(math.log2(shape.n_rows + 1))), 1)
    rungs = [0] * n_levels

    def plan() -> list[Generator]:
        searched = 1 + max((d for d in range(n_levels) if rungs[d]), default=0)
        below = [] if searched >= shape.max_depth - tail else [0]
        return [_rung(r) for r in rungs[:searched] + below]

    for rung in range(1, len(LADDER)):
        for depth in range(n_levels):
            rungs[depth] = rung
            if predicted_work(plan(), tail, shape) > shape.budget:
                rungs[depth] = rung - 1
                return plan()
    return plan()


def _rung(index: int) -> Generator:
    leaves, criterion = LADDER[index]
    return CartSplits(max_leaves=leaves, criterion=criterion)


def predicted_work(generators: Sequence[Generator], exact_tail: int, shape: Shape) -> float:
    """Cell visits of a search, by the formula in the module's docstring."""
    n_cells = shape.n_cells * shape.visit_cost  # seen at the depth at hand
    n_states = 1.0
    work = 0.0
    for depth in range(shape.max_depth):
        n_rows = shape.n_rows / 2.0**depth
        if n_rows < 2 or work > shape.budget:
            break  # nothing left to divide, or too much already
        remaining = shape.max_depth - depth
        work += n_states * STATE
        if remaining <= exact_tail:
            if remaining < 2:
                return work + n_cells
            growth = 1 + min(n_rows, shape.n_values) / TAIL_VALUES
            return work + n_cells * TAIL * growth * (1 if shape.n_classes <= 2 else 2)
        generator = generators[min(depth, len(generators) - 1)]
        passes = 1.0 + _passes(generator)
        if remaining == exact_tail + 1 == 2:
            passes += PASSES_OF_AN_OUTLOOK
        work += n_cells * passes
        n_tests = _n_tests(generator, n_rows, shape.n_features)
        n_cells *= n_tests
        n_states *= 2 * n_tests
    return work


def predicted_seconds(generators: Sequence[Generator], exact_tail: int, shape: Shape) -> float:
    """Time that one thread needs for a search, at most; more for work beyond the budget."""
    return predicted_work(generators, exact_tail, shape) * SECONDS_PER_VISIT


def predicted_exact_seconds(shape: Shape) -> float:
    """Time that one thread needs to prove the best tree, on noisy labels; never above e**700."""
    levels = min(shape.max_depth, shape.n_rows) - 3  # beyond depth 3
    at_depth_3 = GROWTH_AT_DEPTH_3 * math.log(max(shape.n_cells, 1.0) / CELLS_AT_DEPTH_3)
    per_level = max(math.log(max(shape.n_cells, 1.0) / CELLS_PER_FACTOR_OF_A_LEVEL), 0.0)
    return (
        shape.visit_cost
        * SECONDS_AT_DEPTH_3
        * math.exp(min(at_depth_3 + levels * per_level, 700.0))
    )


def share_of_a_start(shape: Shape, time_limit: float) -> float:
    """Part of the budget for the search that a proof starts from; `time_limit` in seconds."""
    if predicted_exact_seconds(shape) <= time_limit:
        return SHARE_OF_A_START
    whole = shape.budget * SECONDS_PER_VISIT
    return min(PART_OF_THE_TIME_LIMIT * time_limit / whole, LARGEST_SHARE_OF_A_START)


def _passes(generator: Generator) -> float:
    """Passes over the sorted rows of a state that finding its tests takes."""
    if not isinstance(generator, CartSplits):
        return 1.0
    levels = float(generator.depth or (generator.max_leaves or 2).bit_length())
    return 2 * levels * (2 if generator.criterion == "both" else 1)


def _n_tests(generator: Generator, n_rows: float, n_features: int) -> float:
    """Most tests that the generator has for one state."""
    possible = max(n_rows - 1, 1.0)
    match generator:
        case CartSplits():
            by_depth = 2.0**generator.depth - 1 if generator.depth else possible
            by_leaves = float(generator.max_leaves - 1) if generator.max_leaves else possible
            trees = 2 * SHARED if generator.criterion == "both" else 1.0
            return max(min(by_depth, by_leaves, possible) * trees, 1.0)
        case TopSplits():
            return min(float(generator.n_tests), possible * n_features)
        case QuantileSplits():
            return min(float(generator.n_quantiles), possible) * n_features
        case AllSplits():
            return possible * n_features
        case _:
            return TESTS_OF_A_CALLABLE
