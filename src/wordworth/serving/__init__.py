"""An HTTP server of a model, for clients of OpenAI's API and of text-embeddings-inference (TEI).

    HTTP ─► application ─► routes ─► service ─► engine: job queue ─► batches on threads ─► text reader ─► model
                           OpenAI    limits,
                           TEI       deadlines

The application is made by `wordworth.serving.application.app`, and `wordworth.serve` runs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wordworth.serving.application import app

__all__ = ["app"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562: an extra is needed only where a server is made
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("wordworth.serving.application").app
