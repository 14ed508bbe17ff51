"""Where published data sets may lie on this machine; nothing here reaches the network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from wordworth.text.raw_file import COMPRESSIONS

DATA_VARIABLE = "WORDWORTH_DATA"


def folders(names: tuple[str, ...], given: Path | None) -> Iterator[Path]:
    """The folders to look in: the user's own and those of the data set in it, else those under `$WORDWORTH_DATA`."""
    base = given if given is not None else os.environ.get(DATA_VARIABLE)
    if given is not None:
        yield given
    if base:
        yield from (Path(base) / name for name in names)


def shared(place: Path | str) -> Path | None:
    """A file or folder under `$WORDWORTH_DATA`; None where it is not there, or the environment names no folder."""
    base = os.environ.get(DATA_VARIABLE)
    found = Path(base) / place if base else None
    return found if found is not None and found.exists() else None


def shared_file(place: Path) -> Path | None:
    """The same of a file, packed or not."""
    folder = shared(place.parent)
    return next(iter(find(folder, place.name)), None) if folder else None


def hub_folder(name: str) -> Path | None:
    """A data set's files in the local cache of the Hugging Face hub; None where they are not."""
    from huggingface_hub import snapshot_download

    with suppress(OSError, ValueError):  # not in the cache, which the caller then says
        return Path(snapshot_download(name, repo_type="dataset", local_files_only=True))
    return None


def find(folder: Path, pattern: str) -> list[Path]:
    """The file of that name, packed or not, or all that a pattern with `*` matches, in the order of their names."""
    if "*" in pattern:
        return sorted(folder.glob(pattern)) if folder.is_dir() else []
    candidates = (folder / f"{pattern}{packing}" for packing in ("", *COMPRESSIONS))
    return [found for found in candidates if found.is_file()][:1]
