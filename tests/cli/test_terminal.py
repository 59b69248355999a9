"""The script as a person meets it: on a terminal, in a pipe, interrupted."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from treefront import load

# A parent may have told its children to ignore SIGINT.
SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from treefront_script import main
sys.exit(main())
"""
CALL = [sys.executable, "-c", SCRIPT]


@pytest.fixture
def hard(write) -> Path:
    """Too much for an exact search."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2000, 8)).tolist()
    lines = [",".join(map(repr, row)) + f",{rng.integers(2)}" for row in rows]
    return write("a,b,c,d,e,f,g,h,y\n" + "\n".join(lines))


def on_terminal(*arguments: str, interrupt_at: str | None = None) -> tuple[int, str]:
    """Exit code and all output of a command that believes it talks to a person."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    child = subprocess.Popen(
        [*CALL, *arguments],
        stdin=side,
        stdout=side,
        stderr=side,
        env=os.environ | {"TERM": "xterm-256color"},
    )
    os.close(side)
    try:
        output = "".join(_heard(main, child, interrupt_at))
        return child.wait(timeout=10), output.replace("\r\n", "\n")
    finally:
        child.kill()
        child.wait()
        os.close(main)


def _heard(main: int, child: subprocess.Popen, interrupt_at: str | None) -> Iterator[str]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([main], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(main, 65536).decode(errors="replace")
        except OSError:  # the other side is closed
            return
        yield part
        if interrupt_at is not None and interrupt_at in part:
            child.send_signal(signal.SIGINT)
            interrupt_at = None


def test_a_terminal_sees_the_bar_and_the_chosen_tree_in_bold(hard):
    code, output = on_terminal("fit", "data.csv", "--target", "y", "--max-depth", "3")
    assert code == 0
    assert "\rsearch" in output
    assert "100%" in output
    assert "\x1b[1m" in output


def test_a_terminal_sees_bound_and_gap_of_a_proof(hard):
    code, output = on_terminal(
        *("fit", "data.csv", "--target", "y", "--splits", "all", "--time-limit", "3")
    )
    assert code == 0
    assert re.search(r"\rproof .*\d% >= .*\d%, gap .*\d%, .*\d states", output)
    assert "treefront: warning: the time limit was reached" in output


def test_ctrl_c_is_one_line_and_exit_code_130(hard):
    code, output = on_terminal(
        *("fit", "data.csv", "--target", "y", "--splits", "all", "--max-depth", "6"),
        interrupt_at=" states",
    )
    assert code == 130
    assert output.startswith(
        "treefront: warning: --splits all on 2,000 rows, 8 features and --max-depth 6 may take "
    )
    assert output.endswith("treefront: interrupted\n")
    assert "Traceback" not in output


IMPORTING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Press:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Press())
from treefront_script import main
sys.exit(main())
"""


@pytest.mark.parametrize("name", ["treefront.estimators", "treefront.cli.app", "polars"])
def test_ctrl_c_while_modules_are_imported(name):
    child = subprocess.run(
        [sys.executable, "-c", IMPORTING.format(name=name), "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (child.returncode, child.stdout, child.stderr) == (130, "", "treefront: interrupted\n")


def test_ctrl_c_may_keep_the_best_front_so_far(hard):
    code, output = on_terminal(
        *("fit", "data.csv", "--target", "y", "--splits", "all", "--max-depth", "6"),
        *("--on-interrupt", "return", "--out", "model.json"),
        interrupt_at=", gap ",
    )
    assert code == 0
    assert "status: interrupted" in output
    assert load("model.json").status_ == "interrupted"


def test_a_pipe_gets_whole_lines_without_colours(data):
    result = subprocess.run(
        [*CALL, "fit", "data.csv", "--target", "y"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "20"},
    )
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    assert "…" not in result.stdout
    assert "if size <= 20" in result.stdout


@pytest.mark.parametrize(
    "command", [["fit", "--target", "y"], ["predict", "model.json"], ["fit", "--help"]]
)
def test_a_reader_that_stops_early_is_no_error(treefront, data, command):
    treefront("fit", data, "--target", "y", "--out", "model.json", "--quiet")
    with subprocess.Popen(
        [*CALL, *command, "data.csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == -signal.SIGPIPE  # as of other tools: 141 in a shell


def test_what_is_to_be_written_is_written_before_a_reader_stops(data):
    written = ["--out", "model.json", "--report", "r.html"]
    with subprocess.Popen(
        [*CALL, "fit", "data.csv", "--target", "y", *written], stdout=subprocess.PIPE
    ) as child:
        child.stdout.close()
    assert child.returncode == -signal.SIGPIPE
    assert load("model.json").front_
    assert Path("r.html").read_text().rstrip().endswith("</html>")


def test_without_the_extra_the_error_says_what_to_install():
    hidden = "import sys; sys.modules['typer'] = None\n"
    result = subprocess.run(
        [sys.executable, "-c", hidden + SCRIPT], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stderr == (
        "treefront: the command line needs typer: pip install 'treefront[cli]'\n"
    )


def test_version():
    result = subprocess.run([*CALL, "--version"], capture_output=True, text=True, check=True)
    assert result.stdout == f"treefront {version('treefront')}\n"


def test_help():
    result = subprocess.run([*CALL, "fit", "--help"], capture_output=True, text=True, check=True)
    for flag in ("--target", "--holdout", "--max-depth", "--exact-tail", "--out", "--quiet"):
        assert flag in result.stdout
