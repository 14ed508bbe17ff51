"""`ReportPage`: the page of a record, which shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

from html import escape
from pathlib import Path

from wordworth.files import write_text

_HEIGHT = "min(720px,80vh)"
"""Height of the page in a notebook, which a short window still holds whole; the page scrolls inside."""


class ReportPage(str):
    """A page as one self-contained HTML document, which is the text of this string."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ReportPage of {len(self):,} characters: show it in a notebook, or save(path)>"

    def save(self, path: Path | str) -> None:
        """Write the page to a file, whole or not at all.

        Raises:
            BadInput: the file cannot be written.
        """
        write_text(path, str(self))

    def _repr_html_(self) -> str:
        """Return the page in a frame for a notebook.

        The frame is sandboxed: the page runs its own scripts, and reaches neither the notebook nor its cookies.
        """
        style = f"display:block;box-sizing:border-box;width:100%;height:{_HEIGHT};border:1px solid #ccc;background:#fff"
        return f'<iframe sandbox="allow-scripts" title="report" style="{style}" srcdoc="{escape(self)}"></iframe>'
