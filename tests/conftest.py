"""What every test may use: the benchmark data, a browser, and how hard the property tests try."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

Loader: TypeAlias = "Callable[[str], tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]"

# ---- hypothesis: few examples, the same ones every run; `make test-long` tries many at random ----

_common = {
    "deadline": None,
    "database": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
settings.register_profile("default", max_examples=30, derandomize=True, **_common)
settings.register_profile("long", max_examples=600, derandomize=False, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# ---- the benchmark data, which is too large for the repository ----


def data_folder() -> Path:
    """Where the data sets lie: $TREEFRONT_DATA, else ``shared/data`` beside the repository."""
    return Path(os.environ.get("TREEFRONT_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Loader:
    """``load(name) -> (X_train, y_train, X_test, y_test)``, or a skip."""
    loader = data_folder() / "load.py"
    if not loader.is_file():
        pytest.skip(f"no benchmark data: {loader} does not exist (set TREEFRONT_DATA)")
    spec = importlib.util.spec_from_file_location("treefront_shared_data", loader)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def load(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        try:
            return module.load(name)
        except KeyError:
            pytest.skip(f"no data set {name!r} in {data_folder()}")

    return load


# ---- a browser; one for the session, since Playwright runs only once at a time in a thread ----

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window, or a skip."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip(f"no Chromium found (none of {', '.join(CHROMIUMS)})")
    # Chromium has no sandbox for root, as whom containers run.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=options)
        yield chromium
        chromium.close()
