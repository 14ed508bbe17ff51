"""What computes: the versions of what we stand on, and a key of our own code."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from pathlib import Path

from wordworth.files import content_key

PACKAGES = ("wordworth", "numpy", "scipy", "scikit-learn", "tokenizers", "torch")


def version(package: str) -> str:
    """The installed version of a package, or `absent`."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


@cache
def code_key(*rooms: str) -> str:
    """A key of what computes: every line of our own code, or of some rooms of it, and the versions of `PACKAGES`.

    What is kept on disk under it is never served to code that could have computed something else.

    Args:
        rooms: folders of our package; all of it where none is named.
    """
    root = Path(__file__).resolve().parent
    folders = [root / room for room in rooms] or [root]
    lines = (path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py")))
    return content_key(*map(version, PACKAGES), *lines)
