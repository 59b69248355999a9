"""Data that no library can change: integers of a linear congruential generator."""

from __future__ import annotations

import numpy as np


def integers(n: int, below: int, seed: int) -> np.ndarray:
    """``n`` integers in [0, below), by Knuth's MMIX generator."""
    state, out = seed, []
    for _ in range(n):
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        out.append((state >> 33) % below)
    return np.array(out)


def table(n: int, p: int, n_classes: int, levels: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Quarters in [0, levels / 4); the label depends on the first three columns and chance."""
    X = integers(n * p, levels, seed).reshape(n, p)
    noise = integers(n, 4, seed + 1) == 0
    rule = (X[:, 0] * X[:, 1] // levels + (X[:, 2] > levels // 3)) * n_classes // levels
    y = np.where(noise, integers(n, n_classes, seed + 2), rule % n_classes)
    return X / 4.0, y.astype(np.int32)


def weights(n: int) -> np.ndarray:
    """Eighths in (0, 4]."""
    return (1 + integers(n, 32, 99)) / 8.0


TABLES = {
    "two classes": table(400, 5, 2, 97, 1),
    "three classes, many ties": table(300, 4, 3, 9, 2),
    "seven classes": table(250, 6, 7, 200, 3),
}
