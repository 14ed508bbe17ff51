"""Encode documents as ids, sentence by sentence."""

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
        ids: [tokens], of the store's dtype, without special tokens.
        sentences: int64 [sentences], number of tokens in each; none is empty.
        documents: int64 [documents], number of sentences in each; none is empty.
        unread: number of documents without any token (the tokenizer drops all their characters).
        characters: number of characters in the documents, for progress reports.
    """

    ids: Ids
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    unread: int
    characters: int


def encode(documents: Sequence[Document], reader: WordReader) -> Encoded:
    """The ids of documents, sentence by sentence; sentences and documents without a token are left out.

    For a tokenizer that reads spaces (byte pairs, SentencePiece), a space is put before every sentence except the first
    of a document, as it would stand in the document.
    """
    before = " " if reader.tokenizer.blank_mark else ""
    numbered = (
        (number, before + text if index else text)
        for number, document in enumerate(documents)
        for index, text in enumerate(sentence_texts(document))
    )
    owners, ids, sizes = list[int](), [np.empty(0, reader.dtype)], [np.empty(0, np.int64)]
    while batch := list(islice(numbered, _SENTENCES_AT_ONCE)):
        owners += [number for number, _ in batch]
        token_ids, lengths = reader.read([text for _, text in batch])
        ids.append(token_ids)
        sizes.append(lengths)
    lengths = np.concatenate(sizes)
    filled = np.bincount(np.array(owners, dtype=np.int64)[lengths > 0], minlength=len(documents))
    sentence_counts = filled[filled > 0]
    characters = sum(len(document.text) for document in documents)
    return Encoded(
        np.concatenate(ids), lengths[lengths > 0], sentence_counts, len(documents) - len(sentence_counts), characters
    )


def sentence_texts(document: Document) -> Iterator[str]:
    """The sentences of a document, as text."""
    if document.given:
        yield from document.text.split("\n")
        return
    for paragraph in paragraphs(document.text):
        for begin, end in sentences(paragraph):
            yield paragraph[begin:end]
