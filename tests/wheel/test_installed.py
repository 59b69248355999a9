"""The package as users get it: installed from a wheel, with its core dependencies alone.

Run in an environment of its own (`make test-wheel`, cibuildwheel), into which the wheel was
installed; the pytest.ini beside this file keeps everything else of the project out.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pickle
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treefront
from treefront import DPDTClassifier, DPDTClassifierCV, DPDTRegressor, load

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)

# A process of its own, since the variable is read where the package searches.
FRONTS = """
import json
import sys
from sklearn.datasets import load_breast_cancer, load_iris
from treefront import DPDTClassifier

found = []
for data, params in ((load_iris, {"splits": "all"}), (load_breast_cancer, {})):
    X, y = data(return_X_y=True)
    front = DPDTClassifier(max_depth=3, n_jobs=int(sys.argv[1]), **params).fit(X, y).front_
    found.append([front.loss.tolist(), front.complexity.tolist(), str(front[-1])])
print(json.dumps(found))
"""
DEEP = """
import numpy as np
from treefront import CartSplits, DPDTClassifier

X, y = np.arange(1500.0)[:, None], np.arange(1500) % 2
print(DPDTClassifier(max_depth=1500, splits=CartSplits(1), exact_tail=0).fit(X, y).tree_.depth)
"""


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        args,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def python(code: str, *args: str, **environment: str) -> str:
    child = run(sys.executable, "-c", code, *args, **environment)
    assert child.returncode == 0, child.stderr
    return child.stdout


def test_it_is_the_installed_one():
    folder = Path(treefront.__file__).resolve().parent
    assert folder.parent == Path(sysconfig.get_path("platlib")).resolve()
    files = {str(file.as_posix()) for file in importlib.metadata.files("treefront") or []}
    for name in ("py.typed", "_core.pyi", "model.schema.json", "report/page.html", "report/d3.js"):
        assert f"treefront/{name}" in files
    assert importlib.metadata.version("treefront") == treefront.__version__


def test_extras_are_not_needed_and_named_where_they_are():
    names = {line.split(";")[0].strip() for line in importlib.metadata.requires("treefront") or []}
    assert any(name.startswith("narwhals") for name in names)
    script = Path(sysconfig.get_path("scripts")) / "treefront"
    child = run(str(script), "demo")
    if importlib.util.find_spec("typer") is None:
        assert child.returncode != 0
        assert "pip install 'treefront[cli]'" in child.stderr


@pytest.mark.parametrize("data", [IRIS, CANCER], ids=["iris", "cancer"])
def test_a_classifier_is_never_worse_than_cart(data):
    X, y = data
    for depth in (1, 2, 3):
        model = DPDTClassifier(max_depth=depth).fit(X, y)
        cart = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        assert model.score(X, y) >= cart.score(X, y)
        assert model.front_.loss[-1] == pytest.approx(1 - model.score(X, y))
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(X)))


def test_a_regressor_is_never_worse_than_cart():
    X, y = DIABETES
    model = DPDTRegressor(max_depth=3).fit(X, y)
    cart = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, y)
    assert model.score(X, y) >= cart.score(X, y)
    assert model.front_.loss[-1] == pytest.approx(np.mean((model.predict(X) - y) ** 2))


def test_a_proof():
    X, y = IRIS
    model = DPDTClassifier(max_depth=2, splits="all").fit(X, y)
    assert model.status_ == "optimal"
    assert model.gap_ == 0


def test_every_instruction_set_finds_the_same_front():
    kernels = treefront._native._core.kernels()
    assert kernels[0] == "portable"
    found = {python(FRONTS, "1", TREEFRONT_KERNEL=kernel) for kernel in kernels}
    found.add(python(FRONTS, "2"))
    assert len(found) == 1
    assert len(json.loads(found.pop())) == 2


def test_threads_of_the_caller():
    X, y = CANCER
    alone = [DPDTClassifier(max_depth=3, alpha=a).fit(X, y).tree_ for a in (0, 0.01)]
    with ThreadPoolExecutor(2) as pool:
        fits = [
            pool.submit(DPDTClassifier(max_depth=3, alpha=a, n_jobs=2).fit, X, y) for a in (0, 0.01)
        ]
        assert [fit.result().tree_ for fit in fits] == alone


def test_depth_does_not_depend_on_the_stack_of_the_platform():
    assert python(DEEP).strip() == "1499"


def test_cross_validation():
    X, y = IRIS
    model = DPDTClassifierCV(max_depth=2, cv=3, n_jobs=2).fit(X, y)
    assert model.cv_results_["mean_test_score"][model.best_index_] > 0.8


def test_files_and_exports(tmp_path):
    X, y = IRIS
    model = DPDTClassifier(max_depth=3).fit(X, y)
    model.save(tmp_path / "model.json")
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert (other.predict(X) == model.predict(X)).all()
        assert other.tree_ == model.tree_
    scope: dict = {}
    exec(model.tree_.export("python"), scope)
    assert [scope["predict"](row) for row in X.tolist()] == model.predict(X).tolist()
    model.report(X, y).save(tmp_path / "report.html")
    assert "<!DOCTYPE html>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_missing_values_and_dates():
    X = np.array([["2021-03-01", "2021-03-02", "NaT", "2021-03-08"]], dtype="datetime64[s]").T
    model = DPDTClassifier(max_depth=1).fit(X, [0, 0, 0, 1])
    assert model.score(X, [0, 0, 0, 1]) == 1
    assert "2021-03-05" in str(model.tree_)
