"""The only door to the compiled core.

``TREEFRONT_KERNEL`` and ``TREEFRONT_LANES`` force one variant of the kernels. Every variant returns
the same trees; the variables exist so that tests can show it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

import treefront._core as _core

Floats = NDArray[np.float64]
SplitSpec = tuple[Any, ...]
# (share done, states solved, value in hand, lower bound); the last two raw, NaN before a proof
OnProgress = Callable[[float, int, float, float], None]


class SearchResult(Protocol):
    """What a search returns; the arrays hold one entry per vertex, smallest tree first."""

    @property
    def status(self) -> str:
        """How it ended.

        ``"complete"``, ``"optimal"`` (what was to be proved was), ``"time_limit"`` or
        ``"interrupted"``.
        """

    @property
    def n_states(self) -> int:
        """Number of states solved."""

    @property
    def complexity(self) -> Floats:
        """Raw complexity C: weighted tests made, or number of splits."""

    @property
    def errors(self) -> Floats:
        """Raw loss E: weight of the misclassified rows."""

    @property
    def lower_bound(self) -> float:
        """No tree has less ``E + prove_alpha * C``; 0 where nothing was proved."""

    @property
    def proved(self) -> Sequence[bool]:
        """Which vertices no tree of the depth beats at one of their prices."""

    def tree(self, index: int, /) -> dict[str, NDArray[Any]]:
        """Node arrays of one vertex, in preorder."""


class Target(Protocol):
    """What is to be predicted."""

    def for_core(self) -> dict[str, Any]:
        """Arguments of the core's search: ``y``, ``n_classes`` and those that are not usual."""


def search(
    X: Floats,
    target: Target,
    sample_weight: Floats | None,
    *,
    max_depth: int,
    splits: Sequence[SplitSpec],
    exact_tail: int,
    complexity: str,
    min_samples_leaf: int,
    min_weight_leaf: float,
    n_threads: int,
    memo_bytes: int,
    time_limit: float,
    baselines: Sequence[str],
    prove: str,
    prove_alpha: float,
    every_size: bool,
    keep_on_interrupt: bool,
    n_levels: Sequence[int],
    feature_costs: Sequence[float],
    feature_groups: Sequence[int],
    signs: Sequence[int],
    on_progress: OnProgress | None,
) -> SearchResult:
    """Search the whole front. Arrays are validated by the caller, once.

    `baselines` names criteria of greedy trees whose prunings join the front. `prove` is
    ``"nothing"``, ``"tree"`` (the best one at `prove_alpha`, a price of raw complexity) or
    ``"front"``; whatever is better than the trees found replaces them. With `every_size`, for
    complexity "splits", the vertices are the best trees of every size, not of the hull alone.
    `feature_costs` are empty (all 1) or one per column; with `feature_groups`, the group of every
    column, the first test of a group pays for all on its path. `n_levels` says of every column
    how many categories it has, 0 for numbers. `signs` are empty or say of every column whether
    predictions must rise (1) or fall (-1) with it.
    """
    result = _core.search(
        X=X,
        sample_weight=sample_weight,
        **target.for_core(),
        max_depth=max_depth,
        splits=list(splits),
        exact_tail=exact_tail,
        complexity=complexity,
        min_samples_leaf=min_samples_leaf,
        min_weight_leaf=min_weight_leaf,
        n_threads=n_threads,
        memo_bytes=memo_bytes,
        time_limit=time_limit,
        alpha=None,
        baselines=list(baselines),
        prove=prove,
        prove_alpha=prove_alpha,
        every_size=every_size,
        keep_on_interrupt=keep_on_interrupt,
        n_levels=list(n_levels) if any(n_levels) else [],
        feature_costs=list(feature_costs),
        feature_groups=list(feature_groups),
        signs=list(signs),
        kernel=os.environ.get("TREEFRONT_KERNEL", "auto"),
        lanes=os.environ.get("TREEFRONT_LANES", "auto"),
        on_progress=on_progress,
    )
    return cast("SearchResult", result)


class Nodes(Protocol):
    """The arrays of a tree that rows are led by; see `treefront.Tree`."""

    @property
    def feature(self) -> NDArray[np.int32]:
        """Column tested, -1 at leaves."""

    @property
    def threshold(self) -> Floats:
        """Threshold of the test, NaN where categories are tested."""

    @property
    def left(self) -> NDArray[np.int32]:
        """Left child."""

    @property
    def right(self) -> NDArray[np.int32]:
        """Right child."""

    @property
    def missing_left(self) -> NDArray[np.bool_]:
        """Whether a row without a value goes left."""

    @property
    def level_start(self) -> NDArray[np.int64]:
        """Where the levels of every node begin."""

    @property
    def left_levels(self) -> NDArray[np.int32]:
        """Levels that go left."""


def apply(nodes: Nodes, X: Floats) -> NDArray[np.int32]:
    """Leaf that every row of X ends in."""
    leaves = _core.apply(
        nodes.feature,
        nodes.threshold,
        nodes.left,
        nodes.right,
        nodes.missing_left.view(np.uint8),
        nodes.level_start,
        nodes.left_levels,
        X,
    )
    return cast("NDArray[np.int32]", leaves)
