"""One rule per leaf: of all rules exactly one holds for a row, and it says what `predict` says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.export import cases
from treefront import Tree, summary, times


@pytest.mark.parametrize("name", cases.ALL)
def test_exactly_one_rule_holds(name):
    case = cases.case(cases.ALL[name]())
    rules = summary.leaf_rules(case.tree)
    finite = np.clip(case.codes, -1e308, 1e308)
    leaves = case.tree.leaves(finite)
    for row, leaf in zip(finite.tolist(), leaves.tolist()):
        holding = [
            rule.leaf
            for rule in rules
            if all(allowed.holds(row[column]) for column, allowed in rule.allowed.items())
        ]
        assert holding == [leaf]


def test_the_tests_of_a_column_become_one_range():
    text = cases.deep(3).export("rules")
    assert text == (
        "if x <= 0\nthen even  (1 row; even: 100%)\n\n"
        "if 0 < x <= 1\nthen even  (1 row; even: 100%)\n\n"
        "if 1 < x <= 2\nthen even  (1 row; even: 100%)\n\n"
        "if x > 2\nthen odd  (1 row; odd: 100%)"
    )


def test_missing_values_and_categories_are_spoken_of():
    missing = cases.missing().export("rules")
    assert "x[0] is missing" in missing
    assert "x[0] is not missing" in missing
    assert " or missing" in missing
    assert "is one of {" in cases.kinds().export("rules")
    assert cases.leaf().export("rules") == "always\nthen True  (2 rows; True: 100%)"


@pytest.mark.parametrize("to", ["rules", "text", "dot", "mermaid", "latex"])
def test_points_in_time_are_read_as_dates(to):
    tree = cases.dates()
    text = tree.export(to).replace("#45;", "-").replace("-{}", "-").replace("#58;", ":")
    for feature, threshold in zip(tree.feature.tolist(), tree.threshold.tolist()):
        if feature >= 0 and np.isfinite(threshold):
            assert times.text(threshold, tree.times[feature]) in text
            assert f"{threshold:.0f}" not in text


def test_rules_of_a_deep_tree():
    assert cases.deep(3000).export("rules").count("then") == 3001


@pytest.mark.parametrize("name", cases.ALL)
def test_json_is_the_tree(name):
    tree = cases.ALL[name]()

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(tree.export("json"), parse_constant=refuse)
    assert Tree.from_dict(document) == tree
    assert json.loads(tree.export("json", indent=2)) == document


@pytest.mark.parametrize("name", cases.ALL)
def test_the_summary_is_plain_and_agrees_with_the_tree(name):
    tree = cases.ALL[name]()
    plain = json.loads(json.dumps(summary.summary(tree), allow_nan=False))
    assert [node["n_rows"] for node in plain["nodes"]] == tree.n_rows.tolist()
    assert [node["left"] for node in plain["nodes"] if node["left"]] == tree.left[
        tree.feature >= 0
    ].tolist()
    assert len(plain["rules"]) == tree.n_leaves == plain["n_leaves"]
    if tree.classes is not None:
        assert np.array_equal([node["shares"] for node in plain["nodes"]], tree.shares)
    words = {node["test"] for node in plain["nodes"] if node["test"]}
    assert all(word in tree.to_text() for word in words)


def test_text_and_unknown_targets():
    tree = cases.costs()
    assert tree.export("text") == tree.to_text()
    with pytest.raises(ValueError, match=r"to must be one of sql, python, .*, got 'cobol'"):
        tree.export("cobol")
    with pytest.raises(TypeError):
        tree.export("text", dialect="duckdb")
