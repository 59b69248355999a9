"""Formulas as MathML, which browsers draw themselves: no script, no font, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """``$x$``."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """``$$x$$``; wide ones scroll."""
    formula = tex2mathml(node.astext(), as_block=True)
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(f"{formula}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
