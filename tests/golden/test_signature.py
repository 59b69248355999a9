"""The signature: states searched on a fixed bench. It moves only when the search does."""

from __future__ import annotations

from tests.golden.frozen import TABLES
from tests.golden.test_front import SEARCHES
from tests.oracle.engine import search


def test_signature(golden):
    states = {}
    for data, (X, y) in TABLES.items():
        for name, options in SEARCHES.items():
            states[f"{data}: {name}"] = search(X, y, **options).n_states
    signature = sum(states.values())
    print(f"Signature: {signature}")
    golden("signature", "states", states)
    golden("signature", "signature", signature)
