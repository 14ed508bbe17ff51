"""Sentences become ids, fast: each word is read once and remembered."""

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
"""Words remembered at a time, about 60 MB."""

_MOST_CHARACTERS = 10_000_000
_TOGETHER = 4_096
_BLANKS_TO_PYTHON_ONLY = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


def store_type(tokenizer: Tokenizer) -> np.dtype[np.unsignedinteger]:
    """The type of a store's ids: uint16 where it holds the whole vocabulary, else uint32; little-endian."""
    return np.dtype("<u2" if tokenizer.vocab_size <= 1 << 16 else "<u4")


class WordReader:
    """Reads sentences word by word through a tokenizer, keeping the ids of the words it met.

    What it gives is what `Tokenizer.literal().ids(sentences, special=False)` gives, its slow twin. A tokenizer for
    which a word's ids depend on what is around it is not read by words but asked for every sentence.
    """

    def __init__(self, tokenizer: Tokenizer, most_words: int = MOST_WORDS) -> None:
        self.tokenizer, self.most_words = tokenizer.literal(), most_words
        self.dtype = store_type(tokenizer)
        self._numbers = _Numbers()
        self._ids: Ids = np.empty(0, dtype=self.dtype)
        self._sizes = self._uses = np.empty(0, dtype=np.int64)
        self._starts = np.zeros(1, dtype=np.int64)

    def read(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        """The ids of all texts, end to end, and the number of each."""
        if not self.tokenizer.reads_words_alone or _BLANKS_TO_PYTHON_ONLY.search("".join(texts)):
            return self._slowly(texts)
        words, ends = list[str](), [0]
        for text in self._parted(texts):
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

    def _parted(self, texts: list[str]) -> Iterator[str]:
        """The texts with blanks around punctuation: so there are a third as many words to know.

        ASCII has its lower case, too, where the tokenizer has; that of other letters is the library's own business.
        """
        plain = _apart([text for text in texts if text.isascii()], lower=self.tokenizer.lowercase)
        other = _apart([text for text in texts if not text.isascii()], lower=False)
        return (next(plain if text.isascii() else other) for text in texts)

    def _learn(self) -> None:
        """Ask the tokenizer for the words that came up for the first time, many as one text: it is faster so."""
        ids, sizes = [self._ids], [self._sizes]
        for some in self._numbers.fresh():
            found = self.tokenizer.encode_words([some])[0]
            mine = found.words >= 0
            ids.append(found.ids[mine].astype(self.dtype))
            sizes.append(np.bincount(found.words[mine], minlength=len(some)))
        self._keep(np.concatenate(ids), np.concatenate(sizes))

    def _keep(self, ids: Ids, sizes: NDArray[np.int64]) -> None:
        self._ids, self._sizes, self._starts = ids, sizes, starts_of(sizes)
        self._uses = np.concatenate([self._uses, np.zeros(len(sizes) - len(self._uses), dtype=np.int64)])

    def _forget(self) -> None:
        """Keep a quarter of the words, those used most; old uses count half from now on."""
        kept = np.sort(np.argsort(-self._uses, kind="stable")[: len(self._uses) // 4])
        words = list(self._numbers)
        self._numbers = _Numbers(words[number] for number in kept.tolist())
        ids = self._ids[ranges(self._starts[kept], self._sizes[kept])]
        self._uses = self._uses[kept] // 2
        self._keep(ids, self._sizes[kept])

    def _slowly(self, texts: list[str]) -> tuple[Ids, NDArray[np.int64]]:
        found = self.tokenizer.ids(texts, special=False)
        sizes = np.array([len(ids) for ids in found], dtype=np.int64)
        return np.concatenate([np.empty(0, np.int64), *found]).astype(self.dtype), sizes


def _apart(texts: list[str], *, lower: bool) -> Iterator[str]:
    joined = "\n".join(text.replace("\n", " ") for text in texts)
    if lower:
        joined = joined.lower()
    for mark in string.punctuation:
        if mark in joined:
            joined = joined.replace(mark, f" {mark} ")
    return iter(joined.split("\n"))


class _Numbers(dict[str, int]):
    """A number for every word, in the order in which they came."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        super().__init__((word, number) for number, word in enumerate(known))
        self.characters = sum(map(len, self))
        self._new: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self._new.append(word)
        return number

    def fresh(self) -> Iterator[list[str]]:
        """Those that came since this was asked last, some thousand characters of them at a time."""
        new, self._new = self._new, []
        some, held = list[str](), 0
        for word in new:
            some.append(word)
            held += len(word)
            if held > _TOGETHER:
                yield some
                self.characters += held
                some, held = [], 0
        if some:
            yield some
            self.characters += held
