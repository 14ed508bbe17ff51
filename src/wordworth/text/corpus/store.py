"""`TokenStore`: a corpus as ids on disk, memory-mapped, with its sentences and documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.corpus.vocabulary import Vocabulary
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.vocabulary import read_object

VERSION = 1
META = "store.json"
IDS, SENTENCES, DOCUMENTS = "ids.bin", "sentences.bin", "documents.bin"


@dataclass(frozen=True)
class TokenStore:
    """A corpus as t tokens in s sentences in d documents.

    Attributes:
        ids: uint16 or uint32 [t], no special tokens, memory-mapped.
        sentences: int64 [s + 1], the token each sentence begins at; t last.
        documents: int64 [d + 1], the sentence each document begins at; s last.
        vocabulary: facts of the tokenizer it was built with.
        fingerprint: of the corpus bytes, the tokenizer and the settings.
        counts: documents, sentences, tokens, bytes, and what was dropped (see `build_store`).
        folder: where it lies; the tokenizer is there too.
    """

    ids: NDArray[np.uint16] | NDArray[np.uint32]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    vocabulary: Vocabulary
    fingerprint: str
    counts: Mapping[str, int]
    folder: Path

    @classmethod
    def open(cls, folder: Path | str) -> TokenStore:
        """A finished store.

        Raises:
            BadInput: there is none, it is unfinished, of another version, or files of it are damaged.
        """
        place = Path(folder)
        if not (place / META).is_file():
            mend = "build it first; a build that was stopped goes on when it is started again"
            raise BadInput("there is no finished token store here", where=str(place), mend=mend)
        meta = read_object(place / META)
        if meta.get("version") != VERSION:
            what = f"a token store of version {meta.get('version')}, this is version {VERSION}"
            raise BadInput(what, where=str(place), mend="build it again")
        counts = meta["counts"]
        dtype = np.dtype(meta["dtype"])
        return cls(
            ids=_mapped(place / IDS, dtype, counts["tokens"]),
            sentences=_mapped(place / SENTENCES, np.dtype("<i8"), counts["sentences"] + 1),
            documents=_mapped(place / DOCUMENTS, np.dtype("<i8"), counts["documents"] + 1),
            vocabulary=Vocabulary.of(Tokenizer.read(place)),
            fingerprint=meta["fingerprint"],
            counts=counts,
            folder=place,
        )

    @cached_property
    def document_tokens(self) -> NDArray[np.int64]:
        """int64 [d + 1], the token each document begins at; t last."""
        return self.sentences[self.documents]

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that it was built with."""
        return Tokenizer.read(self.folder)


def _mapped(path: Path, dtype: np.dtype, length: int) -> NDArray:  # type: ignore[type-arg]  # of the dtype given
    """A file as an array, its pages read when they are touched."""
    size = path.stat().st_size if path.is_file() else -1
    if size != length * dtype.itemsize:
        what = f"{path.name} has {size:,} bytes where {length * dtype.itemsize:,} belong"
        raise BadInput(what, where=str(path.parent), mend="build the store again")
    return np.asarray(np.memmap(path, dtype=dtype, mode="r")) if size else np.empty(0, dtype=dtype)
