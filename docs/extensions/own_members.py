"""What scikit-learn gives every estimator stays out of the reference: it documents that itself."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def is_of_others(
    _app: Sphinx, what: str, _name: str, member: Any, _skip: bool, _options: Any
) -> bool | None:
    """Whether a method is inherited from another package; None leaves the decision as it was."""
    owner = getattr(member, "__module__", None) or ""
    return True if what == "class" and callable(member) and owner.startswith("sklearn.") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Ask about every member."""
    app.connect("autodoc-skip-member", is_of_others)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
