"""Examples in docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = [
    *(f"estimators.{name}" for name in ("classifier", "classifier_cv", "regressor")),
    *("estimators.regressor_cv", "estimators.saved", "front", "report", "splits", "tree"),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)  # some write files
    result = doctest.testmod(import_module(f"treefront.{name}"))
    assert result.attempted > 3
    assert result.failed == 0
