"""Threads and processes: the same trees from all of them, and never more threads than cores."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV

from treefront import DPDTClassifier, DPDTClassifierCV, DPDTRegressor, _native, threads

X, Y = load_iris(return_X_y=True)
XR, YR = load_diabetes(return_X_y=True)
CORES = joblib.cpu_count()


def fit_and_predict(alpha=0.0, n_jobs=1):
    model = DPDTClassifier(max_depth=3, alpha=alpha, n_jobs=n_jobs).fit(X, Y)
    return str(model.tree_), model.predict(X).tolist()


# ---- the same trees ----


def test_two_fits_at_the_same_time_are_two_fits_one_after_the_other():
    together = threading.Barrier(2)

    def fit(estimator, X, y):
        together.wait()
        return estimator.fit(X, y).front_

    jobs = [
        (DPDTClassifier(max_depth=4, n_jobs=2), X, Y),
        (DPDTRegressor(max_depth=3, n_jobs=2), XR, YR),
    ]
    alone = [type(model)(**model.get_params()).fit(*data).front_ for model, *data in jobs]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            assert [f.result() for f in [pool.submit(fit, *job) for job in jobs]] == alone


def test_one_model_predicts_in_many_threads():
    model = DPDTClassifier(max_depth=4).fit(X, Y)
    expected = model.predict_proba(X)
    with ThreadPoolExecutor(4) as pool:
        for proba in pool.map(lambda _: model.predict_proba(X), range(20)):
            assert (proba == expected).all()


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_backends_of_joblib_after_a_first_fit(backend):
    alphas = (0.0, 0.05)
    alone = [fit_and_predict(alpha) for alpha in alphas]
    jobs = (joblib.delayed(fit_and_predict)(alpha, n_jobs=2) for alpha in alphas)
    assert joblib.Parallel(n_jobs=2, backend=backend)(jobs) == alone


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_started_in_any_way_after_a_first_fit(method):
    alone = fit_and_predict(n_jobs=2)  # has had threads of its own
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        jobs = [pool.submit(fit_and_predict, n_jobs=2) for _ in range(2)]
        assert [job.result(timeout=120) for job in jobs] == [alone, alone]


# ---- no more threads than cores ----


def threads_asked_for(n_jobs):
    return threads.of_search(n_jobs)


def in_workers(backend, n_jobs, n_workers=2):
    jobs = (joblib.delayed(threads_asked_for)(n_jobs) for _ in range(n_workers))
    return joblib.Parallel(n_jobs=n_workers, backend=backend)(jobs)


def test_outside_of_workers_n_jobs_is_what_joblib_makes_of_it():
    for n_jobs in (None, 1, 3, -1):
        assert threads.of_search(n_jobs) == joblib.effective_n_jobs(n_jobs)
    assert threads.of_search(-1000) == 1
    with joblib.parallel_backend("threading", n_jobs=2):
        assert threads.of_search(None) == min(2, CORES)
        assert threads.of_search(3) == 3
    # A sequence is no crowd.
    assert in_workers("threading", -1, n_workers=1) == [CORES]


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
@pytest.mark.parametrize("n_jobs", [None, 2, 64, -1])
def test_workers_of_joblib_do_not_ask_for_more_than_their_share(backend, n_jobs):
    asked = in_workers(backend, n_jobs)
    assert max(asked) <= max(CORES // 2, 1)
    assert min(asked) >= 1


def nested(n_jobs):
    return in_workers("threading", n_jobs)


def test_workers_within_workers_have_one_thread():
    jobs = (joblib.delayed(nested)(-1) for _ in range(2))
    assert joblib.Parallel(n_jobs=2, backend="loky")(jobs) == [[1, 1], [1, 1]]


def test_openmp_is_told_of_limits_and_so_are_we(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3,1")
    assert threads.of_search(-1) == min(3, CORES)
    assert threads.of_search(5) == 5  # said here, by the caller
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert threads.of_search(-1) == CORES


class Recording:
    """A function that can be sent to workers, which write down how many threads each search has."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __enter__(self):
        self.search = _native.search

        def recorded(*args, n_threads, **options):
            name = f"{n_threads}-{threading.get_ident()}-{np.random.default_rng().integers(2**60)}"
            (self.folder / name).touch()
            return self.search(*args, n_threads=n_threads, **options)

        _native.search = recorded
        return self

    def __exit__(self, *_):
        _native.search = self.search

    def counts(self):
        return [int(path.name.split("-")[0]) for path in self.folder.iterdir()]


@pytest.mark.skipif(sys.platform == "win32", reason="workers are forked, to keep the recorder")
@pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
@pytest.mark.parametrize(
    "model",
    [
        GridSearchCV(DPDTClassifier(n_jobs=-1), {"max_depth": [1, 2]}, cv=2, n_jobs=2, refit=False),
        BaggingClassifier(DPDTClassifier(max_depth=2, n_jobs=8), n_estimators=4, n_jobs=2),
        GridSearchCV(
            DPDTClassifierCV(max_depth=1, cv=2, n_jobs=2),
            {"min_samples_leaf": [1, 5]},
            cv=2,
            n_jobs=2,
            refit=False,
        ),
    ],
    ids=["search", "bagging", "search of a search"],
)
def test_searches_and_ensembles_do_not_multiply_threads(model, backend, tmp_path):
    with Recording(tmp_path) as recording, joblib.parallel_backend(backend, n_jobs=2):
        model.fit(X, Y)
    assert recording.counts()
    assert max(recording.counts()) == 1


def test_folds_share_the_threads_of_the_caller(tmp_path):
    with Recording(tmp_path) as recording:
        DPDTClassifierCV(max_depth=2, cv=3, n_jobs=2).fit(X, Y)
    assert sorted(recording.counts()) == [1, 1, 1, 2]  # the folds, and the search of all rows


# The system's own count of the threads that a fit adds; the caller's waits for signals meanwhile.
COUNT = """
import sys, threading, time
from pathlib import Path
import numpy as np
from treefront import DPDTClassifier

tasks = Path("/proc/self/task")
before, most, done = len(list(tasks.iterdir())), 0, False

def watch():
    global most
    while not done:
        most = max(most, len(list(tasks.iterdir())))
        time.sleep(0.001)

rng = np.random.default_rng(0)
X, y = rng.normal(size=(3000, 8)), rng.integers(0, 3, 3000)
watching = threading.Thread(target=watch)
watching.start()
DPDTClassifier(max_depth=3, n_jobs=int(sys.argv[1])).fit(X, y)
done = True
watching.join()
deadline = time.monotonic() + 30
while len(list(tasks.iterdir())) > before and time.monotonic() < deadline:
    time.sleep(0.01)  # a thread that was joined may take a moment to be gone
print(most - before - 1, len(list(tasks.iterdir())) - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_threads_of_the_process_are_those_asked_for_and_end_with_the_fit(n_jobs):
    child = subprocess.run(
        [sys.executable, "-c", COUNT, str(n_jobs)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    most, left = map(int, child.stdout.split())
    assert most == n_jobs
    assert left == 0


# ---- other places ----


def test_dask():
    distributed = pytest.importorskip("distributed")
    alone = DPDTClassifierCV(max_depth=2, cv=3).fit(X, Y)
    grid = GridSearchCV(DPDTClassifier(n_jobs=-1), {"max_depth": [1, 2]}, cv=3)
    expected = grid.fit(X, Y).cv_results_["mean_test_score"]
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_backend("dask"),
    ):
        asked = joblib.Parallel()(joblib.delayed(threads_asked_for)(n) for n in (None, 2, -1))
        assert asked == [1, 1, 1]
        model = DPDTClassifierCV(max_depth=2, cv=3, n_jobs=2).fit(X, Y)
        assert (grid.fit(X, Y).cv_results_["mean_test_score"] == expected).all()
        assert len(client.scheduler_info()["workers"]) == 2
    assert model.front_ == alone.front_
    assert (model.cv_results_["mean_test_score"] == alone.cv_results_["mean_test_score"]).all()
