"""Documents become ids, fast: each word between blanks is read once and remembered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.documents import Document
from wordworth.text.corpus.plain_text import paragraphs
from wordworth.text.corpus.ranges import ranges, starts_of
from wordworth.text.corpus.sentences import sentences
from wordworth.text.tokenizer import Tokenizer

Ids = NDArray[np.unsignedinteger]

_MOST_WORDS = 400_000
_MOST_CHARACTERS = 8_000_000
_SENTENCES_AT_ONCE = 8_192
_BLANKS_TO_PYTHON_ONLY = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


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


def store_type(tokenizer: Tokenizer) -> np.dtype[np.unsignedinteger]:
    """The type of a store's ids: uint16 where it holds the whole vocabulary, else uint32; little-endian."""
    return np.dtype("<u2" if tokenizer.vocab_size <= 1 << 16 else "<u4")


class WordReader:
    """Reads sentences word by word through a tokenizer, keeping the ids of the words it met.

    What it gives is what `Tokenizer.literal().ids(sentences, special=False)` gives, its slow twin. A tokenizer for
    which a word's ids depend on the blanks around it is not read by words but asked for every sentence.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer.literal()
        self.dtype = store_type(tokenizer)
        self._forget()

    def _forget(self) -> None:
        self._numbers = _Numbers()
        self._held = 0
        self._ids: Ids = np.empty(0, dtype=self.dtype)
        self._sizes = np.empty(0, dtype=np.int64)
        self._starts = np.zeros(1, dtype=np.int64)

    def read(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        """The ids of all texts, end to end, and the number of each."""
        if not self.tokenizer.reads_words_alone or _BLANKS_TO_PYTHON_ONLY.search("".join(texts)):
            return self._slowly(texts)
        parts = [text.split() for text in texts]
        words = [word for part in parts for word in part]
        numbers = np.fromiter(map(self._numbers.__getitem__, words), dtype=np.int64, count=len(words))
        self._learn()
        sizes = self._sizes[numbers]
        ids = self._ids[ranges(self._starts[numbers], sizes)]
        ends = starts_of(sizes)[starts_of(np.array([len(part) for part in parts], dtype=np.int64))]
        if len(self._numbers) > _MOST_WORDS or self._held > _MOST_CHARACTERS:
            self._forget()
        return ids, np.diff(ends)

    def _learn(self) -> None:
        """Ask the tokenizer for the words that came up for the first time."""
        new = self._numbers.new
        if new:
            ids, sizes = self._slowly(new)
            self._ids, self._sizes = np.concatenate([self._ids, ids]), np.concatenate([self._sizes, sizes])
            self._starts = starts_of(self._sizes)
            self._held += sum(map(len, new))
            self._numbers.new = []

    def _slowly(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        found = self.tokenizer.ids(texts, special=False)
        sizes = np.array([len(ids) for ids in found], dtype=np.int64)
        return np.concatenate([np.empty(0, np.int64), *found]).astype(self.dtype), sizes


class _Numbers(dict[str, int]):
    """A number for every word, in the order in which they came; `new` lists those that no one has read yet."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self.new.append(word)
        return number


def encode(documents: Sequence[Document], reader: WordReader) -> Encoded:
    """The ids of documents, sentence by sentence; sentences and documents without a token are left out."""
    numbered = ((number, text) for number, document in enumerate(documents) for text in sentence_texts(document))
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
