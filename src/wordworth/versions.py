"""Versions of the libraries that compute, and a key of Wordworth's own code."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from pathlib import Path

from wordworth.files import content_key

PACKAGES = ("wordworth", "numpy", "scipy", "scikit-learn", "tokenizers", "torch")


def version(package: str) -> str:
    """Return the installed version of a package, or `absent`."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


@cache
def code_key(*rooms: str) -> str:
    """Return a key of the code that computes: of Wordworth's source files and of the versions of `PACKAGES`.

    Results cached under this key are never served to code that could have computed something else.

    Args:
        rooms: folders of Wordworth's package whose source files count; all of them if none is named.
    """
    root = Path(__file__).resolve().parent
    folders = [root / room for room in rooms] or [root]
    lines = (path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py")))
    return content_key(*map(version, PACKAGES), *lines)
