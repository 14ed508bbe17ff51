"""Encode sentences fast: each word is encoded once and cached."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.index_ranges import ranges, starts_of
from wordworth.text.tokenizer import Tokenizer

Ids = NDArray[np.unsignedinteger]

MOST_WORDS = 300_000
"""Words cached at a time, about 60 MB."""

_MOST_CHARACTERS = 10_000_000
_TOGETHER = 4_096
_BLANKS_TO_PYTHON_ONLY = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


def store_type(tokenizer: Tokenizer) -> np.dtype[np.unsignedinteger]:
    """The dtype of a store's ids: uint16 if the vocabulary fits, else uint32; little-endian."""
    return np.dtype("<u2" if tokenizer.vocab_size <= 1 << 16 else "<u4")


class WordReader:
    """Encodes sentences word by word through a tokenizer, caching the ids of the words it has seen.

    The result is that of `Tokenizer.literal().ids(sentences, special=False)`, its slow twin. With a tokenizer for which
    a word's ids depend on its neighbours, every sentence is encoded whole.
    """

    def __init__(self, tokenizer: Tokenizer, most_words: int = MOST_WORDS) -> None:
        self.tokenizer, self.most_words = tokenizer.literal(), most_words
        self.dtype = store_type(tokenizer)
        self._numbers = _Numbers()
        self._ids: Ids = np.empty(0, dtype=self.dtype)
        self._sizes = self._uses = np.empty(0, dtype=np.int64)
        self._starts = np.zeros(1, dtype=np.int64)

    def read(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        """The ids of all texts, end to end, and the number of ids of each text."""
        if not self.tokenizer.reads_words_alone or _BLANKS_TO_PYTHON_ONLY.search("".join(texts)):
            return self._read_whole(texts)
        words, ends = list[str](), [0]
        for text in self._spaced(texts):
            words += text.split()
            ends.append(len(words))
        numbers = np.fromiter(map(self._numbers.__getitem__, words), dtype=np.int64, count=len(words))
        self._learn()
        self._uses += np.bincount(numbers, minlength=len(self._uses))
        sizes = self._sizes[numbers]
        ids = self._ids[ranges(self._starts[numbers], sizes)]
        if len(self._numbers) > self.most_words or self._numbers.characters > _MOST_CHARACTERS:
            self._forget()
        return ids, np.diff(starts_of(sizes)[ends])

    def _spaced(self, texts: list[str]) -> Iterator[str]:
        """The texts with spaces around punctuation, which leaves a third as many distinct words.

        ASCII texts are lower-cased as well where the tokenizer does so; lower-casing other letters is left to the
        library.
        """
        plain = _space_punctuation([text for text in texts if text.isascii()], lower=self.tokenizer.lowercase)
        other = _space_punctuation([text for text in texts if not text.isascii()], lower=False)
        return (next(plain if text.isascii() else other) for text in texts)

    def _learn(self) -> None:
        """Encode the words that are new, many of them as one text: that is faster."""
        ids, sizes = [self._ids], [self._sizes]
        for batch in self._numbers.fresh():
            tokens = self.tokenizer.encode_words([batch])[0]
            in_word = tokens.words >= 0
            ids.append(tokens.ids[in_word].astype(self.dtype))
            sizes.append(np.bincount(tokens.words[in_word], minlength=len(batch)))
        self._set_table(np.concatenate(ids), np.concatenate(sizes))

    def _set_table(self, ids: Ids, sizes: NDArray[np.int64]) -> None:
        self._ids, self._sizes, self._starts = ids, sizes, starts_of(sizes)
        self._uses = np.concatenate([self._uses, np.zeros(len(sizes) - len(self._uses), dtype=np.int64)])

    def _forget(self) -> None:
        """Keep the most used quarter of the words; earlier uses count half from now on."""
        most_used = np.sort(np.argsort(-self._uses, kind="stable")[: len(self._uses) // 4])
        words = list(self._numbers)
        self._numbers = _Numbers(words[number] for number in most_used.tolist())
        ids = self._ids[ranges(self._starts[most_used], self._sizes[most_used])]
        self._uses = self._uses[most_used] // 2
        self._set_table(ids, self._sizes[most_used])

    def _read_whole(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        sequences = self.tokenizer.ids(texts, special=False)
        sizes = np.array([len(ids) for ids in sequences], dtype=np.int64)
        return np.concatenate([np.empty(0, np.int64), *sequences]).astype(self.dtype), sizes


def _space_punctuation(texts: list[str], *, lower: bool) -> Iterator[str]:
    joined = "\n".join(text.replace("\n", " ") for text in texts)
    if lower:
        joined = joined.lower()
    for mark in string.punctuation:
        if mark in joined:
            joined = joined.replace(mark, f" {mark} ")
    return iter(joined.split("\n"))


class _Numbers(dict[str, int]):
    """A number for every word, in order of first appearance."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        super().__init__((word, number) for number, word in enumerate(known))
        self.characters = sum(map(len, self))
        self._new: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self._new.append(word)
        return number

    def fresh(self) -> Iterator[list[str]]:
        """The words added since the last call, in groups of some thousand characters."""
        new, self._new = self._new, []
        batch, characters = list[str](), 0
        for word in new:
            batch.append(word)
            characters += len(word)
            if characters > _TOGETHER:
                yield batch
                self.characters += characters
                batch, characters = [], 0
        if batch:
            yield batch
            self.characters += characters
