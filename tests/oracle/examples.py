"""How many random examples the property tests try."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def examples(n: int) -> settings:
    """The same ``n`` examples every time; in the long profile twenty times as many, at random."""
    return settings(
        max_examples=20 * n if LONG else n,
        derandomize=not LONG,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
