"""Every printed rule, parsed back, selects exactly the training rows of its node."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.examples import examples
from treefront import CartSplits, DPDTClassifier, Tree

pd = pytest.importorskip("pandas")

CONDITION = re.compile(
    r"(?P<name>\w+) (?:"
    r"<= (?P<threshold>[^ ]+(?: \d\d:\d\d[\d:.]*)?(?: UTC)?)"
    r"|is one of \{(?P<set>.*)\}"
    r"|is (?P<missing>not missing|missing)"
    r"|is (?P<one>\w+)"
    r")(?P<or_missing> or missing)?"
)


def goes_left(condition: str, frame) -> np.ndarray:
    """Which rows a printed condition is true of."""
    part = CONDITION.fullmatch(condition)
    assert part is not None, condition
    cells = frame[part["name"]]
    absent = cells.isna().to_numpy()
    if part["missing"]:
        return absent if part["missing"] == "missing" else ~absent
    if part["threshold"] is None:
        chosen = part["set"].split(", ") if part["set"] is not None else [part["one"]]
        true = cells.isin(chosen)
    elif cells.dtype.kind == "f":
        true = cells <= float(part["threshold"])
    else:
        point = pd.Timestamp(part["threshold"].removesuffix(" UTC"))
        true = cells <= (point if cells.dt.tz is None else point.tz_localize("UTC"))
    return np.where(absent, part["or_missing"] is not None, true.to_numpy(dtype=bool))


def rows_as_printed(text: str, frame) -> list[np.ndarray]:
    """Rows of every node, in the order of the lines."""
    lines = [re.split(r"\s{2,}\d+ row", line)[0] for line in text.splitlines()]
    here = {0: np.ones(len(frame), dtype=bool)}  # of the last node of every level
    left = {}
    rows = [here[0]]
    for line in lines[1:]:
        rule = line.strip()
        level = (len(line) - len(rule)) // 4 + 1
        if rule.startswith("if "):
            true = goes_left(rule[3:].rpartition(":")[0], frame)
            left[level] = true
            here[level] = here[level - 1] & true
        else:
            here[level] = here[level - 1] & ~left[level]
        rows.append(here[level])
    return rows


def rows_of_nodes(tree: Tree, frame) -> list[np.ndarray]:
    path = tree.decision_path(frame).toarray().astype(bool)
    return list(path.T)


NUMBERS = st.one_of(
    st.floats(-1e9, 1e9), st.floats(-1, 1), st.integers(-3, 3).map(float), st.just(np.nan)
)
TIMES = st.one_of(
    st.datetimes(min_value=pd.Timestamp(1800, 1, 1), max_value=pd.Timestamp(2200, 1, 1)),
    st.dates(min_value=pd.Timestamp(2021, 1, 1).date(), max_value=pd.Timestamp(2021, 2, 1).date()),
    st.none(),
)
WORDS = st.one_of(st.sampled_from(["red", "green", "blue", "white"]), st.none())


@st.composite
def tables(draw):
    n = draw(st.integers(2, 30))

    def column(cells):
        return draw(st.lists(cells, min_size=n, max_size=n))

    times = pd.to_datetime(pd.Series(column(TIMES)), format="mixed").astype("datetime64[us]")
    if draw(st.booleans()):
        times = times.dt.tz_localize("UTC").dt.tz_convert("Asia/Kolkata")
    frame = pd.DataFrame(
        {
            "number": np.array(column(NUMBERS)),
            "when": times,
            "colour": pd.Series(column(WORDS), dtype=object),
        }
    )
    return frame, np.array(column(st.integers(0, 2)))


@given(tables(), st.sampled_from(["short", "midpoint"]))
@examples(40)
def test_a_printed_rule_selects_the_rows_of_its_node(table, thresholds):
    frame, y = table
    model = DPDTClassifier(max_depth=3, splits=CartSplits(depth=3), thresholds=thresholds)
    for tree in model.fit(frame, y).front_:
        printed = rows_as_printed(tree.to_text(), frame)
        assert len(printed) == tree.n_nodes
        for said, true in zip(printed, rows_of_nodes(tree, frame), strict=True):
            assert (said == true).all()


def test_the_reader_of_rules_reads_what_they_say():
    frame = pd.DataFrame({"a": [1.0, 2.0, np.nan], "c": ["x", "y", None]})
    assert goes_left("a <= 1.5", frame).tolist() == [True, False, False]
    assert goes_left("a <= 1.5 or missing", frame).tolist() == [True, False, True]
    assert goes_left("a is missing", frame).tolist() == [False, False, True]
    assert goes_left("c is one of {x, y}", frame).tolist() == [True, True, False]
    assert goes_left("c is y or missing", frame).tolist() == [False, True, True]
