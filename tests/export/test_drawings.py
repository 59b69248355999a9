"""dot, Mermaid and LaTeX are read by real parsers, which find the labels that were meant."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.export import cases
from treefront import summary
from treefront.export.dot import MOST_CATEGORIES

HERE = Path(__file__).resolve().parent
MERMAID = HERE.parents[1] / "build" / "mermaid"  # where `make test-python` puts it

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def node_version() -> tuple[int, ...]:
    if shutil.which("node") is None:
        return ()
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", said))


needs_mermaid = pytest.mark.skipif(
    node_version() < (20, 19) or not (MERMAID / "node_modules" / "mermaid").exists(),
    reason="Mermaid is not installed (`make test-python` does it where npm and Node 20.19 are)",
)
needs_tex = pytest.mark.skipif(shutil.which("xelatex") is None, reason="TeX is not installed")


def parts(node) -> list[str]:
    """What a node says, line by line."""
    return [node.prediction if node.is_leaf else node.test, node.rows, node.spread]


def nodes_of(tree):
    return summary.nodes(tree, most_categories=MOST_CATEGORIES)


def edges_of(tree) -> list[tuple[str, str, str]]:
    return [
        (f"n{node.parent}", f"n{node.number}", "yes" if node.is_left else "no")
        for node in nodes_of(tree)
        if node.parent is not None
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pydot's own parser
@pytest.mark.parametrize("name", cases.ALL)
def test_dot_is_parsed(name):
    pydot = pytest.importorskip("pydot")
    tree = cases.ALL[name]()
    (graph,) = pydot.graph_from_dot_data(tree.export("dot"))
    named = {node.get_name(): node for node in graph.get_nodes()}
    assert {f"n{i}" for i in range(tree.n_nodes)} <= set(named)
    edges = [(e.get_source(), e.get_destination(), e.get("label")) for e in graph.get_edges()]
    assert [(a, b, label.strip('"')) for a, b, label in edges] == edges_of(tree)


@needs_graphviz
@pytest.mark.parametrize("name", cases.ALL)
def test_graphviz_draws_the_labels(name):
    tree = cases.ALL[name]()
    dot = ["dot", "-Tsvg"]
    drawn = subprocess.run(dot, input=tree.export("dot").encode(), capture_output=True, check=True)
    picture = ElementTree.fromstring(drawn.stdout)
    space = {"svg": "http://www.w3.org/2000/svg"}
    said = {
        group.find("svg:title", space).text: [t.text for t in group.findall("svg:text", space)]
        for group in picture.iterfind(".//svg:g[@class='node']", space)
    }
    # Graphviz keeps runs of blanks as no-break spaces.
    said = {key: [text.replace("\xa0", " ") for text in texts] for key, texts in said.items()}
    assert said == {f"n{node.number}": parts(node) for node in nodes_of(tree)}


@needs_mermaid
@pytest.mark.parametrize("name", cases.ALL)
def test_mermaid_reads_the_labels(name):
    tree = cases.ALL[name]()
    command = ["node", str(HERE / "mermaid_labels.mjs")]
    text = tree.export("mermaid").encode()
    answer = subprocess.run(command, cwd=MERMAID, input=text, capture_output=True, check=True)
    read = json.loads(answer.stdout)
    said = {key: _decoded(label).split("<br>") for key, label in read["vertices"].items()}
    wanted = {f"n{node.number}": parts(node) for node in nodes_of(tree)}
    assert {key: [html.unescape(part) for part in label] for key, label in said.items()} == wanted
    assert [tuple(edge) for edge in read["edges"]] == edges_of(tree)


def _decoded(label: str) -> str:
    """Mermaid keeps entities in this form until it draws."""
    return label.replace("ﬂ°°", "&#").replace("ﬂ°", "&").replace("¶ß", ";")


@pytest.mark.parametrize("name", cases.ALL)
def test_mermaid_labels_hold_no_sign_with_a_meaning(name):
    tree = cases.ALL[name]()
    lines = tree.export("mermaid").splitlines()
    labels = re.findall(r'^    n\d+[(\[]"(.*)"[)\]]$', "\n".join(lines), re.MULTILINE)
    assert lines[0] == "flowchart TD"
    assert len(lines) == 1 + tree.n_nodes + tree.n_nodes - 1
    decoded = [
        [re.sub(r"#(\d+);", lambda m: chr(int(m[1])), part) for part in label.split("<br>")]
        for label in labels
    ]
    assert decoded == [parts(node) for node in nodes_of(tree)]


@pytest.mark.parametrize("name", cases.ALL)
def test_latex_is_parsed(name):
    latexwalker = pytest.importorskip("pylatexenc.latexwalker")
    latex2text = pytest.importorskip("pylatexenc.latex2text")
    tree = cases.ALL[name]()
    source = tree.export("latex")
    walker = latexwalker.LatexWalker(source, tolerant_parsing=False)
    ((environment, *_), _, _) = walker.get_latex_nodes()
    assert environment.envname == "forest"
    inner = source.split("\n", 2)[2]
    shown = latex2text.LatexNodes2Text().latex_to_text(inner)
    for node in nodes_of(tree):
        for part in parts(node):
            assert _signs(part) in _signs(shown)
    said = [sign for node in nodes_of(tree) for part in parts(node) for sign in part]
    assert inner.count(r"\textquotedbl{}") == said.count('"')


def _signs(text: str) -> str:
    """All but blanks, which TeX joins, and quotation marks, which pylatexenc does not know."""
    return "".join(text.replace("ˆ", "^").replace('"', "").split())


@needs_tex
@pytest.mark.long
@pytest.mark.parametrize("name", cases.ALL)
def test_tex_sets_the_picture(name, tmp_path):
    (tmp_path / "tree.tex").write_text(cases.ALL[name]().export("latex", standalone=True))
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "tree.pdf").stat().st_size > 1000


def test_latex_refuses_what_no_page_shows():
    with pytest.raises(ValueError, match="has 51 levels of tests; LaTeX draws up to 50"):
        cases.deep(51).export("latex")
    assert cases.deep(50).export("latex").count("[{") == 101


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_a_tree_of_3000_levels(target):
    assert "n6000" in cases.deep(3000).export(target)
