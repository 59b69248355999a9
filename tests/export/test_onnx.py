"""The ONNX model, checked by onnx and run by onnxruntime, gives what `predict` gives."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tests.export import cases
from tests.export.cases import expected, expected_shares

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def run(case, **options):
    session = onnxruntime.InferenceSession(
        case.tree.export("onnx", **options), providers=["CPUExecutionProvider"]
    )
    if all(known is None for known in case.tree.categories):
        return session.run(None, {"X": case.codes})
    columns = dict(zip(options.get("columns") or case.names, range(case.tree.n_features)))
    feed = {}
    for wanted in session.get_inputs():
        column = columns.get(wanted.name, columns.get("") if wanted.name[0] == "x" else None)
        cells = [row[column] for row in case.rows]
        if wanted.type == "tensor(string)":
            feed[wanted.name] = np.array(
                [["no such text" if cell is None else cell] for cell in cells], dtype=object
            )
        else:
            feed[wanted.name] = np.array(
                [[math.nan if cell is None else float(cell)] for cell in cells]
            )
    return session.run(None, feed)


@pytest.mark.parametrize("name", cases.ALL)
def test_predictions_and_shares(name):
    case = cases.case(cases.ALL[name]())
    prediction, *shares = run(case)
    assert prediction.tolist() == expected(case).tolist()
    assert prediction.shape == expected(case).shape
    if case.tree.classes is not None:
        assert shares[0].dtype == np.float64
        assert np.array_equal(shares[0], expected_shares(case))


@pytest.mark.parametrize("to_left", [False, True])
def test_a_tree_of_3000_levels(to_left):
    case = cases.case(cases.deep(3000, to_left=to_left), 600)
    assert run(case)[0].tolist() == expected(case).tolist()


def test_a_single_leaf_of_a_table_with_categories():
    pd = pytest.importorskip("pandas")
    from treefront import DPDTClassifier

    X = pd.DataFrame({"a": ["u", "v", "u"]})
    tree = DPDTClassifier().fit(X, [1, 1, 1]).tree_
    session = onnxruntime.InferenceSession(tree.export("onnx"))
    assert session.run(None, {"a": np.array([["u"], ["w"]], dtype=object)})[0].tolist() == [1, 1]


def test_the_model_says_what_its_columns_and_classes_are():
    tree = cases.strange()
    model = onnx.load_from_string(tree.export("onnx"))
    facts = {prop.key: json.loads(prop.value) for prop in model.metadata_props}
    assert facts == {"columns": list(cases.STRANGE), "classes": tree.classes.tolist()}


def test_the_model_says_what_number_a_time_is():
    model = onnx.load_from_string(cases.dates().export("onnx"))
    facts = {prop.key: json.loads(prop.value) for prop in model.metadata_props}
    since = "microseconds since 1970-01-01 00:00"
    assert facts["times"] == {"the day": since, "when": since, "at": f"{since} UTC"}
    assert f"at: {since} UTC" in model.doc_string


def test_a_column_that_is_called_like_an_output():
    case = cases.case(cases.kinds())
    names = ["tree/leaf", "prediction", "tree/matrix", "b", "tree/found"]
    with pytest.raises(ValueError, match="'prediction' would name two inputs or outputs"):
        case.tree.export("onnx", columns=names)
    names[1] = "probability"
    assert run(case, columns=names)[0].tolist() == expected(case).tolist()


def test_integers_that_doubles_do_not_tell_apart_are_refused():
    pd = pytest.importorskip("pandas")
    from treefront import DPDTClassifier

    ids = pd.DataFrame({"id": [2**60, 2**60 + 1] * 5})
    tree = DPDTClassifier(categorical_features=["id"]).fit(ids, [0, 1] * 5).tree_
    with pytest.raises(ValueError, match=r"column 0 has categories beyond 2\*\*53"):
        tree.export("onnx")


def test_without_onnx_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[export\]'"):
        cases.costs().export("onnx")
