"""A Sphinx extension that reads docstrings as they are written here, and names their lists of fields."""

from __future__ import annotations

from docstrings_markdown import translate
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

BEFORE_NAPOLEON = 400


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
