"""HTML for notebooks: well formed, names escaped, no script, the numbers of the tree."""

from __future__ import annotations

import pytest

from tests.export import cases
from tests.unit.trees import front
from treefront import DPDTClassifier, summary

html5lib = pytest.importorskip("html5lib")

XHTML = "{http://www.w3.org/1999/xhtml}"


def parsed(text: str):
    """The element tree; any error of the parser is one of the test."""
    parser = html5lib.HTMLParser(strict=True)
    return parser.parseFragment(text)


def words(element) -> str:
    return "".join(element.itertext())


@pytest.mark.parametrize("name", cases.ALL)
def test_a_tree(name):
    tree = cases.ALL[name]()
    page = parsed(tree._repr_html_())
    assert page.findall(f".//{XHTML}script") == []
    assert len(page.findall(f".//{XHTML}details")) == tree.n_nodes - tree.n_leaves
    said = words(page)
    for node in summary.nodes(tree, most_categories=8, say_missing=False):
        assert (node.prediction if node.is_leaf else node.test) in said
        assert f"{node.rows}, {node.spread}" in said


def test_a_deep_tree_is_text_and_a_large_one_ends():
    page = parsed(cases.deep(3000)._repr_html_())
    assert page.find(f".//{XHTML}details") is None
    assert words(page).endswith("nodes more")


def test_a_front_is_a_chart_and_a_table():
    page = parsed(front()._repr_html_())
    assert len(page.findall(f".//{XHTML}tr")) == 4
    svg = "{http://www.w3.org/2000/svg}"
    titles = [words(title) for title in page.findall(f".//{svg}title")]
    assert titles == [
        "tree 0: loss 0.4, 0 tests",
        "tree 1: loss 0.2, 1 tests",
        "tree 2: loss 0.1, 1.4 tests",
    ]


def test_an_estimator_says_what_its_fit_found():
    model = DPDTClassifier(max_depth=2, splits="all")
    assert "Search:" not in model._repr_mimebundle_()["text/html"]
    model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0])
    for text in (model._repr_mimebundle_()["text/html"], model._repr_html_()):
        last = text[text.rindex("<div") :]
        assert words(parsed(last)).startswith("Search: optimal. Predicts with tree ")
        assert f"{model.tree_.n_leaves} leaves" in last
