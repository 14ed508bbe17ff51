"""SHA-256 of the files of a folder, recorded in its manifest, so that a changed byte is found before a file is used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wordworth.files import sha256


def file_checksums(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of files of a folder, 64 hexadecimal digits each, by name.

    Raises:
        BadInput: a file cannot be read.
    """
    return {name: sha256(folder / name) for name in names}


def changed_file(folder: Path, recorded: object) -> Path | None:
    """Return the first file of a folder that is not as recorded, or None if every file is.

    Args:
        folder: the folder.
        recorded: what a manifest holds of its files: name -> SHA-256. None, which earlier versions left there, checks
            nothing; anything that is not such a table counts as a change of the folder.

    Raises:
        BadInput: a file cannot be read.
    """
    if recorded is None:
        return None
    if not isinstance(recorded, dict):
        return folder
    for name, digest in recorded.items():
        path: Path = folder / name
        if path.parent != folder or not path.is_file() or sha256(path) != digest:
            return path
    return None
