"""Tables of subword vectors: folders of model2vec and of sentence-transformers' StaticEmbedding, and WordLlama's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import read_object
from wordworth.models.static.array_files import table, tensors
from wordworth.models.static.lookup import Subwords
from wordworth.models.static_embeddings import StaticTable
from wordworth.text.tokenizer import Tokenizer


def read_model2vec(folder: Path, name: str) -> StaticTable:
    """Read a folder of model2vec; vectors are multiplied by their weights, and texts are never truncated.

    Args:
        folder: the folder.
        name: the name of the table.

    Raises:
        BadInput: a file is missing or damaged, or the tokenizer has more tokens than the table has rows.
    """
    weights = folder / "model.safetensors"
    arrays = tensors(weights)
    if "embeddings" not in arrays and "embedding.weight" not in arrays:
        raise BadInput(f"no embeddings among {sorted(arrays)}", where=str(weights), mend="is this a model2vec folder?")
    vectors = table(np.asarray(arrays.get("embeddings", arrays.get("embedding.weight")), dtype=np.float32), weights)
    tokenizer = Tokenizer.read(folder / "tokenizer.json")
    rows = np.asarray(arrays["mapping"], dtype=np.int64) if "mapping" in arrays else np.arange(tokenizer.vocab_size)
    if rows.max(initial=0) >= len(vectors) or len(rows) < tokenizer.vocab_size:
        raise BadInput(
            f"the tokenizer has {tokenizer.vocab_size} tokens, the table {len(vectors)} rows",
            where=str(folder),
            mend="tokenizer.json and model.safetensors must come from the same model",
        )
    if "weights" in arrays:
        vectors, rows = vectors[rows] * np.asarray(arrays["weights"], dtype=np.float32)[:, None], np.arange(len(rows))
    size = sum((folder / part).stat().st_size for part in ("model.safetensors", "tokenizer.json"))
    lexicon = Subwords(tokenizer, rows, _unknown(folder / "tokenizer.json"))
    return StaticTable(name, vectors, lexicon, normalised=bool(_config(folder).get("normalize")), disk_bytes=size)


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    return read_object(path) if path.exists() else {}


def _unknown(path: Path) -> int | None:
    """Return the id of the tokenizer's unknown token, which model2vec leaves out of the mean; None if it has none."""
    model = read_object(path)["model"]
    token = model.get("unk_token")
    if isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    vocabulary = model.get("vocab")
    return vocabulary.get(token) if isinstance(vocabulary, dict) and token is not None else None


_TENSOR = "embedding.weight"


def read_wordllama(weights: Path, tokenizer: Path, name: str) -> StaticTable:
    """Read the files of WordLlama as a static table.

    A text's vector is the plain mean of its tokens' vectors, as WordLlama's own `embed` returns by default. The
    tokenizer falls back to bytes, so that no token is unknown.

    Args:
        weights: the safetensors file of the vectors.
        tokenizer: the `tokenizer.json`.
        name: the name of the table.

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
