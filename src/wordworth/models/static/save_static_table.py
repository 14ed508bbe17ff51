"""Save a static table as a folder that `load` opens.

A table of subwords is saved in the format of model2vec, a table of words as an `.npy` of vectors and a `.parquet` of
words.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import save

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.models.static.lookup import Subwords, Words
from wordworth.models.static_embeddings import StaticTable

CONFIG = {"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True, "seq_length": 1_000_000}
"""The config of a table in the format of model2vec; texts are never cut."""


def save_table(table: StaticTable, folder: Path | str) -> None:
    """Write a table into a folder, whole or not at all; a folder of that name is replaced.

    Raises:
        BadInput: the folder cannot be written, or the table's lookup is not of one of Wordworth's own classes.
    """
    if not isinstance(table.lexicon, Subwords | Words):
        raise BadInput(f"a lookup of type {type(table.lexicon).__name__} cannot be saved", where=table.name)
    with replacing_folder(folder) as new:
        if isinstance(table.lexicon, Words):
            _write_words(table, table.lexicon, new)
        else:
            _write_subwords(table, table.lexicon, new)


def _write_subwords(table: StaticTable, lexicon: Subwords, folder: Path) -> None:
    vectors = np.ascontiguousarray(table.vectors[:], np.float32)
    mapping = {} if lexicon.rows is None else {"mapping": np.ascontiguousarray(lexicon.rows)}
    (folder / "model.safetensors").write_bytes(save({"embeddings": vectors, **mapping}))
    (folder / "tokenizer.json").write_text(lexicon.tokenizer.to_json(), encoding="utf-8")
    facts = {"normalize": table.normalised, "hidden_dim": table.width, "embedding_dtype": "float32"}
    (folder / "config.json").write_text(json.dumps(CONFIG | facts, indent=1) + "\n", encoding="utf-8")


def _write_words(table: StaticTable, lexicon: Words, folder: Path) -> None:
    """Write the words in the order of their first rows, with their vectors as they are stored."""
    words, rows = list(lexicon.rows), np.fromiter(lexicon.rows.values(), np.int64, len(lexicon.rows))
    np.save(folder / "vectors.npy", table.vectors[rows])
    pq.write_table(pa.table({"word": words}), folder / "vectors.parquet")
