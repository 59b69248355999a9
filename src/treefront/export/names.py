"""Names in exported code: of columns, of outputs, of functions."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treefront import labels

if TYPE_CHECKING:
    from treefront.tree import Tree


def of_columns(tree: Tree, given: Sequence[str] | None) -> list[str]:
    """Names of the columns: those given, else those of training, else ``x0``, ``x1``, ...

    Raises
    ------
    ValueError
        Another number of names than of columns, or two that are equal.
    """
    if given is None:
        return list(tree.feature_names or (f"x{column}" for column in range(tree.n_features)))
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise ValueError(f"columns must be a list of names, got {given!r}")
    if len(given) != tree.n_features:
        raise ValueError(f"columns has {len(given)} names, but the tree has {tree.n_features}")
    if len(set(given)) != len(given):
        raise ValueError("columns names one column twice")
    return list(given)


def of_outputs(tree: Tree) -> list[str]:
    """``prediction``, or ``prediction_0``, ``prediction_1``, ... of several targets."""
    if tree.classes is not None or tree.value.shape[1] == 1:
        return ["prediction"]
    return [f"prediction_{target}" for target in range(tree.value.shape[1])]


def of_shares(tree: Tree) -> list[str]:
    """``proba_`` and the class, for every class; none for a regression tree."""
    return [] if tree.classes is None else [f"proba_{c}" for c in labels.names(tree.classes)]


C_WORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "bool",
        "true",
        "false",
        "nullptr",
        "main",
        "class",
        "namespace",
        "new",
        "delete",
        "template",
        "this",
        "throw",
        "try",
        "catch",
        "operator",
        "private",
        "public",
        "protected",
        "using",
        "virtual",
    ]
)


def check_identifier(name: str) -> str:
    """A name that Python and C take as it is.

    Raises
    ------
    ValueError
        It is none.
    """
    if (
        not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)
        or keyword.iskeyword(name)
        or name in C_WORDS
    ):
        raise ValueError(
            f"{name!r} cannot name a function: use letters, digits and underscores, a letter first"
        )
    return name
