"""WordLlama: a table of subwords distilled from the input layers of large language models."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.models.static.subwords import Subwords
from wordworth.models.static.weights import table, tensors
from wordworth.models.static_embeddings import StaticTable
from wordworth.text.tokenizer import Tokenizer

_TENSOR = "embedding.weight"


def read_wordllama(weights: Path, tokenizer: Path, name: str) -> StaticTable:
    """Read the table; a text's vector is the plain mean, as WordLlama's own `embed` gives by default.

    Its tokenizer falls back to bytes, so that no token is unknown.

    Raises:
        BadInput: a file is damaged, or the tokenizer has more tokens than the table has rows.
    """
    arrays = tensors(weights)
    if _TENSOR not in arrays:
        raise BadInput(f"no {_TENSOR} among {sorted(arrays)}", where=str(weights), mend="is this WordLlama's file?")
    vectors = table(arrays[_TENSOR], weights)
    reader = Tokenizer.read(tokenizer)
    if reader.vocab_size > len(vectors):
        raise BadInput(
            f"the tokenizer has {reader.vocab_size} tokens, the table {len(vectors)} rows",
            where=str(tokenizer),
            mend="the tokenizer and the weights must come from the same model",
        )
    size = weights.stat().st_size + tokenizer.stat().st_size
    return StaticTable(name, vectors.astype(np.float32), Subwords(reader), disk_bytes=size)
