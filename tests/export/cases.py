"""Fitted trees of every kind, and rows that show where an export could differ from `predict`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from typing import Any

import numpy as np
import pytest

from treefront import DPDTClassifier, DPDTRegressor, Tree
from treefront.times import DAY, UTC

N = 240
STRANGE = (
    'a "quoted" name',
    "it's",
    "<b>&amp;</b>",
    "</script><script>alert(1)</script>",
    "back\\slash\\n \\",
    "two\nlines\r\n\tand more",
    "select",
    "",
    "年龄（岁）",
    "🌳 tree 🌲",
    "a]b[c]{d}(e)|f;g`h`%%$#@!^~_?:,=*/ /* -- // ??/",
    "end",
)


@dataclass(frozen=True)
class Case:
    """A tree, and rows as cells: float, text, bool or time; None where a value is missing."""

    tree: Tree
    rows: list[list[Any]]
    codes: np.ndarray  # the same rows as the core reads them

    @property
    def names(self) -> list[str]:
        return list(self.tree.feature_names or (f"x{i}" for i in range(self.tree.n_features)))


def case(tree: Tree, n_rows: int | None = None) -> Case:
    """Rows at, just under and just over every threshold, and with every kind of cell."""
    random = np.random.default_rng(0)
    columns = [_codes_of(tree, column) for column in range(tree.n_features)]
    n = n_rows or max(400, 2 * max(len(column) for column in columns))
    codes = np.column_stack([_filled(random, column, n) for column in columns])
    rows = [
        [_cell(tree, column, code) for column, code in enumerate(row)] for row in codes.tolist()
    ]
    return Case(tree, rows, codes)


def expected(case: Case) -> np.ndarray:
    """`predict`; it refuses infinity, which is a number beyond all others."""
    largest = np.finfo(float).max
    return case.tree.predictions(np.clip(case.codes, -largest, largest))


def expected_shares(case: Case) -> np.ndarray:
    largest = np.finfo(float).max
    return case.tree.shares[case.tree.leaves(np.clip(case.codes, -largest, largest))]


def _codes_of(tree: Tree, column: int) -> list[float]:
    known = tree.categories[column]
    if known is not None:
        return [*map(float, range(len(known))), -1.0, np.nan]
    thresholds = tree.threshold[(tree.feature == column) & np.isfinite(tree.threshold)]
    if tree.times[column] is not None:  # no two times are closer than a microsecond
        near = [t + step for t in np.floor(thresholds).tolist() for step in (-1.0, 0.0, 1.0)]
        return [*near, 0.0, -1.0, DAY * 365.0 * 80, -DAY * 365.0 * 200, np.nan]
    around = [
        value
        for t in thresholds.tolist()
        for value in (t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf))
    ]
    return [*around, 0.0, -0.0, 1e300, -1e300, 5e-324, np.inf, -np.inf, np.nan]


def _filled(random: np.random.Generator, values: list[float], n: int) -> np.ndarray:
    """Every value as often as the others, in any order; of too many, some."""
    return np.resize(random.permutation(np.array(values)), n)[random.permutation(n)]


def _cell(tree: Tree, column: int, code: float) -> Any:
    known = tree.categories[column]
    if code != code:
        return None
    if known is None:
        kind = tree.times[column]
        return code if kind is None else _point(code, kind)
    if code >= 0:
        return known[int(code)]
    return "never seen" if isinstance(known[0], str) else 987654.5


def _point(microseconds: float, kind: str) -> datetime:
    zone = timezone.utc if kind == UTC else None
    return datetime(1970, 1, 1, tzinfo=zone) + timedelta(microseconds=microseconds)


# ---- the trees ----


@cache
def numbers() -> Tree:
    """Three classes, plain numbers of all sizes."""
    random = np.random.default_rng(1)
    X = np.column_stack(
        [random.normal(size=N), random.normal(size=N) * 1e-12, random.normal(size=N) * 1e15]
    )
    y = (X[:, 0] > 0.1).astype(int) + ((X[:, 1] > 0) ^ (X[:, 2] < 0))
    return DPDTClassifier(max_depth=4).fit(X, y).tree_


@cache
def missing() -> Tree:
    """Missing values that say something, on both sides, and tests "is missing"."""
    random = np.random.default_rng(2)
    X = random.normal(size=(N, 3)).round(1)
    X[random.random(X.shape) < 0.25] = np.nan
    y = np.isnan(X[:, 0]) ^ (X[:, 1] > 0.3) ^ (np.isnan(X[:, 2]) | (X[:, 2] < -0.5))
    tree = DPDTClassifier(max_depth=4).fit(X, y).tree_
    assert np.isinf(tree.threshold).any()
    assert tree.missing_left.any()
    return tree


@cache
def kinds() -> Tree:
    """Categories of text, numbers and bools beside numbers, with strange names everywhere."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            STRANGE[0]: random.normal(size=N),
            STRANGE[5]: random.choice(STRANGE, N),
            STRANGE[6]: random.choice([3.5, 4.0, -7.0, 12.0], N),
            STRANGE[9]: random.random(N) < 0.5,
            STRANGE[3]: random.normal(size=N).round(2),
        }
    )
    X.loc[random.random(N) < 0.2, STRANGE[0]] = np.nan
    X.loc[random.random(N) < 0.2, STRANGE[5]] = None
    X.loc[random.random(N) < 0.2, STRANGE[6]] = np.nan
    y = np.array(STRANGE)[
        2 * X[STRANGE[5]].isin(STRANGE[:6]).to_numpy()
        + 4 * X[STRANGE[6]].isin([3.5, 12.0]).to_numpy()
        + (X[STRANGE[9]].to_numpy() & (X[STRANGE[3]] > 0).to_numpy())
    ]
    chosen = [STRANGE[5], STRANGE[6], STRANGE[9]]
    tree = DPDTClassifier(max_depth=5, categorical_features=chosen).fit(X, y).tree_
    assert sum(known is not None for known in tree.categories) == 3
    assert {int(f) for f in tree.feature if f >= 0} >= {1, 2, 3}
    return tree


@cache
def strange() -> Tree:
    """Every strange name names a column and a class."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(4)
    X = pd.DataFrame(random.normal(size=(N, len(STRANGE))), columns=list(STRANGE))
    y = np.array(STRANGE)[X.to_numpy().argmax(axis=1)]
    return DPDTClassifier(max_depth=5, splits="auto").fit(X, y).tree_


@cache
def costs() -> Tree:
    """The prediction is the cheapest class, not the most frequent one."""
    random = np.random.default_rng(5)
    X = random.normal(size=(N, 2))
    y = np.where(X.sum(axis=1) + random.normal(size=N) > 1, 2.0, -1.0)
    tree = DPDTClassifier(max_depth=3, cost_matrix=[[0, 1], [9, 0]]).fit(X, y).tree_
    assert (tree.decision != tree.value.argmax(axis=1)).any()
    return tree


@cache
def regression() -> Tree:
    random = np.random.default_rng(6)
    X = random.normal(size=(N, 2))
    X[random.random(X.shape) < 0.1] = np.nan
    return DPDTRegressor(max_depth=3).fit(X, np.nan_to_num(X[:, 0]) ** 3 / 7).tree_


@cache
def targets() -> Tree:
    random = np.random.default_rng(7)
    X = random.normal(size=(N, 2))
    return DPDTRegressor(max_depth=3).fit(X, np.column_stack([X[:, 0] / 3, X[:, 1] ** 2])).tree_


@cache
def dates() -> Tree:
    """Days, times to the microsecond, and times with a zone; two of them with missing values."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(8)
    start = np.datetime64("2024-03-01T11:59:58", "us")
    X = pd.DataFrame(
        {
            "the day": (start + random.integers(0, 900, N) * np.timedelta64(1, "D")).astype(
                "datetime64[D]"
            ),
            "when": start + random.integers(0, 5_000_000, N) * np.timedelta64(1, "us"),
            "at": pd.to_datetime(
                start + random.integers(0, 40_000, N) * np.timedelta64(1, "m"), utc=True
            ),
        }
    )
    y = (
        (X["the day"] > "2025-01-01").astype(int)
        + 2 * (X["when"] > "2024-03-01 12:00:01.234567").astype(int)
        + (X["at"] > "2024-03-10 07:30+00:00").astype(int)
    )
    X.loc[random.random(N) < 0.1, "when"] = None
    X.loc[random.random(N) < 0.1, "at"] = None
    tree = DPDTClassifier(max_depth=4).fit(X, y).tree_
    assert tree.times == ("naive", "naive", "UTC")
    assert {int(f) for f in tree.feature} == {-1, 0, 1, 2}
    return tree


@cache
def strange_dates() -> Tree:
    """Every strange name names a column of times."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(9)
    seconds = random.integers(0, 10**9, (N, len(STRANGE)))
    X = pd.DataFrame(seconds.astype("datetime64[s]"), columns=list(STRANGE))
    X.iloc[::9, ::2] = pd.NaT
    return DPDTClassifier(max_depth=5).fit(X, seconds.argmax(axis=1) % 7).tree_


@cache
def leaf() -> Tree:
    return DPDTClassifier(max_depth=1).fit([[0.0], [1.0]], [True, True]).tree_


def deep(n_tests: int, *, to_left: bool = False) -> Tree:
    """A chain of tests of one column, as deep as it has tests; leaves predict 0 or 1 in turn."""
    n_nodes = 2 * n_tests + 1
    nodes: dict[str, list[Any]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "value", "n_rows")
    }
    # Preorder of a chain to the right: test, leaf, test, leaf, ..., leaf. To the left: all tests
    # first, then the leaves from the deepest on.
    for i in range(n_nodes):
        is_test = i < n_tests if to_left else i % 2 == 0 and i < n_nodes - 1
        depth = (i if i < n_tests else n_nodes - 1 - i) if to_left else i // 2
        nodes["feature"].append(0 if is_test else -1)
        nodes["threshold"].append((-1.0 if to_left else 1.0) * depth if is_test else np.nan)
        nodes["left"].append(i + 1 if is_test else -1)
        right = (n_nodes - 1 - i) if to_left else i + 2
        nodes["right"].append(right if is_test else -1)
        below = n_tests - depth + 1 if is_test else 1
        nodes["n_rows"].append(below)
        nodes["value"].append([below - 1.0, 1.0] if is_test else [i % 2, 1 - i % 2])
    return Tree.from_nodes(nodes, np.array(["even", "odd"]), 1, ("x",))


ALL = {
    maker.__name__: maker
    for maker in (
        numbers,
        missing,
        kinds,
        strange,
        costs,
        regression,
        targets,
        dates,
        strange_dates,
        leaf,
    )
}
