"""`treefront fit --report`: the page of the fitted model, with rows as the file has them."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from treefront import load


def report(treefront, *arguments) -> dict:
    """The data of the page, with its texts where they belong."""
    answer = treefront("fit", "data.csv", "--target", "y", "--report", "r.html", *arguments)
    assert (answer.code, answer.err) == (0, "")
    page = Path("r.html").read_text(encoding="utf-8")
    start = page.index('id="data">') + len('id="data">')
    held = json.loads(page[start : page.index("</script>", start)])

    def restored(value):
        if isinstance(value, str):
            return held["texts"][int(value[1:])] if value.startswith("@") else value
        if isinstance(value, list):
            return [restored(member) for member in value]
        if isinstance(value, dict):
            return {key: restored(member) for key, member in value.items()}
        return value

    return restored(held["summary"])


def test_rows_that_were_held_out_are_those_of_the_file(treefront, data):
    summary = report(treefront, "--holdout", 0.25, "--out", "model.json")
    assert summary["title"] == "y in data.csv"
    assert summary["tested"]["name"] == "validation"
    assert summary["tested"]["n_rows"] == len(summary["rows"]) == 10
    lines = Path("data.csv").read_text().splitlines()
    (size,) = (c["column"] for c in summary["columns"] if c["name"] == "size")
    place = [c["column"] for c in summary["columns"]].index(size)
    for row in summary["rows"]:
        cells = lines[int(row["name"])].split(",")  # row 1 follows the line of names
        assert row["values"][place] == float(cells[0])
        assert row["truth"] == cells[2]
    model = load("model.json")
    assert summary["front"]["loss"] == model.front_.loss.tolist()
    assert model.front_[summary["chosen"]] == model.tree_


def test_without_rows_held_out_it_has_all_of_them(treefront, data):
    summary = report(treefront)
    assert summary["tested"]["name"] == "training"
    assert summary["tested"]["n_rows"] == 40
    assert summary["tested"]["loss"] == pytest.approx(summary["front"]["loss"])


def test_no_row_where_none_is_wanted(treefront, data):
    assert report(treefront, "--report-rows", 0)["rows"] == []
    assert len(report(treefront, "--report-rows", 7)["rows"]) == 7


def test_every_kind_of_cell(treefront, write):
    lines = ["when,what,<b>,y"]
    for i in range(60):
        day = f"2024-{i % 12 + 1:02}-{i % 28 + 1:02}" if i % 7 else ""
        kind = ("a", "</script>", "c")[i % 3]
        lines.append(f"{day},{kind},{i % 5},{'yes' if (i % 12 > 5) ^ (i % 3 == 1) else 'no'}")
    write("\n".join(lines) + "\n")
    summary = report(treefront, "--holdout", 0.3)
    kinds = {column["name"]: column["kind"] for column in summary["columns"]}
    assert (kinds["when"], kinds["what"]) == ("time", "category")
    assert "y in data.csv" in unescape(Path("r.html").read_text(encoding="utf-8"))


def test_a_report_that_cannot_be_written(treefront, data):
    name = "r" * 300 + ".html"
    answer = treefront("fit", data, "--target", "y", "--quiet", "--report", name)
    assert "cannot be written" in answer.complaint


def test_class_weights_and_costs_count_in_the_report_as_in_the_choice(treefront, data, write):
    flags = ("--class-weight", "big=5", "--max-depth", 2, "--out", "m.json")
    tested = report(treefront, "--holdout", 0.4, *flags)["tested"]
    assert tested["weighted"]
    answer = treefront("fit", "data.csv", "--target", "y", "--holdout", 0.4, *flags)
    for accuracy in tested["score"]:
        assert f" {accuracy:.2%} " in answer.out
    assert "validation weighted error" in Path("r.html").read_text(encoding="utf-8")
    write("true,big,small\nbig,0,7\nsmall,1,0\n", "costs.csv")
    folds = report(treefront, "--cv", 3, "--cost-matrix", "costs.csv")["cross_validation"]
    assert folds["score_name"] == "cost"
    assert min(folds["score"]) >= 0
    assert folds["score"][0] > 0
    page = Path("r.html").read_text(encoding="utf-8")
    head = re.findall(
        "<th[^>]*>([^<]*)</th>", page.partition("<thead>")[2].partition("</thead>")[0]
    )
    assert head
    assert len(set(head)) == len(head)
