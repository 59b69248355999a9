"""Mermaid: the tree as a flowchart that Markdown pages show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treefront import summary

if TYPE_CHECKING:
    from treefront.tree import Tree

MOST_CATEGORIES = 5
PLAIN = " .,:+-_'"


def to_mermaid(tree: Tree) -> str:
    """The tree as a Mermaid flowchart.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str
    """
    lines = ["flowchart TD"]
    for node in summary.nodes(tree, most_categories=MOST_CATEGORIES):
        says = [node.prediction if node.test is None else node.test, node.rows, node.spread]
        label = "<br>".join(_escaped(part) for part in says)
        opening, closing = ("(", ")") if node.is_leaf else ("[", "]")
        lines.append(f'    n{node.number}{opening}"{label}"{closing}')
        if node.parent is not None:
            answer = "yes" if node.is_left else "no"
            lines.append(f"    n{node.parent} -->|{answer}| n{node.number}")
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    """Letters and digits of any script stay; every other sign is written by its number."""
    return "".join(c if c.isalnum() or c in PLAIN else f"#{ord(c)};" for c in text)
