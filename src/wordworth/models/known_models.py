"""`models`: the models and data that Wordworth knows by name, and downloads from the hub."""

from __future__ import annotations

from typing import overload

from wordworth import sources
from wordworth.download_catalogue import Entry
from wordworth.sources import Resolved


@overload
def models(*, download: None = None) -> list[Entry]: ...
@overload
def models(*, download: str) -> Resolved: ...
def models(*, download: str | None = None) -> list[Entry] | Resolved:
    """List the known models and data, or download a model from the hub into its cache.

    Args:
        download: name of a model to download; None lists the known models and data. Weights in safetensors, JSON and
            text are fetched, and no code.

    Returns:
        The entries of the catalogue: name, kind, title, origin, hash, licence and whether it is on this machine; or the
        paths and hashes of the downloaded model's files.

    Raises:
        BadInput: the hub has no such model, or it cannot be reached.

    >>> "mini" in [entry.name for entry in models()]
    True
    """
    return list(sources.catalogue()) if download is None else sources.download(download)
