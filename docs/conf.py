"""The documentation as a site: `make docs` builds it into build/docs.

The source folder is the repository, so that pages link to each other, to benchmarks/results and to
the files at the root as they do on a code host. Nothing is loaded from a network, neither by the
build nor by the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

from treefront import __version__

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "extensions"))

project = "treefront"
author = "The treefront developers"
project_copyright = author
version = release = __version__

extensions = [
    *("myst_parser", "sphinx.ext.autodoc", "numpydoc"),
    *("command_line", "mathml", "names", "own_members"),  # in docs/extensions
]

# ---- what belongs to the site ----

root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "benchmarks/README.md",
    "benchmarks/results/**.md",
    *("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"),
]
# Folders that need not be walked.
exclude_patterns = [".*", "bindings", "build", "core", "dist", "src", "tests"]

# ---- how pages are read ----

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
default_role = "name"
html_math_renderer = "mathml"
smartquotes = False  # -- begins an option

autodoc_typehints = "none"  # docstrings say it in words
autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 80

# ---- how they look ----

html_theme = "pydata_sphinx_theme"
html_title = "treefront"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "to_docs.html"}
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("docs/index", "docs/tutorial")}  # nothing beside them
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
