"""Every way the engine can do the same work, and all bytes of a result."""

from __future__ import annotations

from itertools import product

from treefront import _core

THREADS = (1, 2, 4)


def variants(weighted: bool) -> list[dict]:
    """Options that may change the time a search takes, and nothing else."""
    lanes = ("auto", "double") if weighted else ("auto", "int16", "int32", "double")
    return [
        {"n_threads": n_threads, "kernel": kernel, "lanes": lane}
        for n_threads, kernel, lane in product(THREADS, _core.kernels(), lanes)
    ]


def front_bytes(result) -> bytes:
    """Complexities, errors and every array of every tree (of tests of complete numbers)."""
    arrays = ("feature", "left", "n_rows", "right", "threshold", "value")
    parts = [result.complexity.tobytes(), result.errors.tobytes()]
    for i in range(len(result.errors)):
        parts += [result.tree(i)[name].tobytes() for name in arrays]
    return b"".join(parts)
