"""How many threads a search may use: `n_jobs`, and never more than a worker's share.

A search runs its threads outside the interpreter, in this process, whatever backend joblib has.
Where it is itself the work of a joblib worker, threads times workers would exceed the cores.
"""

from __future__ import annotations

import os

from joblib import cpu_count
from joblib.parallel import get_active_backend


def of_search(n_jobs: int | None) -> int:
    """Threads for a search in this process.

    Parameters
    ----------
    n_jobs : int or None
        As everywhere in joblib: None is 1, or what ``joblib.parallel_config`` says; -1 is all
        cores, -2 all but one. Where the environment sets ``OMP_NUM_THREADS`` these are no more
        than it says, as in scikit-learn.

    Returns
    -------
    int
        At least 1. At most the share of the cores that this worker has, if it is a worker.
    """
    backend, configured = get_active_backend(prefer="threads")
    explicit = n_jobs is not None and n_jobs > 0
    wanted = (configured or 1) if n_jobs is None else n_jobs
    if wanted < 0:
        wanted = max(cpu_count() + 1 + wanted, 1)
    nesting = getattr(backend, "nesting_level", None) or 0  # 0 outside of any worker
    # Dask's backend looks the same here and in its workers.
    elsewhere = not getattr(backend, "supports_sharedmem", False)
    if explicit and nesting == 0 and not elsewhere:
        return wanted
    return max(min(wanted, _share(nesting)), 1)


def _share(nesting: int) -> int:
    """Cores for this worker: loky, Dask and Ray tell their processes, as they tell OpenMP.

    A thread of joblib is not told how many others there are, so it has one.
    """
    said = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    if nesting <= 1 and said.isdigit():
        return max(int(said), 1)
    return cpu_count() if nesting == 0 else 1
