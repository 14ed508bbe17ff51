"""Architectures, checkpoints and static tables: an encoder maps a packed `Batch` of tokens to hidden states.

The package can be called like a function. The call lists the models that Wordworth knows by name, or downloads a model:

    wordworth.models()  # returns a list of entries with name, kind, title, licence and so on
    wordworth.models(download="owner/name")  # downloads from the hub; returns the folder of the files and their hashes

Args of the function:
    download: name of a model of the hub to download; None lists the known models and data.
"""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from wordworth.errors import BadInput

if TYPE_CHECKING:
    from wordworth.download_catalogue import Entry
    from wordworth.sources import Resolved


class _Room(ModuleType):
    """This package as a function: `wordworth.models` is both the command and the package of that name."""

    def __call__(self, *names: str, download: str | None = None) -> list[Entry] | Resolved:
        """List the known models and data, or download one, as `wordworth.models.known_models.models` says."""
        if names:
            mend = f"models(download={names[0]!r}) fetches one from the hub, and load({names[0]!r}) opens one"
            raise BadInput("models() lists the known models and takes no name", mend=mend)
        from wordworth.models.known_models import models

        return models() if download is None else models(download=download)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature of the function, as `inspect.signature` and notebooks show it."""
        from wordworth.models.known_models import models

        return inspect.signature(models)


sys.modules[__name__].__class__ = _Room
