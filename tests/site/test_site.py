"""The documentation as a site: complete, whole, and at home without a network."""

from __future__ import annotations

import ast
import inspect
import textwrap
import zlib
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import treefront

# Checks of numpydoc that are left out, since a docstring here may be one line, need no link and
# no example, and says nothing of X that its shape does not say.
LEFT_OUT = {"ES01", "EX01", "PR07", "RT03", "SA01", "SS05"}
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, what it loads, and where it can be jumped into."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.without_alt: list[str] = []
        self.n_formulas = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.anchors.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in LOADED and given.get(LOADED[tag]):
            self.loads.append(str(given[LOADED[tag]]))
        if tag == "img" and not given.get("alt"):
            self.without_alt.append(str(given.get("src")))
        self.n_formulas += tag == "math"


@pytest.fixture(scope="session")
def pages(site) -> dict[Path, Page]:
    found = sorted(set(site.rglob("*.html")) - set((site / "_static").rglob("*")))
    return {path: Page(path) for path in found}


@pytest.fixture(scope="session")
def documented(site) -> dict[str, str]:
    """Every Python object of the reference, and its kind."""
    header, _, lines = (site / "objects.inv").read_bytes().partition(b"using zlib.\n")
    assert header.startswith(b"# Sphinx inventory version 2")
    entries = (line.split() for line in zlib.decompress(lines).decode().splitlines())
    return {name: kind.removeprefix("py:") for name, kind, *_ in entries if kind.startswith("py:")}


def public_names() -> list[str]:
    names = []
    for name in treefront.__all__:
        value = getattr(treefront, name)
        if isinstance(value, ModuleType):
            names += [f"{value.__name__}.{member}" for member in value.__all__]
        else:
            names.append(f"treefront.{name}")
    return names


def found(name: str) -> Any:
    """The object of a full name, and None for what is no function, method or class."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            value = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            value = inspect.getattr_static(value, part)
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        return value if callable(value) else None
    raise LookupError(name)


# ---- the reference ----


def test_every_public_name_is_in_the_reference(documented):
    assert not set(public_names()) - set(documented)


@pytest.mark.parametrize("name", [n for n in treefront.__all__ if n.startswith("DPDT")])
def test_every_method_of_an_estimator_is_in_the_reference(documented, name):
    estimator = getattr(treefront, name)
    ours = {
        method
        for owner in estimator.__mro__
        if owner.__module__.startswith("treefront")
        for method, value in vars(owner).items()
        if not method.startswith("_") and inspect.isfunction(value)
    }
    assert not {f"treefront.{name}.{method}" for method in ours} - set(documented)


def test_docstrings_say_what_the_signatures_have(documented):
    validate = pytest.importorskip("numpydoc.validate").validate
    wrong = []
    for name in documented:
        thing = found(name)
        if thing is None:
            continue
        # The fields of a dataclass are its attributes: see the next test.
        left_out = LEFT_OUT | ({"PR01"} if is_dataclass(thing) else set())
        wrong += [
            f"{name}: {code} {message}"
            for code, message in validate(name)["errors"]
            if code not in left_out
        ]
    assert not wrong, "\n".join(wrong)


def test_attributes_of_dataclasses_are_described(documented):
    from numpydoc.docscrape import ClassDoc

    for name in documented:
        thing = found(name)
        if inspect.isclass(thing) and is_dataclass(thing):
            described = {
                word.strip()
                for entry in ClassDoc(thing)["Attributes"]
                for word in entry.name.split(",")
            }
            missing = {field.name for field in fields(thing)} - described
            assert missing <= {"trees"}, name  # a front is a sequence of them


def test_what_a_function_raises_is_described(documented):
    """What a function raises itself; what is raised further down is for people to see."""
    from numpydoc.docscrape import FunctionDoc

    for name in documented:
        thing = found(name)
        if not inspect.isfunction(thing) or not thing.__module__.startswith("treefront"):
            continue
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
        raised = {
            node.exc.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise)
            and isinstance(node.exc, ast.Call)
            and isinstance(node.exc.func, ast.Name)
        }
        described = {entry.type for entry in FunctionDoc(thing)["Raises"]}
        assert raised <= described, name


def test_the_command_line_is_in_the_reference(site):
    typer = pytest.importorskip("typer")
    app = pytest.importorskip("treefront.cli.app").app
    text = (site / "docs/reference/command-line.html").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(app).commands.items():
        section = text.split(f'id="treefront-{name}"')[1].split("</section>")[0]
        for parameter in command.params:
            for flag in parameter.opts:
                assert flag in section, (name, flag)


# ---- pages ----


def test_nothing_is_loaded_from_elsewhere(pages):
    for path, page in pages.items():
        for target in page.loads:
            assert not urlsplit(target).netloc, (path, target)
            assert target.startswith("data:") or (path.parent / _file(target)).exists(), target


def test_every_link_leads_somewhere(pages):
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / _file(link)).resolve() if parts.path else path
            assert target.exists(), (path, link)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, (path, link)


def test_every_picture_is_described(pages):
    assert not [page.without_alt for page in pages.values() if page.without_alt]


def test_formulas_are_mathml(pages):
    formulas = {path.stem: page.n_formulas for path, page in pages.items()}
    assert formulas["mdp"] > 5


def test_every_page_is_reached_from_the_first(site, pages):
    first = site / "index.html"
    reached, new = set(), {first, site / "docs/index.html"}
    while new:
        path = new.pop()
        reached.add(path)
        links = {(path.parent / _file(link)).resolve() for link in pages[path].links}
        new |= {target for target in links if target in pages} - reached
    assert "docs/index.html" in first.read_text(encoding="utf-8")
    made_by_sphinx = {site / f"{name}.html" for name in ("genindex", "search", "py-modindex")}
    assert set(pages) - reached <= made_by_sphinx


def _file(link: str) -> str:
    return unquote(urlsplit(link).path)
