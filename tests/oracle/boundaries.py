"""Where a test may cut a set of values."""

from __future__ import annotations

import numpy as np


def midpoints(values: np.ndarray) -> list[float]:
    """Midway between neighbours; the lower one where float64 has nothing in between."""
    levels = np.unique(values)
    middle = levels[:-1] / 2 + levels[1:] / 2
    return [
        float(m if lo <= m < hi else lo)
        for lo, m, hi in zip(levels[:-1], middle, levels[1:], strict=True)
    ]
