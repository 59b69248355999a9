"""Calling the command line in this process, and the files it is called on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("polars")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line of bad input."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("treefront: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix("treefront: ").rstrip("\n")


@pytest.fixture
def treefront(capsys) -> Callable[..., Answer]:
    from treefront.cli.app import run

    def call(*arguments: object) -> Answer:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


@pytest.fixture
def write(tmp_path, monkeypatch) -> Callable[[str], Path]:
    """Write ``data.csv`` into the current folder of the test."""
    monkeypatch.chdir(tmp_path)

    def text(content: str | bytes, name: str = "data.csv") -> Path:
        path = Path(name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return text


@pytest.fixture
def data(write) -> Path:
    """Forty rows: y is "big" where size > 20, but for row 5; noise has no say."""
    lines = ["size,noise,y"]
    for i in range(1, 41):
        label = "big" if i > 20 or i == 5 else "small"
        lines.append(f"{i},{(i * 7) % 11},{label}")
    return write("\n".join(lines) + "\n")
