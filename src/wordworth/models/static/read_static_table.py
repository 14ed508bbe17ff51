"""Read any static table: choose the reader that a file or folder needs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.models.static.array_files import read_arrays
from wordworth.models.static.subword_tables import read_model2vec, read_wordllama
from wordworth.models.static.word_vector_files import read_text_vectors, read_word2vec_binary
from wordworth.models.static_embeddings import StaticTable
from wordworth.sources import Resolved, resolve

_FORMS = "GloVe text (.txt), word2vec (.bin, .txt), fastText (.vec), a model2vec folder, or .npy with .parquet words"


def read_static(name: str, *, hash_whole: bool = False) -> StaticTable:
    """Read a static table by its name in the catalogue, its local file or folder, or its cached hub name.

    Args:
        name: the name or path.
        hash_whole: whether to hash the files anew, which is needed if results are cached under the hash or resumed.

    Raises:
        BadInput: nothing has that name, its format is unknown, or a file is damaged.
    """
    source = resolve(name, hash_whole=hash_whole)
    return _packaged(name) if source.location == "package" else read_resolved(source)


@lru_cache(maxsize=2)
def _packaged(name: str) -> StaticTable:
    """Read a table of a pip package, whose files do not change; the last two such tables stay in memory."""
    return read_resolved(resolve(name))


def read_resolved(source: Resolved) -> StaticTable:
    """Read the static table of a resolved name; the suffixes of its files decide in which format it is read."""
    by_suffix = {path.suffix: path for path in source.files.values()}
    if len(source.files) == 1:
        return _of_file(next(iter(source.files.values())), source.name)
    if {".npy", ".parquet"} <= by_suffix.keys():
        return read_arrays(by_suffix[".npy"], by_suffix[".parquet"], source.name)
    if "tokenizer.json" in source.files:
        return read_model2vec(source.folder, source.name)
    if "0_StaticEmbedding/tokenizer.json" in source.files:
        return read_model2vec(source.folder / "0_StaticEmbedding", source.name)
    weights = [path for path in source.files.values() if path.suffix == ".safetensors"]
    tokenizers = [path for path in source.files.values() if path.name.endswith("tokenizer_config.json")]
    if len(weights) == 1 and len(tokenizers) == 1:
        return read_wordllama(weights[0], tokenizers[0], source.name)
    raise BadInput("no table of vectors in a known format", where=str(source.folder), mend=f"give {_FORMS}")


def _of_file(path: Path, name: str) -> StaticTable:
    if path.suffix in {".txt", ".vec"}:
        return read_text_vectors(path, name)
    if path.suffix == ".bin":
        return read_word2vec_binary(path, name)
    words = path.with_suffix(".parquet")
    if path.suffix == ".npy" and words.exists():
        return read_arrays(path, words, name)
    unpack = "unpack it first; " if path.suffix in {".gz", ".zip", ".xz", ".bz2"} else ""
    if path.suffix in {".csv", ".tsv", ".jsonl", ".json"}:
        mend = f"give {_FORMS}; vectors of your rows are read by `worth` alone, as --vectors"
        raise BadInput("this is a file of rows, not a table of word vectors", where=str(path), mend=mend)
    raise BadInput(
        f"unknown format of vectors: {path.suffix or 'a file without a suffix'}",
        where=str(path),
        mend=f"{unpack}give {_FORMS}",
    )
