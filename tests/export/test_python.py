"""The exported Python module, executed, gives what `predict` gives."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta, timezone

import numpy as np
import pytest

from tests.export import cases
from tests.export.cases import expected, expected_shares

INDIA = timezone(timedelta(hours=5, minutes=30))


def module(tree, **options) -> dict:
    scope: dict = {}
    exec(compile(tree.export("python", **options), "tree.py", "exec"), scope)
    return scope


def as_rows(case, missing=None):
    rows = [[missing if cell is None else cell for cell in row] for row in case.rows]
    if case.tree.feature_names is None:
        return rows
    return [dict(zip(case.tree.feature_names, row)) for row in rows]


@pytest.mark.parametrize("missing", [None, math.nan])
@pytest.mark.parametrize("name", cases.ALL)
def test_predictions_and_shares(name, missing):
    case = cases.case(cases.ALL[name]())
    scope = module(case.tree)
    rows = as_rows(case, missing)
    assert [scope["predict"](row) for row in rows] == _plain(expected(case))
    if case.tree.classes is not None:
        shares = np.array([scope["predict_proba"](row) for row in rows])
        assert np.array_equal(shares, expected_shares(case))
        assert list(scope["CLASSES"]) == case.tree.classes.tolist()


def _plain(values):
    return [tuple(v) if isinstance(v, list) else v for v in values.tolist()]


def test_points_in_time_of_every_kind():
    pd = pytest.importorskip("pandas")
    tree = cases.dates()
    predict = module(tree)["predict"]
    case = cases.case(tree)
    truth = expected(case).tolist()
    same = {
        "numpy": lambda cell, zone: np.datetime64("NaT") if cell is None else _numpy(cell),
        "pandas": lambda cell, zone: pd.NaT if cell is None else pd.Timestamp(cell),
        "text": lambda cell, zone: cell and cell.isoformat(),
        "text with Z": lambda cell, zone: cell and cell.isoformat().replace("+00:00", "Z"),
        "another zone": lambda cell, zone: cell and (cell.astimezone(INDIA) if zone else cell),
    }
    for name, convert in same.items():
        rows = [
            {
                key: convert(cell, zone == "UTC")
                for key, cell, zone in zip(tree.feature_names, row, tree.times)
            }
            for row in case.rows
        ]
        assert [predict(row) for row in rows] == truth, name
    day = {"the day": date(2024, 5, 1), "when": None, "at": None}
    assert predict(day) == predict(day | {"the day": datetime(2024, 5, 1)})
    for when in (datetime(2024, 5, 1, tzinfo=INDIA), "2024-05-01T00:00:00Z"):
        with pytest.raises(ValueError, match="has a time zone, but those of training had none"):
            predict(day | {"when": when})
    with pytest.raises(ValueError, match="has no time zone, but those of training had one"):
        module(tree)["_time"]("2024-05-01", timezone.utc)


def test_texts_that_are_missing_values():
    from treefront.cli.words import MISSING as OF_FILES
    from treefront.export.python import MISSING

    assert MISSING == OF_FILES
    tree = cases.dates()
    scope = module(tree)
    for text in (*MISSING, "NA", " NaN "):
        assert math.isnan(scope["_time"](text))
        assert math.isnan(scope["_number"](text))
    empty = dict.fromkeys(tree.feature_names)
    assert scope["predict"](dict.fromkeys(empty, "")) == scope["predict"](empty)


def _numpy(cell):
    return np.datetime64(cell.replace(tzinfo=None), "us")


@pytest.mark.parametrize("to_left", [False, True])
def test_a_tree_of_3000_levels(to_left):
    case = cases.case(cases.deep(3000, to_left=to_left), 600)
    predict = module(case.tree)["predict"]
    assert [predict(row) for row in as_rows(case)] == expected(case).tolist()


def test_other_keys_and_another_name():
    scope = module(cases.costs(), columns=["a", "b"], name="decide")
    assert scope["decide"]({"a": 9, "b": 9}) == 2.0
    assert len(scope["decide_proba"]({"a": None, "b": 0})) == 2
    with pytest.raises(KeyError):
        scope["decide"]({"a": 1, "c": 1})


@pytest.mark.parametrize("name", ["", "class", "1st", "a b", "int"])
def test_names_that_name_no_function(name):
    for target in ("python", "c"):
        with pytest.raises(ValueError, match="cannot name a function"):
            cases.costs().export(target, name=name)
