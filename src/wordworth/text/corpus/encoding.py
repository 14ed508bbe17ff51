"""Documents become ids, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.documents import Document
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.corpus.txt_layouts import paragraphs
from wordworth.text.corpus.word_reader import Ids, WordReader

_SENTENCES_AT_ONCE = 8_192


@dataclass(frozen=True, slots=True)
class Encoded:
    """Documents as ids.

    Attributes:
        ids: [tokens], of the store's type, no special tokens.
        sentences: int64 [sentences], tokens of each; none is empty.
        documents: int64 [documents], sentences of each; none is empty.
        unread: documents that had no token (nothing but characters that the tokenizer drops).
        characters: of the documents, for telling how far the work is.
    """

    ids: Ids
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    unread: int
    characters: int


def encode(documents: Sequence[Document], reader: WordReader) -> Encoded:
    """The ids of documents, sentence by sentence; sentences and documents without a token are left out.

    A tokenizer that sees blanks (byte pairs, sentencepiece) sees one before every sentence but a document's first, as
    it would in the document.
    """
    before = " " if reader.tokenizer.blank_mark else ""
    numbered = (
        (number, before + text if place else text)
        for number, document in enumerate(documents)
        for place, text in enumerate(sentence_texts(document))
    )
    owners, ids, sizes = list[int](), [np.empty(0, reader.dtype)], [np.empty(0, np.int64)]
    while some := list(islice(numbered, _SENTENCES_AT_ONCE)):
        owners += [number for number, _ in some]
        found, lengths = reader.read([text for _, text in some])
        ids.append(found)
        sizes.append(lengths)
    lengths = np.concatenate(sizes)
    filled = np.bincount(np.array(owners, dtype=np.int64)[lengths > 0], minlength=len(documents))
    kept = filled[filled > 0]
    characters = sum(len(document.text) for document in documents)
    return Encoded(np.concatenate(ids), lengths[lengths > 0], kept, len(documents) - len(kept), characters)


def sentence_texts(document: Document) -> Iterator[str]:
    """The sentences of a document, as text."""
    if document.given:
        yield from document.text.split("\n")
        return
    for paragraph in paragraphs(document.text):
        for begin, end in sentences(paragraph):
            yield paragraph[begin:end]
