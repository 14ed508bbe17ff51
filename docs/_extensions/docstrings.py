"""A Sphinx extension that reads docstrings as they are written here, and sets them for narrow screens too."""

from __future__ import annotations

from docstrings_markdown import translate
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

BEFORE_NAPOLEON = 400
LONGEST_UNBROKEN = 22


def process(_app: Sphinx, _what: str, _name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Translate a docstring in place, as `autodoc-process-docstring` asks for."""
    lines[:] = translate(lines)


def put_dashes(_app: Sphinx, doctree: nodes.document) -> None:
    """Write the dash between a field and its description, which Sphinx leaves to `smartquotes`, as a dash."""
    for text in list(doctree.findall(nodes.Text)):
        if text.astext() == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def keep_short_code_whole(_app: Sphinx, doctree: nodes.document) -> None:
    """Mark short pieces of code, which are not to be broken at a hyphen: `--id`."""
    for literal in doctree.findall(nodes.literal):
        if len(literal.astext()) <= LONGEST_UNBROKEN:
            literal["classes"].append("unbroken")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the translations."""
    app.connect("autodoc-process-docstring", process, priority=BEFORE_NAPOLEON)
    app.connect("doctree-read", put_dashes)
    app.connect("doctree-read", keep_short_code_whole)
    for field in PyObject.doc_field_types:
        field.label = "Attributes" if field.name == "variable" else field.label
    return {"parallel_read_safe": True, "parallel_write_safe": True}
