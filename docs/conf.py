"""Sphinx configuration for `make docs`. The pages load nothing from other hosts."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from grognard import __version__

project = "grognard"
author = "the grognard authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docs.pages"]
exclude_patterns = ["pictures"]
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!grognard\.).*"),  # names of Python and numpy, and type variables
    (r"py:.*", r"grognard\.(cli|server|files|systems|report|words|studies.sweeps|adapters.export.models)\..*"),
    (r"py:.*", r"grognard\..*\.[STU](_co)?"),
    (r"py:.*", r"grognard\..*\._[A-Z]\w*"),  # private
]
suppress_warnings = ["ref.python"]  # two classes are called Comparison, and an annotation cannot tell them apart

myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
default_role = "code"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False

html_theme = "furo"
html_title = "grognard"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#8a3324",
        "color-brand-content": "#8a3324",
        "color-brand-visited": "#6b4a80",
        "color-background-primary": "#fffcf5",
        "color-background-secondary": "#f7f2e6",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e8937f",
        "color-brand-content": "#e8937f",
        "color-brand-visited": "#c9a5dc",
    },
}
pygments_style = "xcode"
pygments_dark_style = "monokai"
