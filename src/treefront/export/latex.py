"""LaTeX: the tree for the package forest, which draws with TikZ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treefront import summary

if TYPE_CHECKING:
    from treefront.tree import Tree

MOST_CATEGORIES = 5
DEEPEST = 50  # TeX nests a bounded number of groups, and no page is wide enough
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"-{}",  # two of them are a dash
}
PREAMBLE = r"""\documentclass[border=4pt]{standalone}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{forest}
\begin{document}
"""


def to_latex(tree: Tree, *, standalone: bool = False) -> str:
    """The tree as a picture of LaTeX's package forest.

    The page needs the packages ``fontenc`` with option ``T1``, ``textcomp`` and ``forest``. Names
    in other scripts than Latin need XeLaTeX or LuaLaTeX and a font that has them.

    Parameters
    ----------
    tree : Tree
    standalone : bool, default=False
        A whole document rather than the picture alone.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        A tree of more than 50 levels: TeX nests no deeper, and no page could show it.
    """
    if tree.depth > DEEPEST:
        raise ValueError(
            f"the tree has {tree.depth} levels of tests; LaTeX draws up to {DEEPEST}: choose a "
            "smaller tree of the front, or export it as dot"
        )
    lines = [
        r"\begin{forest}",
        r"  for tree={draw, rounded corners, align=center, font=\small, l sep=8mm, s sep=3mm}",
    ]
    nodes = summary.nodes(tree, most_categories=MOST_CATEGORIES)
    waiting: list[tuple[int, bool]] = [(0, True)]
    while waiting:
        number, opens = waiting.pop()
        node = nodes[number]
        indent = "  " * (node.level + 1)
        if not opens:
            lines.append(f"{indent}]")
            continue
        lines.append(indent + _opened(node) + ("]" if node.is_leaf else ""))
        if node.left is not None and node.right is not None:
            waiting += [(number, False), (node.right, True), (node.left, True)]
    picture = "\n".join([*lines, r"\end{forest}", ""])
    return PREAMBLE + picture + "\\end{document}\n" if standalone else picture


def _opened(node: summary.Node) -> str:
    says = [node.prediction if node.test is None else node.test, node.rows, node.spread]
    text = r"\\".join(_escaped(part) for part in says)
    options = ["fill=black!8"] if node.is_leaf else []
    if node.parent is not None:
        side, answer = ("left", "yes") if node.is_left else ("right", "no")
        options.append(
            rf"edge label={{node[midway, {side}, draw=none, font=\scriptsize]{{{answer}}}}}"
        )
    return f"[{{{text}}}" + "".join(f", {option}" for option in options)


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(c, c) for c in text)
