"""A cache of a corpus's vectors in a folder, so that a second query does not encode the corpus again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.file_checksums import changed_file, file_checksums
from wordworth.files import replacing_folder, write_text
from wordworth.json_file import differing, read_object
from wordworth.measures.attention_maps import Weights
from wordworth.retrieval.stored_vectors import damaged, mapped_array
from wordworth.sentence_formatting import join_words
from wordworth.studies.neighbours.corpus_word_vectors import WordVectors
from wordworth.studies.neighbours.tagged_text import TaggedText

MANIFEST = "contexts.json"
_ARRAYS = {"text": 1, "position": 1, "vectors": 2, "inputs": 2, "attended": 1}
"""Names of the arrays of `WordVectors` -> their numbers of dimensions."""
_RANDOM, _KEPT = "random", "texts"
_CHECKSUMS = "sha256"
CachedVectors = tuple[WordVectors, Weights]
"""The words of a corpus, and their vectors with random weights, float32 [words, width]."""


def cached_vectors(
    folder: Path | None,
    identity: Mapping[str, object],
    texts: Sequence[TaggedText],
    compute: Callable[[], CachedVectors],
) -> CachedVectors:
    """Read the vectors of a corpus from a folder; if the folder is empty, compute the vectors and write them into it.

    Args:
        folder: the folder; None computes the vectors and writes nothing.
        identity: everything that decides the vectors: keys of the model and of the texts, and settings.
        texts: the texts of the corpus.
        compute: function that computes the vectors; it may leave out texts that are too long.

    Raises:
        BadInput: the folder holds other files, vectors with another `identity` or damaged vectors, or cannot be
            written.
    """
    if folder is None:
        return compute()
    if (folder / MANIFEST).exists():
        recorded = read_object(folder / MANIFEST)
        checksums = recorded.pop(_CHECKSUMS, None)
        _require_identity(folder, recorded, identity)
        return _opened(folder, texts, checksums)
    if folder.exists() and any(folder.iterdir()):
        raise BadInput("this folder is no index of contexts", where=str(folder), mend="name a new folder with --index")
    corpus, random = compute()
    _write(folder, identity, texts, corpus, random)
    return corpus, random


def _require_identity(folder: Path, recorded: Mapping[str, object], identity: Mapping[str, object]) -> None:
    """Check that the cached vectors in a folder were made of the same model, corpus and settings.

    Args:
        folder: the folder of the cache.
        recorded: name -> value of everything that decided the vectors, as the folder's manifest holds it.
        identity: the same for the corpus of this query.

    Raises:
        BadInput: the vectors were made of another model, corpus or settings.
    """
    if other := differing(dict(recorded), dict(identity)):
        what = f"this index was made with another {join_words(other)}"
        raise BadInput(what, where=str(folder), mend="name a new folder with --index, or remove this one")


def _write(
    folder: Path,
    identity: Mapping[str, object],
    texts: Sequence[TaggedText],
    corpus: WordVectors,
    random: Weights,
) -> None:
    number_of = {id(text): number for number, text in enumerate(texts)}
    with replacing_folder(folder) as new:
        for name in _ARRAYS:
            if (array := getattr(corpus, name)) is not None:
                np.save(new / f"{name}.npy", array)
        np.save(new / f"{_RANDOM}.npy", random)
        np.save(new / f"{_KEPT}.npy", np.array([number_of[id(text)] for text in corpus.texts], dtype=np.int64))
        checksums = file_checksums(new, sorted(path.name for path in new.iterdir()))
        write_text(new / MANIFEST, json.dumps({**identity, _CHECKSUMS: checksums}, indent=1) + "\n")


def _opened(folder: Path, texts: Sequence[TaggedText], checksums: object) -> CachedVectors:
    """Open the cached arrays in a folder, memory-mapped; check their bytes, and that each has a row for every word."""
    if (changed := changed_file(folder, checksums)) is not None:
        raise damaged(changed)
    present = {name: size for name, size in _ARRAYS.items() if name != "attended" or (folder / "attended.npy").exists()}
    arrays = {name: mapped_array(folder / f"{name}.npy", size) for name, size in present.items()}
    random, kept = mapped_array(folder / f"{_RANDOM}.npy", 2), mapped_array(folder / f"{_KEPT}.npy", 1)
    for name, array in {**arrays, _RANDOM: random}.items():
        if len(array) != len(arrays["text"]):
            raise damaged(folder / f"{name}.npy")
    corpus = WordVectors(tuple(texts[number] for number in kept.tolist()), **arrays)
    return replace(corpus, text=np.asarray(corpus.text), position=np.asarray(corpus.position)), random
