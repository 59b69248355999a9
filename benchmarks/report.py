"""The report: its size, and how long a browser takes to open it.

``python -m benchmarks.report`` writes results/report.md and results/report.csv; it needs Chromium
and playwright.
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks import problems, results
from treefront import DPDTClassifier

DATA = ("avila", "bean", "eeg", "htru", "magic")  # 10,000 to 20,000 rows
DEPTHS = (4, 8)
TIMES = 11  # a page is opened; the median counts


def main() -> None:
    options = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    with sync_playwright() as driver, TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        rows = [measured(name, depth, browser, Path(folder)) for depth in DEPTHS for name in DATA]
        browser.close()
    results.write_rows("report", rows)
    parts = page(rows)
    results.write_page("report", "The report: size and opening", parts)
    print("\n\n".join(parts))


def measured(name: str, depth: int, browser: Any, folder: Path) -> dict[str, Any]:
    """One fit with default settings but the depth, its report on the given test rows."""
    X, y = problems.load({"name": name})
    model = DPDTClassifier(max_depth=depth).fit(X, y)
    start = time.perf_counter()
    report = model.report(*problems.test_part(name))
    path = folder / f"{name}-{depth}.html"
    report.save(path)
    seconds = time.perf_counter() - start
    opened = [milliseconds(browser, path) for _ in range(TIMES)]
    return {
        "data": name,
        "depth": depth,
        "rows": len(X),
        "trees": len(model.front_),
        "leaves": int(model.front_.n_leaves.max()),
        "shown": sum(tree is not None for tree in report.summary["trees"]),
        "kilobytes": path.stat().st_size / 1000,
        "written_seconds": seconds,
        "opened_milliseconds": statistics.median(opened),
    }


def milliseconds(browser: Any, path: Path) -> float:
    """From the start of loading until everything is drawn: two frames after the last script."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    opened = context.new_page()
    opened.goto(path.as_uri(), wait_until="commit")
    spent: float = opened.evaluate(
        """() => new Promise(done => {
            const drawn = () => requestAnimationFrame(() =>
                requestAnimationFrame(() => done(performance.now())));
            if (document.readyState === "complete") drawn();
            else addEventListener("load", drawn);
        })"""
    )
    context.close()
    return spent


def page(rows: list[dict[str, Any]]) -> list[str]:
    """What was done, and a table."""
    header = ["data", "depth", "training rows", "trees", "shown", "most leaves", "kB"]
    header += ["s to write", "ms to open"]
    lines = [
        [
            row["data"],
            str(row["depth"]),
            f"{row['rows']:,}",
            str(row["trees"]),
            str(row["shown"]),
            str(row["leaves"]),
            f"{row['kilobytes']:.0f}",
            results.seconds(row["written_seconds"]),
            f"{row['opened_milliseconds']:.0f}",
        ]
        for row in rows
    ]
    what = (
        "Reports (`model.report`) of default fits on data of the paper, on the given test rows, of "
        "which 200 are on the page. To open: from the start of loading in Chromium without a "
        "window, in a new context, until all is drawn (two frames after the last script); the "
        f"median of {TIMES}."
    )
    return [what, results.table(header, lines)]


if __name__ == "__main__":
    main()
