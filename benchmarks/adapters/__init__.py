"""One module per library: ``prepare()`` imports it, ``fit(X, y, **options)`` times it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.adapters.clock import Clock


@dataclass(frozen=True)
class Fit:
    clock: Clock  # stopped when the model was ready
    predicted: np.ndarray  # labels, or numbers, of the training rows
    facts: dict[str, Any] = field(default_factory=dict)
