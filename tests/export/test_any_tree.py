"""Any tree that the arrays can hold, not only those that a search finds, is exported as it is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export import cases
from tests.export.test_onnx import run as run_onnx
from tests.export.test_python import as_rows, module
from tests.export.test_sql import check, run_sqlite
from tests.oracle.examples import examples
from treefront import Tree, summary, tree_document

pytest.importorskip("sqlglot")

CATEGORIES = (None, ("a", "b'", "ç\n"), None, (1.5, 2.0, 40.0))
FINITE = st.floats(-1e300, 1e300, allow_nan=False)


@st.composite
def trees(draw) -> Tree:
    """A random shape in preorder, with random tests of numbers and categories."""
    nodes: dict[str, list] = {
        name: []
        for name in (
            *("feature", "threshold", "left", "right", "missing_left"),
            *("level_start", "left_levels", "value", "n_rows"),
        )
    }
    budget = draw(st.integers(0, 12))

    def grow(n_tests: int) -> int:
        node = len(nodes["feature"])
        column = draw(st.integers(0, 3)) if n_tests else -1
        known = CATEGORIES[column] if n_tests else None
        is_number = n_tests and known is None
        special = st.sampled_from([math.inf, -math.inf, 0.0, -0.0, 5e-324])
        levels = draw(st.sets(st.integers(0, 2))) if known else set()
        nodes["feature"].append(column)
        nodes["threshold"].append(draw(FINITE | special) if is_number else math.nan)
        nodes["missing_left"].append(draw(st.booleans()) if n_tests else False)
        nodes["level_start"].append(len(nodes["left_levels"]))
        nodes["left_levels"].extend(sorted(levels))
        nodes["value"].append(draw(st.lists(st.integers(1, 9), min_size=2, max_size=2)))
        nodes["n_rows"].append(sum(nodes["value"][-1]))
        for side in ("left", "right"):
            nodes[side].append(-1)
        if n_tests:
            to_left = draw(st.integers(0, n_tests - 1))
            nodes["left"][node] = grow(to_left)
            nodes["right"][node] = grow(n_tests - 1 - to_left)
        return node

    grow(budget)
    nodes["level_start"].append(len(nodes["left_levels"]))
    return Tree.from_nodes(
        nodes, np.array(["no", "yes"]), 4, ("n", "t", "m", "k"), CATEGORIES, [True] * 4
    )


@examples(40)
@given(trees())
def test_executed_it_predicts_the_same(tree):
    tree_document.check(tree)
    case = cases.case(tree, 60)
    case = cases.Case(tree, *_without_infinity(case))
    rows = as_rows(case)
    assert [module(tree)["predict"](row) for row in rows] == cases.expected(case).tolist()
    for dialect in ("standard", "sqlite"):
        check(case, *run_sqlite(case, case.names, dialect=dialect, proba=True))
    assert run_onnx(case)[0].tolist() == cases.expected(case).tolist()
    rules = summary.leaf_rules(tree)
    for row, leaf in zip(case.codes.tolist(), tree.leaves(case.codes).tolist()):
        holds = [r.leaf for r in rules if all(a.holds(row[c]) for c, a in r.allowed.items())]
        assert holds == [leaf]


def _without_infinity(case: cases.Case):
    """Infinite cells become missing: what is beyond all numbers is tested on fitted trees."""
    rows = [[None if x in (math.inf, -math.inf) else x for x in row] for row in case.rows]
    return rows, np.where(np.isinf(case.codes), np.nan, case.codes)
