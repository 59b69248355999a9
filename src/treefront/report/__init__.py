"""The report: a model as one page that shows every tree of the front, and follows rows through."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from treefront.estimators.base import FrontEstimator
from treefront.report import page
from treefront.report.summary import MOST_ROWS, summarise

__all__ = ["MOST_ROWS", "Report", "report"]

HEIGHT_IN_A_NOTEBOOK = 900  # CSS pixels


@dataclass(frozen=True)
class Report:
    """A report of a fitted model.

    Attributes
    ----------
    summary : dict
        Every figure of the page, in plain values that JSON can hold.
    html : str
        The page. It loads nothing, and its content security policy allows its own script alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treefront import DPDTClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> report = DPDTClassifier(max_depth=2).fit(X, y).report(X, y, name="training")
    >>> report.summary["front"]["n_leaves"]
    [1, 3, 3]
    >>> report.save("report.html")  # doctest: +SKIP
    """

    summary: dict[str, Any]

    @cached_property
    def html(self) -> str:
        """The page."""
        return page.render(self.summary)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page, in UTF-8.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        OSError
            The file cannot be written.
        """
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        n_trees = len(self.summary["front"]["loss"])
        return (
            f"<Report of {n_trees} trees, {len(self.html.encode()):,} bytes; save(path) writes it>"
        )

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="treefront report" sandbox="allow-scripts" width="100%" '
            f'height="{HEIGHT_IN_A_NOTEBOOK}" srcdoc="{html.escape(self.html)}"></iframe>'
        )


def report(
    model: FrontEstimator,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    rows: int = MOST_ROWS,
    name: str = "validation",
    row_names: Sequence[str] | None = None,
    title: str | None = None,
) -> Report:
    """Report of a fitted model; see `DPDTClassifier.report`. `row_names`: what to call the rows."""
    return Report(
        summarise(
            model,
            X,
            y,
            sample_weight=sample_weight,
            rows=rows,
            name=name,
            row_names=row_names,
            title=title,
        )
    )
