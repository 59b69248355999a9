"""One fit in a process of its own: pinned to one core, one thread, killed past a limit."""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import warnings
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import problems

SHORT = 5.0  # seconds: fits below are repeated, and the median counts
START_UP = 20.0  # seconds for imports, loading and predicting, on top of the limit of the fit
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MARK = "RESULT "


def measure(
    adapter: str,
    problem: dict[str, Any],
    options: dict[str, Any],
    *,
    limit: float,
    repeats: int = 3,
) -> dict[str, Any]:
    """Fit ``adapter`` on ``problem``: status, median seconds, accuracy or error, memory, facts."""
    task = {"adapter": adapter, "problem": problem, "options": options}
    runs = [_run(task, limit)]
    while runs[-1]["status"] == "ok" and runs[-1]["seconds"] < SHORT and len(runs) < repeats:
        runs.append(_run(task, limit))
    if all(run["status"] == "ok" for run in runs):
        seconds = statistics.median(run["seconds"] for run in runs)
        return runs[-1] | {"seconds": seconds, "runs": len(runs), "date": str(date.today())}
    return runs[-1] | {"runs": len(runs), "date": str(date.today())}


def _run(task: dict[str, Any], limit: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.process", json.dumps(task)]
    root = Path(__file__).resolve().parents[1]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            check=False,
            env=os.environ | ONE_THREAD,
            capture_output=True,
            text=True,
            timeout=START_UP + limit * 1.05,
        )
    except subprocess.TimeoutExpired:
        return {"status": "time_limit", "seconds": limit}
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode == 0 and lines:
        return json.loads(lines[-1].removeprefix(MARK))
    reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return {"status": "failed", "reason": f"exit {done.returncode}: {reason}"}


def _child(task: dict[str, Any]) -> dict[str, Any]:
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))[-task["options"].get("n_jobs", 1) :]
        os.sched_setaffinity(0, cores)
    X, y = problems.load(task["problem"])
    y = y if _is_numbers(y) else y.astype(np.int64)
    adapter = importlib.import_module(f"benchmarks.adapters.{task['adapter']}")
    adapter.prepare()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _warm_up(adapter, task["options"], y.dtype)
        before = _memory("VmRSS", forget_peak=True)
        fit = adapter.fit(X, y, **task["options"])
    peak = _memory("VmHWM")
    return {
        "status": "ok",
        "seconds": fit.clock.seconds,
        "wall_seconds": fit.clock.wall_seconds,
        **_quality(y, fit.predicted),
        "rows": len(y),
        "memory_mb": None if peak is None or before is None else peak - before,
        "x_mb": X.nbytes / 2**20,
    } | fit.facts


def _is_numbers(y: np.ndarray) -> bool:
    return y.dtype.kind == "f"


def _quality(y: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Training accuracy of labels; mean squared error of numbers, summed over the targets."""
    if _is_numbers(y):
        return {"mse": float(np.square(y - predicted).sum()) / len(y)}
    return {"accuracy": float(np.mean(predicted == y))}


def _warm_up(adapter: Any, options: dict[str, Any], dtype: np.dtype) -> None:
    """A fit of a toy, so that no tool is charged for what its first call alone sets up."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    adapter.fit(X, (X[:, 0] + 0.3 * rng.normal(size=60) > 0).astype(dtype), **options)


def _memory(field: str, forget_peak: bool = False) -> float | None:
    """MB of resident memory now (VmRSS) or at its peak (VmHWM); Linux only."""
    if not Path("/proc/self/status").exists():
        return None
    if forget_peak:
        Path("/proc/self/clear_refs").write_text("5")
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    return None


if __name__ == "__main__":
    print(MARK + json.dumps(_child(json.loads(sys.argv[1]))))
