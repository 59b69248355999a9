"""Names in single backquotes of docstrings: a link where the reference has them, else code."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PyXRefRole
from sphinx.environment import BuildEnvironment


class Name(PyXRefRole):
    """Like ``:py:obj:``, but what is no object of the reference (a parameter, say) is no error."""

    def process_link(
        self, env: BuildEnvironment, refnode: nodes.Element, *args: Any
    ) -> tuple[str, str]:
        """Mark the reference as one that may lead nowhere."""
        refnode["refdomain"], refnode["reftype"], refnode["may_be_missing"] = "py", "obj", True
        return super().process_link(env, refnode, *args)


def without_link(
    _app: Sphinx, _env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """What is written, where a `Name` leads nowhere."""
    return content if node.get("may_be_missing") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the role, which conf.py makes the default."""
    app.add_role("name", Name())
    app.connect("missing-reference", without_link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
