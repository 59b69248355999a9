"""The site in a real browser: light and dark, wide and narrow, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PAGES = [
    *("docs/index", "docs/tutorial", "docs/how-to/command-line", "docs/reference/classifier"),
    *("docs/reference/command-line", "docs/explanation/mdp", "benchmarks/results/paper/table2"),
]
# Elements that reach beyond a narrow window, and that no element around them scrolls.
CUT_OFF = """() => [...document.querySelectorAll("article *")].filter((element) => {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.right <= window.innerWidth + 1) return false;
  for (let around = element; around.tagName !== "ARTICLE"; around = around.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(around).overflowX)) return false;
  return true;
}).map((element) => element.tagName + ": " + element.textContent.slice(0, 60))"""


@pytest.fixture(params=["light", "dark"])
def open_page(request, browser) -> Iterator[Callable[[Path], Any]]:
    """Open a page; at the end nothing may have complained or been looked for in vain."""
    context = browser.new_context(
        color_scheme=request.param, viewport={"width": 1300, "height": 900}
    )
    context.set_offline(True)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("requestfailed", lambda request: problems.append(request.url))

    def opened(path: Path) -> Any:
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    assert problems == []


def test_pages_open_offline_and_keep_the_rules_of_accessibility(site, open_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"preload": False}  # style sheets of files cannot be read by scripts
    wrong = [
        f"{name}: {violation['id']}: {violation['nodes'][0]['html']}"
        for name in PAGES[:4]
        for violation in axe.run(open_page(site / f"{name}.html"), options=options).response[
            "violations"
        ]
        if violation["id"] != "definition-list"  # numpydoc: sections are lists within a list
    ]
    assert not wrong, wrong


def test_nothing_is_cut_off_on_a_narrow_screen(site, browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    cut_off = {}
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        cut_off[name] = page.evaluate(CUT_OFF)
    page.close()
    assert not any(cut_off.values()), cut_off


def test_the_search_finds_a_page(site, browser):
    page = browser.new_page()
    page.goto(f"{(site / 'search.html').as_uri()}?q=absolute")
    page.wait_for_selector("ul.search a[href*='how-to/regression']")
    page.close()
