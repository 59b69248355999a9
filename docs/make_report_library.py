"""Builds src/treefront/report/d3.js: the parts of D3 that the report draws with, in one file.

Needs npm. The versions are fixed here; a newer one is a change of this file and of d3.js together.

    python docs/make_report_library.py
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "d3"
RESULT = ROOT / "src" / "treefront" / "report" / "d3.js"

MODULES = {
    "d3-axis": "3.0.1",
    "d3-hierarchy": "3.1.3",
    "d3-scale": "4.0.3",
    "d3-selection": "3.0.1",
    "d3-shape": "3.2.1",
}
BUNDLER = {"esbuild": "0.28.2"}
ENTRY = """\
export { axisBottom, axisLeft } from "d3-axis";
export { hierarchy, tree } from "d3-hierarchy";
export { scaleLinear } from "d3-scale";
export { select } from "d3-selection";
export { curveStepAfter, line, linkHorizontal } from "d3-shape";
"""
OPTIONS = ("--bundle", "--minify", "--format=iife", "--global-name=d3", "--target=es2020")


def main() -> None:
    """Install, bundle, and write the file with its licence."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    package = {"private": True, "dependencies": MODULES | BUNDLER}
    (FOLDER / "package.json").write_text(json.dumps(package))
    (FOLDER / "entry.js").write_text(ENTRY)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=FOLDER, check=True)
    bundle = subprocess.run(
        ["node_modules/.bin/esbuild", "entry.js", *OPTIONS],
        cwd=FOLDER,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # With what they depend on; all of them have the same licence.
    used = sorted(folder for folder in (FOLDER / "node_modules").glob("d3-*"))
    packages = [json.loads((folder / "package.json").read_text()) for folder in used]
    assert {package["license"] for package in packages} == {"ISC"}
    names = ", ".join(f"{package['name']} {package['version']}" for package in packages)
    licence = (FOLDER / "node_modules" / "d3-shape" / "LICENSE").read_text().strip()
    assert "</" not in bundle  # it stands in a script element
    RESULT.write_text(
        f"/* Parts of D3 (https://d3js.org), made by docs/make_report_library.py: {names}.\n\n"
        f"{licence} */\n{bundle}"
    )


if __name__ == "__main__":
    main()
