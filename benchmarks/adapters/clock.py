"""Processor and wall-clock seconds of a block."""

from __future__ import annotations

from time import perf_counter, process_time


class Clock:
    """``with Clock() as clock: ...`` and then ``clock.seconds`` and ``clock.wall_seconds``.

    ``seconds`` are of the processor, over all threads: for a fit in one thread that does not wait
    they are what the wall clock shows on an idle machine, and they stay so on a busy one.
    """

    def __enter__(self) -> Clock:
        self._start = process_time(), perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        processor, wall = self._start
        self.seconds = process_time() - processor
        self.wall_seconds = perf_counter() - wall
