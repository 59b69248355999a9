"""Threads, instruction sets, lane widths and the memo's size change no byte of a front."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.variants import front_bytes, variants
from tests.oracle.engine import search
from tests.oracle.examples import examples
from tests.oracle.tables import Table, noisy_tables, tables
from treefront import _core

SPLITS = st.sampled_from(
    [
        [("all",)],
        [("cart", 2, 0, "entropy")],
        [("cart", 0, 5, "gini"), ("cart", 1, 0, "gini")],
        [("top", 4, "gini")],
        [("quantile", 3)],
    ]
)
any_table = st.one_of(
    tables(max_rows=20, max_features=3, max_classes=6),
    noisy_tables(max_rows=90, max_classes=5, weights=("none", "eighths", "reals")),
)
options = st.fixed_dictionaries(
    {
        "depth": st.integers(1, 3),
        "splits": SPLITS,
        "exact_tail": st.integers(0, 2),
        "complexity": st.sampled_from(["tests", "splits"]),
        "min_samples_leaf": st.integers(1, 4),
    }
)


@given(any_table, options)
@examples(25)
def test_same_bytes_in_every_variant(table: Table, options):
    if options["splits"] == [("all",)]:
        options = options | {"depth": min(options["depth"], 2)}
    expected = front_bytes(search(table.X, table.y, table.weight, **options))
    for variant in variants(table.weight is not None):
        found = search(table.X, table.y, table.weight, **options, **variant)
        assert front_bytes(found) == expected, variant


@given(any_table, options, st.sampled_from([0, 1, 1 << 10, 1 << 14]))
@examples(25)
def test_a_memo_that_forgets_changes_nothing(table: Table, options, memo_bytes):
    if options["splits"] == [("all",)]:
        options = options | {"depth": min(options["depth"], 2)}
    expected = front_bytes(search(table.X, table.y, table.weight, **options))
    for n_threads in (1, 2):
        found = search(
            table.X, table.y, table.weight, memo_bytes=memo_bytes, n_threads=n_threads, **options
        )
        assert front_bytes(found) == expected


# Around the widths of 16-bit lanes (2**15 rows) and of 16-bit row numbers (2**16 rows).
@pytest.mark.parametrize("n", [2**15 - 1, 2**15, 2**15 + 1, 2**16 - 1, 2**16, 2**16 + 1, 70_000])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_same_bytes_where_counts_outgrow_16_bits(n, n_classes):
    rng = np.random.default_rng(n)
    X = rng.integers(0, 40, size=(n, 2)).astype(float)
    y = ((X[:, 0] > 7) & (X[:, 1] > 11)) * (n_classes - 1) ^ (rng.random(n) < 0.1)
    options = {"depth": 3, "splits": [("cart", 2, 0, "entropy")], "exact_tail": 2}
    expected = search(X, y, lanes="double", kernel="portable", **options)
    for kernel in _core.kernels():
        for lanes in ("auto", "int32"):
            found = search(X, y, lanes=lanes, kernel=kernel, **options)
            assert front_bytes(found) == front_bytes(expected), (kernel, lanes)


def test_weights_of_one_are_no_weights():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 3, size=300)
    options = {"depth": 3, "splits": [("cart", 3, 0, "gini")], "exact_tail": 2}
    assert front_bytes(search(X, y, [1.0] * 300, **options)) == front_bytes(search(X, y, **options))
