"""Labels of any type: encoded, compared, written and read."""

from __future__ import annotations

import json

import numpy as np
import pytest

from treefront.labels import as_labels, codes_of, encode, from_json, to_json


@pytest.mark.parametrize(
    ("y", "classes", "codes", "kind"),
    [
        ([3, 1, 3], [1, 3], [1, 0, 1], "i"),
        (["b", "a"], ["a", "b"], [1, 0], "OU"),
        (np.array(["b", "a"]), ["a", "b"], [1, 0], "U"),
        ([True, False], [False, True], [1, 0], "b"),
        ([1.0, -1.0], [-1.0, 1.0], [1, 0], "f"),
        (np.array([2, 1], dtype=object), [1, 2], [1, 0], "i"),
        (np.array([[2], [1]]).ravel(), [1, 2], [1, 0], "i"),
    ],
)
def test_encode(y, classes, codes, kind):
    found, found_codes = encode(y)
    assert found.tolist() == classes
    assert found_codes.tolist() == codes
    assert found_codes.dtype == np.int32
    assert found.dtype.kind in kind
    assert codes_of(y, found).tolist() == codes


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", None], "label of row 1 is missing"),
        (["a", "b", float("nan")], "label of row 2 is missing"),
        ([1.0, float("nan")], "label of row 1 is missing"),
        (["a", "b", 3], r"row 0 is 'a' \(text\), row 2 is 3 \(number\)"),
        ([True, 0], r"row 1 is 0 \(number\)"),
        ([[1, 2], [3, 4]], "1d array"),
        ([0.5, 1.25], "continuous"),
    ],
)
def test_what_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        encode(y)


def test_labels_of_pandas():
    pd = pytest.importorskip("pandas")
    for y in (pd.Series(["b", "a"]), pd.Series(["b", "a"], dtype="category")):
        assert encode(y)[0].tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="row 1 is missing"):
        as_labels(pd.Series(["b", pd.NA], dtype="string"))


def test_unknown_labels_have_code_minus_1():
    assert codes_of(["z", "a", "0"], np.array(["a", "b"])).tolist() == [-1, 0, -1]
    assert codes_of([], np.array(["a", "b"])).tolist() == []


@pytest.mark.parametrize(
    "classes",
    [
        np.array([1, 2]),
        np.array([1, 2], dtype=np.uint8),
        np.array([False, True]),
        np.array([0.1, 0.30000000000000004]),
        np.array(["a", "ü"]),
        np.array(["a", "b"], dtype=object),
    ],
)
def test_json_round_trip_keeps_values_and_type(classes):
    found = from_json(json.loads(json.dumps(to_json(classes))))
    assert found.tolist() == classes.tolist()
    assert found.dtype == classes.dtype


def test_labels_without_a_json_form_are_refused():
    with pytest.raises(ValueError, match="cannot be written"):
        to_json(np.array([b"a"]))
    with pytest.raises(ValueError, match="not known"):
        from_json({"dtype": "M8[D]", "values": ["2020-01-01"]})
