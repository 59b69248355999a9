"""`treefront export`: the chosen tree in another language, on the screen or in a file."""

from __future__ import annotations

import json
import sqlite3

import pytest

from treefront import Tree, load
from treefront.export import TARGETS

pytest.importorskip("sqlglot")
pytest.importorskip("onnx")


@pytest.fixture
def model(treefront, data):
    assert treefront("fit", data, "--target", "y", "--out", "model.json", "-q").code == 0
    return "model.json"


@pytest.mark.parametrize("to", [target for target in TARGETS if target != "onnx"])
def test_on_the_screen_and_in_a_file(treefront, model, tmp_path, to):
    answer = treefront("export", model, "--to", to)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.rstrip("\n") == load(model).tree_.export(to).rstrip("\n")
    written = treefront("export", model, "--to", to, "--output", tmp_path / "tree")
    assert (written.code, written.out, written.err) == (0, "", "")
    assert (tmp_path / "tree").read_text("utf-8").rstrip("\n") == answer.out.rstrip("\n")


def test_sql_runs(treefront, model):
    sql = treefront("export", model, "--to", "sql", "--table", "t", "--proba").out
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (size, noise)")
    base.executemany("INSERT INTO t VALUES (?, ?)", [(30, 3), (2, 4)])
    assert [row[2] for row in base.execute(sql)] == ["big", "small"]


def test_json_is_read_back(treefront, model):
    document = json.loads(treefront("export", model, "--to", "json").out)
    assert Tree.from_dict(document) == load(model).tree_


def test_onnx_goes_to_a_file(treefront, model):
    assert treefront("export", model, "--to", "onnx", "-o", "tree.onnx").code == 0
    message = treefront("export", model, "--to", "onnx").complaint
    assert message == "ONNX is binary: say which file to write with --output"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.json", "--to", "cobol"], "--to must be one of sql, python, c, json, onnx,"),
        (["model.json"], "Missing option '--to'"),
        (["none.json", "--to", "c"], "there is no file none.json"),
        (["data.csv", "--to", "c"], "data.csv is not a treefront-model file"),
        (["model.json", "--to", "c", "--table", "t"], "--table is for --to sql, not for c"),
        (["model.json", "--to", "sql", "--name", "t"], "--name is for --to python and c, not for"),
        (["model.json", "--to", "c", "--name", "1"], "'1' cannot name a function"),
        (["model.json", "--to", "sql", "--dialect", "x"], "--dialect must be one of bigquery,"),
        (["model.json", "--to", "c", "-o", "no/such/folder"], "no/such/folder cannot be written"),
    ],
)
def test_bad_input(treefront, model, arguments, message):
    assert treefront("export", *arguments).complaint.startswith(message)
