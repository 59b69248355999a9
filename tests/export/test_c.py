"""The exported C file, compiled without a warning and run, gives what `predict` gives."""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess

import numpy as np
import pytest

from tests.export import cases
from tests.export.cases import expected, expected_shares

COMPILER = (
    os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
)
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.fixture
def library(tmp_path):
    def build(tree, **options):
        source, target = tmp_path / "tree.c", tmp_path / "tree.so"
        source.write_text(tree.export("c", **options), encoding="utf-8")
        command = [COMPILER, *STRICT, "-shared", "-fPIC", "-o", str(target), str(source), "-lm"]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(target))

    return build


def codes_by_the_library(compiled, case) -> np.ndarray:
    """Rows as the library wants them: it turns categories into their numbers itself."""
    X = case.codes.copy()
    for column, known in enumerate(case.tree.categories):
        if known is None:
            continue
        of = compiled[f"tree_code_{column}"]
        of.restype = ctypes.c_double
        is_text = isinstance(known[0], str)
        of.argtypes = [ctypes.c_char_p if is_text else ctypes.c_double]
        for i, row in enumerate(case.rows):
            cell = row[column]
            if is_text:
                X[i, column] = of(None if cell is None else cell.encode())
            else:
                X[i, column] = of(math.nan if cell is None else float(cell))
    return np.ascontiguousarray(X)


@pytest.mark.parametrize("name", cases.ALL)
def test_predictions_and_shares(library, name):
    case = cases.case(cases.ALL[name]())
    tree, compiled = case.tree, library(case.tree)
    X = codes_by_the_library(compiled, case)
    assert np.array_equal(X, case.codes, equal_nan=True)
    pointer = ctypes.POINTER(ctypes.c_double)
    compiled.tree_predict.argtypes = [pointer]
    rows = [row.ctypes.data_as(pointer) for row in X]
    if tree.classes is None and tree.value.shape[1] == 1:
        compiled.tree_predict.restype = ctypes.c_double
        assert [compiled.tree_predict(row) for row in rows] == expected(case).tolist()
        return
    width = tree.value.shape[1]
    out = (ctypes.c_double * width)()
    fill = compiled.tree_predict_proba if tree.classes is not None else compiled.tree_predict
    fill.argtypes, fill.restype = [pointer, pointer], None
    answer = []
    for row in rows:
        fill(row, out)
        answer.append(list(out))
    if tree.classes is None:
        assert answer == expected(case).tolist()
        return
    assert answer == expected_shares(case).tolist()
    texts = (ctypes.c_char_p * width).in_dll(compiled, "tree_classes")
    assert [text.decode() for text in texts] == [str(label) for label in tree.classes.tolist()]
    decided = [str(tree.classes[compiled.tree_predict(row)]) for row in rows]
    assert decided == [str(label) for label in expected(case).tolist()]


@pytest.mark.parametrize("to_left", [False, True])
def test_a_tree_of_3000_levels(library, to_left):
    case = cases.case(cases.deep(3000, to_left=to_left), 600)
    compiled = library(case.tree, name="deep")
    cell = ctypes.c_double
    decided = [compiled.deep_predict(ctypes.byref(cell(x))) for (x,) in case.codes.tolist()]
    assert case.tree.classes[decided].tolist() == expected(case).tolist()


def test_the_head_says_what_number_a_time_is():
    source = cases.dates().export("c")
    assert " *   x[1]  when (time: microseconds since 1970-01-01 00:00)\n" in source
    assert " *   x[2]  at (time: microseconds since 1970-01-01 00:00 UTC)\n" in source


def test_a_text_that_ends_early_is_refused():
    tree = cases.costs()
    named = type(tree).from_dict(
        tree.to_dict() | {"classes": {"dtype": "O", "values": ["a\0", "b"]}}
    )
    with pytest.raises(ValueError, match="character of code 0"):
        named.export("c")
