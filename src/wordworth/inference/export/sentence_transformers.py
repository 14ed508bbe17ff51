"""A folder that sentence-transformers loads, with the same vectors; the ranges of int8 vectors are beside the model."""

from __future__ import annotations

from pathlib import Path

from wordworth.inference.embed import embed
from wordworth.inference.export.source import Source
from wordworth.models.cpu_inference.select import texts as calibration_texts
from wordworth.models.export import save
from wordworth.models.vector_codes import Int8Ranges
from wordworth.progress import Progress
from wordworth.text.file_formats.in_memory import TableSource


def write_sentence_encoder(
    source: Source, out: Path, texts: tuple[TableSource | None, str], progress: Progress
) -> None:
    """Write an encoder's folder, with the ranges of its vectors in int8.

    Args:
        source: the model; of a fine-tuned one, its encoder.
        out: the folder.
        texts: a table of texts whose vectors set the ranges and the column of the texts; texts of our own without one.
        progress: receives progress and messages.

    Raises:
        BadInput: the texts cannot be read, or the folder cannot be written.
    """
    data, column = texts
    if data is None:
        vectors = source.encoder.embed(calibration_texts(), progress=progress).vectors
    else:
        vectors = embed(data, model=source.name, text=column, dtype="float32", progress=progress)
    ranges = Int8Ranges.of(vectors)
    save(source.encoder, out)
    ranges.save(out)
