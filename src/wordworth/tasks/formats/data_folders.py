"""Find published data sets on this machine; nothing here accesses the network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.sources import hub_download
from wordworth.text.read_compressed_file import COMPRESSIONS, is_file

DATA_VARIABLE = "WORDWORTH_DATA"
LEARN_FROM = "; or learn from another named task of its kind, with --learn-from"
"""What the error for a missing training part offers beside the files."""


def folders(names: tuple[str, ...], folder: Path | None) -> Iterator[Path]:
    """Yield the folders to search for a data set's files.

    Args:
        names: names that the data set's folder may have.
        folder: the user's own folder, which is searched together with the folders of these names in it; None searches
            the folders of these names in `$WORDWORTH_DATA`.
    """
    base = folder if folder is not None else os.environ.get(DATA_VARIABLE)
    if folder is not None:
        yield folder
    if base:
        yield from (Path(base) / name for name in names)


def shared(relative_path: Path | str) -> Path | None:
    """Return the path of a file or folder under `$WORDWORTH_DATA`; None if it is missing or the variable is not set."""
    base = os.environ.get(DATA_VARIABLE)
    path = Path(base) / relative_path if base else None
    return path if path is not None and path.exists() else None


def shared_file(relative_path: Path) -> Path | None:
    """Return the path of a file under `$WORDWORTH_DATA`, compressed or not; None if the file does not exist."""
    folder = shared(relative_path.parent)
    return next(iter(matching_files(folder, relative_path.name)), None) if folder else None


def named_file(name: Path | str, published: Path, what: str) -> Path:
    """Return the path of the user's own file, or of the published file with this name.

    Args:
        name: a file, on the disk or only in memory, or the name of a published file.
        published: path under `$WORDWORTH_DATA` of the published file.
        what: what the file holds, in words, for the error.

    Raises:
        BadInput: there is no such file and no such name.
    """
    path = Path(name)
    if path.suffix or path.exists() or is_file(path):
        return path
    stored = shared_file(published)
    if stored is None:
        mend = f"give a file, or set {DATA_VARIABLE} to a folder with {published.parent}"
        raise BadInput(f"no {what} {str(name)!r}", mend=mend)
    return stored


def hub_folder(name: str) -> Path | None:
    """Return a data set's folder in the local cache of the Hugging Face hub; None if the data set is not cached."""
    snapshot_download = hub_download()
    with suppress(OSError, ValueError):  # not in the cache, which the caller reports
        return Path(snapshot_download(name, repo_type="dataset", local_files_only=True))
    return None


def matching_files(folder: Path, pattern: str) -> list[Path]:
    """Return the files in a folder whose names match a pattern, sorted by name.

    Args:
        folder: the folder.
        pattern: a pattern with `*`, or the name of one file, compressed or not (`train.tsv` also finds `train.tsv.gz`).
    """
    if "*" in pattern:
        return sorted(folder.glob(pattern)) if folder.is_dir() else []
    candidates = (folder / f"{pattern}{packing}" for packing in ("", *COMPRESSIONS))
    return [candidate for candidate in candidates if candidate.is_file()][:1]
