"""A table as an `.npy` of vectors and a `.parquet` of words in the same order (as in the GloVe package)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wordworth.errors import BadInput
from wordworth.models.static.weights import mapped
from wordworth.models.static.words import Words
from wordworth.models.static_embeddings import StaticTable


def read_arrays(vectors: Path, words: Path, name: str) -> StaticTable:
    """Read the table; the vectors stay on disk until used.

    Raises:
        BadInput: a file is unreadable or has no column of words, or the two differ in length.
    """
    array = mapped(vectors)
    known = _words(words)
    if len(known) != len(array):
        raise BadInput(
            f"{len(known)} words, but {vectors.name} has {len(array)} vectors",
            where=str(words),
            mend="the two files must come from the same table",
        )
    size = vectors.stat().st_size + words.stat().st_size
    rows = dict(zip(known, range(len(known)), strict=True))
    return StaticTable(name, array, Words(rows), by_frequency=True, disk_bytes=size)


def _words(path: Path) -> list[str]:
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"not a readable parquet file: {error}", where=str(path)) from error
    for column in table.columns:
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            return [str(word) for word in column.to_pylist()]
    raise BadInput("no column of words", where=str(path), mend="one column must hold text")
