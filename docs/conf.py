"""The settings of the documentation site: `make docs` builds it strictly, every warning an error."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from api_pages import missing_libraries

import wordworth

project = "Wordworth"
author = "The authors of Wordworth"
copyright = "The authors of Wordworth, Apache-2.0"  # noqa: A001 - the name that Sphinx reads
version = release = wordworth.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "api_reference",
    "command_reference",
    "docstrings",
]
exclude_patterns = ["_extensions", "records", "images"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"

myst_heading_anchors = 4  # links to headings are written as GitHub makes their anchors
myst_enable_extensions = ["colon_fence"]
highlight_language = "text"  # blocks without a language are shell commands with their remarks
smartquotes = False  # it makes dashes of the options in prose
default_role = "code"  # docstrings write `names` between single backticks

autosummary_generate = False  # `api_reference` writes the pages
autodoc_member_order = "bysource"
add_module_names = False  # each page says how to import its name
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_mock_imports = missing_libraries()  # the integrations are documented without them
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes without a description of their own
napoleon_use_rtype = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Wordworth"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif'
html_theme_options = {  # the colours of the reports
    "light_css_variables": {
        "font-stack": _FONT,
        "color-brand-primary": "#005a8f",
        "color-brand-content": "#005a8f",
        "color-brand-visited": "#005a8f",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cb6f5",
        "color-brand-content": "#6cb6f5",
        "color-brand-visited": "#6cb6f5",
    },
}
