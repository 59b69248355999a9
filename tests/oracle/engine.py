"""The engine under test, called with defaults that suit small data."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tests.oracle.bellman import Generator
from tests.oracle.hull import Point
from treefront import _core

ALL = [("all",)]


def search(X, y, weight=None, *, depth, splits=ALL, **options):
    """``_core.search`` with every other option at a plain default."""
    y = np.ascontiguousarray(y, dtype=np.int32)
    plain = {
        "n_classes": int(y.max()) + 1,
        "exact_tail": 0,
        "complexity": "tests",
        "min_samples_leaf": 1,
        "n_threads": 1,
        "memo_bytes": 1 << 28,
        "time_limit": math.inf,
        "alpha": None,
        "baselines": [],
        "kernel": "auto",
        "lanes": "auto",
        "on_progress": None,
    }
    options = plain | options
    n_classes = options.pop("n_classes")
    if weight is not None:
        weight = np.array([float(w) for w in weight])
    X = np.asarray(X, dtype=np.float64)
    return _core.search(X, y, weight, n_classes, max_depth=depth, splits=splits, **options)


def points(result) -> list[Point]:
    """The front's vertices (C, E), exactly as the engine holds them."""
    pairs = zip(result.complexity.tolist(), result.errors.tolist(), strict=True)
    return [(Fraction(c), Fraction(e)) for c, e in pairs]


def through_python(generator: Generator):
    """The twin's generator as a ``callable`` split spec. It must not look at the depth."""
    return ("callable", lambda rows: list(generator(tuple(sorted(rows.tolist())), None)))


def leaves(tree: dict, X) -> np.ndarray:
    """Node number of the leaf that each row reaches."""
    names = ("feature", "threshold", "left", "right", "missing_left", "level_start", "left_levels")
    links = (tree[name] for name in names)
    return _core.apply(*links, np.asarray(X, dtype=np.float64))


def labels(tree: dict, X) -> np.ndarray:
    """Predicted class of each row: the heaviest class of its leaf, the lowest at a tie."""
    return np.argmax(tree["value"], axis=1)[leaves(tree, X)]
