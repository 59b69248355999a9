"""The front on frozen data is the same bytes everywhere, today and tomorrow."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.golden.frozen import TABLES, weights
from tests.laws.variants import front_bytes, variants
from tests.oracle.engine import search

SEARCHES = {
    "cart depth 3, tail 0": {"depth": 3, "splits": [("cart", 3, 0, "entropy")]},
    "cart depth 3, tail 1": {"depth": 3, "splits": [("cart", 3, 0, "entropy")], "exact_tail": 1},
    "cart depth 3, tail 2": {"depth": 3, "splits": [("cart", 3, 0, "entropy")], "exact_tail": 2},
    "16 leaves, depth 4": {"depth": 4, "splits": [("cart", 0, 16, "gini"), ("cart", 0, 4, "gini")]},
    "all, depth 2, leaves of 5": {"depth": 2, "min_samples_leaf": 5},
    "top 4, splits": {
        "depth": 3,
        "splits": [("top", 4, "entropy")],
        "complexity": "splits",
        "exact_tail": 1,
    },
    "quantiles": {"depth": 3, "splits": [("quantile", 5)], "exact_tail": 1},
}


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("data", TABLES)
@pytest.mark.parametrize("weighted", [False, True], ids=["counts", "weights"])
def test_same_bytes_with_any_threads_kernel_and_lanes(data, name, weighted, golden):
    X, y = TABLES[data]
    weight = weights(len(y)) if weighted else None
    for variant in variants(weighted):
        result = search(X, y, weight, **SEARCHES[name], **variant)
        summary = {
            "complexity": result.complexity.tolist(),
            "errors": result.errors.tolist(),
            "sha256": sha256(front_bytes(result)).hexdigest(),
        }
        golden("front", f"{data}, {'weights' if weighted else 'counts'}: {name}", summary)
