"""Pages opened in a real browser that may neither complain nor load anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.report import models


@contextmanager
def opened(browser: Any, report: Any, path: Path, **options: Any) -> Iterator[Any]:
    """A report, opened from a file without a network; at the end nothing may have gone wrong."""
    report.save(path)
    context = browser.new_context(**{"viewport": {"width": 1300, "height": 900}, **options})
    context.set_offline(True)
    page = context.new_page()
    problems: list[str] = []  # of which violations of the policy are some
    requests: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


@pytest.fixture
def open_page(browser, tmp_path) -> Iterator[Callable[..., Any]]:
    """Open a page of a report."""
    with ExitStack() as pages:
        number = count()

        def call(report: Any, **options: Any) -> Any:
            path = tmp_path / f"{next(number)}.html"
            return pages.enter_context(opened(browser, report, path, **options))

        yield call


@dataclass(frozen=True)
class Case:
    """A model, its report, and the page of it, which its tests share."""

    name: str
    fitted: models.Fitted
    summary: dict[str, Any]
    page: Any


@pytest.fixture(scope="module", params=models.ALL)
def case(request, browser, tmp_path_factory) -> Iterator[Case]:
    """A model of every kind."""
    fitted = models.ALL[request.param]()
    report = fitted.model.report(fitted.X, fitted.y, title=f"<{request.param}>")
    path = tmp_path_factory.mktemp("report") / "report.html"
    with opened(browser, report, path) as page:
        yield Case(request.param, fitted, report.summary, page)
