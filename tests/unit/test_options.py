"""The table of options: one declaration, and messages that say what is allowed."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

from treefront import CartSplits, DPDTClassifier
from treefront.estimators.options import n_bytes

TABLE = DPDTClassifier._parameter_constraints
X, Y = [[0.0], [1.0]], [0, 1]


def test_every_parameter_is_declared_once_and_its_default_is_allowed():
    defaults = DPDTClassifier().get_params(deep=False)
    assert list(TABLE) == list(inspect.signature(DPDTClassifier).parameters)
    for name, value in defaults.items():
        TABLE[name].check(name, value)


def test_the_docstring_names_every_parameter_with_its_default():
    section = inspect.getdoc(DPDTClassifier).split("Parameters\n")[1].split("Attributes\n")[0]
    documented = dict(re.findall(r"^(\w+) : (.*)$", section, re.MULTILINE))
    assert list(documented) == list(TABLE)
    for name, value in DPDTClassifier().get_params(deep=False).items():
        default = f"default={value!r}".replace("'", '"') if value is not None else "optional"
        assert documented[name].endswith(default), name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", -1),
        ("max_depth", None),
        ("max_depth", 2.0),
        ("max_depth", True),
        ("splits", "some"),
        ("splits", CartSplits(depth=0)),
        ("exact_tail", 3),
        ("exact_tail", "two"),
        ("exact_tail", True),
        ("prove", "nothing"),
        ("prove", True),
        ("alpha", -0.1),
        ("alpha", np.nan),
        ("alpha", np.inf),
        ("alpha", "0"),
        ("complexity", "nodes"),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("min_samples_leaf", -0.5),
        ("time_limit", 0),
        ("time_limit", np.inf),
        ("memory_limit", 0),
        ("memory_limit", "many"),
        ("memory_limit", "0 MB"),
        ("n_jobs", 0),
        ("n_jobs", 1.5),
        ("verbose", -1),
    ],
)
def test_what_is_refused(name, value):
    with pytest.raises(
        ValueError, match="splits" if value == "some" else "depth" if name == "splits" else name
    ):
        DPDTClassifier(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", np.int64(2)),
        ("splits", "all"),
        ("splits", [CartSplits(2), "all"]),
        ("exact_tail", np.int64(0)),
        ("prove", "front"),
        ("alpha", 0),
        ("min_samples_leaf", 0.5),
        ("time_limit", 10),
        ("memory_limit", "1 MiB"),
        ("memory_limit", 1000),
        ("n_jobs", -1),
    ],
)
def test_what_is_allowed(name, value):
    assert DPDTClassifier(**{name: value}).fit(X, Y).predict(X).tolist() == Y


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2GB", 2_000_000_000),
        ("1.5 gb", 1_500_000_000),
        ("500 MiB", 500 * 1024**2),
        ("64kB", 64_000),
        ("100 B", 100),
        ("1TiB", 1024**4),
        (123, 123),
    ],
)
def test_amounts_of_memory(text, size):
    assert n_bytes(text) == size


def test_messages_say_what_is_allowed():
    with pytest.raises(ValueError, match="exact_tail must be 'auto', 0, 1 or 2, got 5"):
        DPDTClassifier(exact_tail=5).fit(X, Y)
    with pytest.raises(ValueError, match="max_depth must be an integer of at least 0, got None"):
        DPDTClassifier(max_depth=None).fit(X, Y)
