"""``pytest tests/golden --regenerate`` writes the golden files anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_addoption(parser):
    parser.addoption(
        "--regenerate", action="store_true", help="write tests/golden/*.json from this build"
    )


@pytest.fixture
def golden(request):
    """``golden(file, key, value)``: equal to what is on file, or written there."""

    def check(name: str, key: str, value) -> None:
        path = HERE / f"{name}.json"
        on_file = json.loads(path.read_text()) if path.exists() else {}
        if request.config.getoption("--regenerate", default=False):
            path.write_text(json.dumps(on_file | {key: value}, indent=1, sort_keys=True) + "\n")
        else:
            assert key in on_file, f"{path.name} has no {key!r}: run with --regenerate"
            assert value == on_file[key]

    return check
