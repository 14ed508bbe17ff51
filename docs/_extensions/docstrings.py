"""A Sphinx extension that reads docstrings as they are written here, and gives their lists of fields our words.

Two habits of Markdown are translated to reStructuredText: indented blocks of code, and `Name`s in the plural.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

BEFORE_NAPOLEON = 400
NAME = re.compile(r"(?<!`)`([^`]+)`(?=\w)")
INDENT = "    "


def translate(lines: list[str]) -> list[str]:
    """Return the lines of a docstring with its code blocks and names as reStructuredText has them."""
    translated: list[str] = []
    last = ""  # the last line that is not empty
    for number, line in enumerate(lines):
        begins = line.startswith(INDENT) and number > 0 and not lines[number - 1].strip()
        if begins and not last.startswith(" ") and not last.endswith(":"):
            translated += [".. code-block:: python", ""]
        translated.append(NAME.sub(r"`\1`\\ ", line))
        last = line if line.strip() else last
    return translated


def process(_app: Sphinx, _what: str, _name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Translate a docstring in place, as `autodoc-process-docstring` asks for."""
    lines[:] = translate(lines)


def put_dashes(_app: Sphinx, doctree: nodes.document) -> None:
    """Write the dash between a field and its description, which Sphinx leaves to `smartquotes`, as a dash."""
    for text in list(doctree.findall(nodes.Text)):
        if text.astext() == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the translations."""
    app.connect("autodoc-process-docstring", process, priority=BEFORE_NAPOLEON)
    app.connect("doctree-read", put_dashes)
    for field in PyObject.doc_field_types:
        field.label = "Attributes" if field.name == "variable" else field.label
    return {"parallel_read_safe": True, "parallel_write_safe": True}
