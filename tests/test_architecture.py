"""ARCHITECTURE.md is true, and the borders it draws are kept.

The import contract (``lint-imports``) holds the layers inside the Python package; this file holds
what it can't see: the compiled module, the C++ core, and the map itself.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {"core": (".cpp", ".hpp"), "bindings": (".cpp", ".hpp"), "src/treefront": (".py",)}

# A line of the map: "- `path` — meaning"; `core/front.{hpp,cpp}` names both files.
MAP_LINE = re.compile(r"^\s*- `(?P<path>[^`]+)` — \S.*$", re.MULTILINE)


def expand(path: str) -> list[str]:
    found = re.search(r"\{([^}]*)\}", path)
    if found is None:
        return [path]
    return [path[: found.start()] + part + path[found.end() :] for part in found[1].split(",")]


def mapped() -> list[str]:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return [path for line in MAP_LINE.finditer(text) for path in expand(line["path"])]


def sources(folder: str) -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in SOURCES[folder])


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("folder", SOURCES)
def test_every_source_file_is_on_the_map_once(folder):
    on_map = Counter(mapped())
    wrong = {named(p): on_map[named(p)] for p in sources(folder) if on_map[named(p)] != 1}
    assert not wrong, f"ARCHITECTURE.md must name each of these once, not {wrong}"


def test_every_path_on_the_map_exists():
    missing = [path for path in mapped() if not (ROOT / path).exists()]
    assert not missing, f"ARCHITECTURE.md names what is not there: {missing}"


def imports(path: Path) -> set[str]:
    """Absolute names of all that a module of the package imports, at any place."""
    package = ["treefront", *path.relative_to(ROOT / "src/treefront").parent.parts]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names.add(origin)
            names.update(f"{origin}.{alias.name}" for alias in node.names)
    return names


def test_only_native_imports_the_compiled_module():
    users = {named(p) for p in sources("src/treefront") if "treefront._core" in imports(p)}
    assert users <= {"src/treefront/_native.py"}


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("knows no Python", r'#\s*include\s*[<"](Python\.h|nanobind|pybind11)'),
        ("never prints", r"\bstd::(cout|cerr|clog)\b|(?<!\w)(?:std::)?f?printf\s*\("),
        ("never exits", r"(?<!\w)(?:std::)?(exit|_Exit|quick_exit|abort|terminate)\s*\("),
    ],
)
def test_the_core_is_a_guest(what, pattern):
    offenders = {named(p) for p in sources("core") if re.search(pattern, p.read_text("utf-8"))}
    assert not offenders, f"the core {what}"
