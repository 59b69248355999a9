"""What the distributions in $TREEFRONT_DIST hold: all that is needed, and no more."""

from __future__ import annotations

import os
import subprocess
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIST = os.environ.get("TREEFRONT_DIST")
LEFT_OUT = (".ci/", ".github/", "benchmarks/results/")
MOST_BYTES = 5_000_000

pytestmark = pytest.mark.skipif(DIST is None, reason="`make test-wheel` sets $TREEFRONT_DIST")


def only(pattern: str) -> Path:
    (path,) = (ROOT / str(DIST)).glob(pattern)
    return path


def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository, so no list of the project's files")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_source_distribution_is_the_repository_without_results():
    with tarfile.open(only("*.tar.gz")) as archive:
        found = {PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()}
        size = sum(member.size for member in archive)
    expected = {PurePosixPath(name) for name in tracked() if not name.startswith(LEFT_OUT)}
    assert found == expected | {PurePosixPath("PKG-INFO")}
    assert size < MOST_BYTES


def test_the_wheel_is_the_package_and_the_compiled_core():
    with zipfile.ZipFile(only("*.whl")) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        meta = [name.partition(".dist-info/")[2] for name in archive.namelist()]
        size = sum(info.file_size for info in archive.infolist())
    assert len(names) == len(set(names))
    compiled = [name for name in names if name.endswith((".so", ".pyd"))]
    assert len(compiled) == 1
    package = {
        name.removeprefix("src/")
        for name in tracked()
        if name.startswith(("src/treefront/", "src/treefront_script/"))
    }
    assert set(names) == package | {"treefront/_core.pyi", *compiled}
    assert {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"} <= set(meta)
    assert size < MOST_BYTES
