"""`ReportPage`: the page of a record, which shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

from html import escape
from pathlib import Path

from wordworth.files import write_text

_HEIGHT = "min(720px,80vh)"
"""CSS height of the page's frame in a notebook; the page scrolls inside the frame."""


class ReportPage(str):
    """A str that is one self-contained HTML page; a notebook shows the page, and `save` writes it to a file."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ReportPage of {len(self):,} characters: show it in a notebook, or save(path)>"

    def save(self, path: Path | str) -> None:
        """Write the page to a file, atomically.

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
