"""Rows from a process of its own, with limits of time and memory: what it said before is kept."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.paper.log import Row
from benchmarks.process import ONE_THREAD, START_UP

MARK = "ROW "
ROOT = Path(__file__).resolve().parents[2]


def rows(
    function: str, arguments: dict[str, Any], *, limit: float, memory_mb: int | None = None
) -> tuple[list[Row], str]:
    """What ``module:function`` yields, and how it ended: "ok", "time_limit", "out of memory"."""
    task = {"function": function, "arguments": arguments, "memory_mb": memory_mb}
    command = [sys.executable, "-m", "benchmarks.paper.isolated", json.dumps(task)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | ONE_THREAD,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        ended = "ok"
        try:
            out, complaint = child.communicate(timeout=START_UP + limit)
        except subprocess.TimeoutExpired:
            child.kill()
            out, complaint = child.communicate()
            ended = "time_limit"
    found = [
        json.loads(line.removeprefix(MARK)) for line in out.splitlines() if line.startswith(MARK)
    ]
    if ended == "ok" and child.returncode != 0:
        memory = any(word in complaint for word in ("MemoryError", "bad_alloc", "allocate memory"))
        last = (complaint.strip().splitlines() or ["no message"])[-1]
        killed = child.returncode == -9  # by the system, for want of memory
        ended = "out of memory" if memory or killed else f"failed: {last}"
    return found, ended


def run(function: str, arguments: dict[str, Any], memory_mb: int | None) -> Iterable[Row]:
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * 2**20,) * 2)
    module, name = function.split(":")
    found: Iterable[Row] = getattr(importlib.import_module(module), name)(**arguments)
    return found


if __name__ == "__main__":
    for row in run(**json.loads(sys.argv[1])):
        print(MARK + json.dumps(row), flush=True)
