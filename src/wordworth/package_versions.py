"""Installed versions of packages, and `code_key`: a hash of Wordworth's source files for the keys of caches."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from pathlib import Path

from wordworth.files import content_key

PACKAGES = ("wordworth", "numpy", "scipy", "scikit-learn", "tokenizers", "torch")


def version(package: str) -> str:
    """Return the installed version of a pip package, or the text `absent` if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


@cache
def code_key(*subpackages: str) -> str:
    """Return a hash of the code that computes results: Wordworth's source files, and the versions of `PACKAGES`.

    A cache whose keys include this hash never returns a result that another version of the code computed.

    Args:
        subpackages: folders of the package `wordworth` whose source files are hashed; without any, all source files.
    """
    root = Path(__file__).resolve().parent
    folders = [root / name for name in subpackages] or [root]
    lines = (path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py")))
    return content_key(*map(version, PACKAGES), *lines)
