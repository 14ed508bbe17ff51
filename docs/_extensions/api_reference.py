"""A Sphinx extension that writes the API reference before a build: `docs/api/generated/` receives a page for each name.

The directive `api-group` lists a group of `api_pages.GROUPS`, each name with the first sentence of its docstring.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api_pages import GROUPS, documented, help_of, page
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "api/generated"
AFTER_NAPOLEON = 600


def describe_settings(_app: Sphinx, what: str, _name: str, value: object, _options: object, lines: list[str]) -> None:
    """Add the help of a settings class's fields to its docstring, as `autodoc-process-docstring` asks for."""
    if what == "class":
        lines += [
            f":param {field}: {text}" for field, text in help_of(value) if f":param {field}:" not in "\n".join(lines)
        ]


def write_pages(app: Sphinx) -> None:
    """Write the pages of all groups, and delete those of names that are gone; what is unchanged stays untouched."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{name}.rst": page(name) for names in GROUPS.values() for name in names()}
    for path in folder.glob("*.rst"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def skip_member(_app: Sphinx, _what: str, name: str, *_: object) -> bool | None:
    """Leave out the methods of metadata routing, which scikit-learn adds to every estimator with its own docstrings."""
    return True if name.startswith("set_") and name.endswith("_request") else None


class ApiGroup(SphinxDirective):
    """List a group of names, each with the first sentence of its docstring, and put their pages into the navigation.

    The content is that list for readers of a code host (`plain_lists.py`), in whose place Sphinx puts its own.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[Any]:
        """Return the table and the hidden contents of the group."""
        self.env.note_reread()  # names come and go without a change of this page
        names = GROUPS[self.arguments[0]]()
        table = [".. autosummary::", "   :nosignatures:", "", *(f"   ~{documented(name)}" for name in names), ""]
        contents = [".. toctree::", "   :hidden:", "", *(f"   generated/{name}" for name in names)]
        return self.parse_text_to_nodes("\n".join(["```{eval-rst}", *table, *contents, "```"]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the pages and the directive."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", describe_settings, priority=AFTER_NAPOLEON)
    app.connect("autodoc-skip-member", skip_member)
    app.add_directive("api-group", ApiGroup)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
