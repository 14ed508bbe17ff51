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
    """Return the path of the first file that is missing or has another SHA-256 than recorded; None if no file has.

    Args:
        folder: the folder.
        recorded: the value of a manifest: name of a file -> SHA-256. Manifests of earlier versions have None here: no
            file is checked. For any other value that is not a dict, `folder` is returned.

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
