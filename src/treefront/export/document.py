"""JSON: the arrays of the tree, as `Tree.from_dict` reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treefront.tree import Tree


def to_json(tree: Tree, *, indent: int | None = None) -> str:
    """The tree as strict JSON: the dict of `Tree.to_dict`, floats exact.

    Infinite thresholds, which tell what is missing, are the texts ``"inf"`` and ``"-inf"``; the
    threshold of a leaf, or of a test of categories, is null.

    Parameters
    ----------
    tree : Tree
    indent : int, optional
        Spaces per level; without, everything on one line.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Class labels of a type that JSON does not know.
    """
    return json.dumps(tree.to_dict(), allow_nan=False, ensure_ascii=False, indent=indent)
