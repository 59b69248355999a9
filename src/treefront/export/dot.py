"""Graphviz: the tree in the dot language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treefront import summary

if TYPE_CHECKING:
    from treefront.tree import Tree

MOST_CATEGORIES = 5


def to_dot(tree: Tree) -> str:
    """The tree in Graphviz' dot language.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str
    """
    lines = [
        "digraph tree {",
        '    graph [ordering="out"];',
        '    node [shape=box, style="rounded", fontname="Helvetica"];',
        '    edge [fontname="Helvetica"];',
    ]
    for node in summary.nodes(tree, most_categories=MOST_CATEGORIES):
        says = [node.prediction if node.test is None else node.test, node.rows, node.spread]
        # "\n" between escaped parts is dot's line break.
        label = "\\n".join(_escaped(part) for part in says)
        look = ', style="rounded,filled", fillcolor="#eeeeee"' if node.is_leaf else ""
        lines.append(f'    n{node.number} [label="{label}"{look}];')
        if node.parent is not None:
            answer = "yes" if node.is_left else "no"
            lines.append(f'    n{node.parent} -> n{node.number} [label="{answer}"];')
    return "\n".join([*lines, "}", ""])


def _escaped(text: str) -> str:
    """For a quoted string; `&` too, since dot reads HTML entities in labels."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
