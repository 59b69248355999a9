"""Exports: a chosen tree as code, data or drawing outside Python; one function per target."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treefront.export.c import to_c
from treefront.export.document import to_json
from treefront.export.dot import to_dot
from treefront.export.latex import to_latex
from treefront.export.mermaid import to_mermaid
from treefront.export.onnx import to_onnx
from treefront.export.python import to_python
from treefront.export.rule_list import to_rules
from treefront.export.sql import to_sql

if TYPE_CHECKING:
    from treefront.tree import Tree

__all__ = [
    "TARGETS",
    "export",
    "to_c",
    "to_dot",
    "to_json",
    "to_latex",
    "to_mermaid",
    "to_onnx",
    "to_python",
    "to_rules",
    "to_sql",
    "to_text",
]


def to_text(tree: Tree) -> str:
    """The tree as indented rules, as `Tree.to_text` gives them.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str
    """
    return tree.to_text()


#: Function of every target, by its name.
TARGETS: dict[str, Callable[..., str | bytes]] = {
    "sql": to_sql,
    "python": to_python,
    "c": to_c,
    "json": to_json,
    "onnx": to_onnx,
    "text": to_text,
    "rules": to_rules,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "latex": to_latex,
}


def export(tree: Tree, to: str, **options: Any) -> str | bytes:
    """The tree in another language.

    Parameters
    ----------
    tree : Tree
    to : {"sql", "python", "c", "json", "onnx", "text", "rules", "dot", "mermaid", "latex"}
    **options
        Those of the target's function, such as `to_sql`.

    Returns
    -------
    str, or bytes for ONNX

    Raises
    ------
    ValueError
        No such target, or what its function raises.
    TypeError
        An option that the target does not have.
    """
    if to not in TARGETS:
        raise ValueError(f"to must be one of {', '.join(TARGETS)}, got {to!r}")
    return TARGETS[to](tree, **options)
