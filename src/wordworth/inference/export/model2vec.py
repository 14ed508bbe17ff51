"""A static table of an encoder's pieces, as a folder that model2vec loads; `to-static` makes one of your own text."""

from __future__ import annotations

from pathlib import Path

from wordworth.inference.export.source import Source
from wordworth.models.static.distillation import to_static
from wordworth.progress import Progress


def write_table(source: Source, out: Path, progress: Progress) -> None:
    """Write the table.

    Args:
        source: the model; of a fine-tuned one, its encoder.
        out: the folder.
        progress: receives progress and messages.

    Raises:
        BadInput: the encoder has no vocabulary, or the folder cannot be written.
    """
    to_static(source.name, method="pieces", out=out, half=False, progress=progress)  # model2vec computes in its type
