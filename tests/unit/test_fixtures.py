"""Models of every release so far: they load and predict as they did, or say why not."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from tests.fixtures.make import predictions
from treefront import __version__, load

pytest.importorskip("pandas")

FOLDERS = sorted(
    path for path in (Path(__file__).parent.parent / "fixtures").iterdir() if path.is_dir()
)
EXPECTED = [path for folder in FOLDERS for path in sorted(folder.glob("*.expected.json"))]


def test_this_release_has_some():
    assert any(path.parent.name == __version__ for path in EXPECTED), (
        "run python -m tests.fixtures.make"
    )


def said(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_json(path):
    model = load(path.with_name(path.name.replace(".expected", "")))
    assert predictions(model) == said(path)["front"]
    assert model.tree_.to_text() == said(path)["text"]


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_pickle(path):
    # What numpy 2 wrote into a pickle, an older numpy does not find.
    pytest.importorskip("numpy._core", reason="the pickles were written with numpy 2")
    data = path.with_name(path.name.replace(".expected.json", ".pickle")).read_bytes()
    try:
        model = pickle.loads(data)
    except ValueError as error:
        assert path.parent.name != __version__
        with pytest.raises(ValueError, match="was pickled by treefront"):
            raise error from None
        return
    assert predictions(model) == said(path)["front"]
    assert model.tree_.to_text() == said(path)["text"]
    assert model.get_params(deep=False) == model.__class__(**model.get_params()).get_params()
