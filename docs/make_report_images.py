"""Photograph the report of docs/how-to/report.md: docs/images/report-*.png.

Needs Chromium, playwright and pillow:  .venv/bin/python docs/make_report_images.py
"""

from __future__ import annotations

import os
import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treefront import DPDTClassifier
from treefront.report import Report

IMAGES = Path(__file__).parent / "images"
COLORS = 96  # of a picture: enough for flat colours and smooth letters


def main() -> None:
    """Front and tree, light and dark, and a telephone."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        report().save(path)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1240, "height": 1190},
                color_scheme=scheme,
                device_scale_factor=1.2,
            )
            page.goto(path.as_uri())
            photograph(page, f"report-{scheme}.png")
        page = browser.new_page(viewport={"width": 390, "height": 1400}, device_scale_factor=1.5)
        page.goto(path.as_uri())
        page.click("#mode-questions")
        page.click("#mode .no")
        page.evaluate("document.getElementById('tree-heading').scrollIntoView()")
        photograph(page, "report-narrow.png")
        browser.close()


def report() -> Report:
    """The same data and model as on the page."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    X_train, X_val, y_train, y_val = train_test_split(X, y, random_state=0, stratify=y)
    model = DPDTClassifier(max_depth=3).fit(X_train, y_train).select(X_val, y_val)
    return model.report(X_val, y_val, title="Breast cancer: benign or malignant")


def photograph(page: Any, name: str) -> None:
    """A picture of what is on the screen, in few colours."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main()
