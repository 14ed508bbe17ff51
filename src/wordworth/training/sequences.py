"""Texts as the token sequences that are fine-tuned on: cut to what is affordable, and every cut counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.models.encoder import TextEncoder
from wordworth.tasks.task import Examples, Kind, Rows
from wordworth.text.tokens import Tokens
from wordworth.text.words import first_pieces


@dataclass(frozen=True, slots=True)
class Sequences:
    """Token sequences of n examples.

    A pair is one sequence, `[CLS] a [SEP] b [SEP]`; a sentence to tag is read from its given words.

    Attributes:
        long: bool [n], which ones were longer and are cut.
        firsts: for tagging, int32 [words] of each sentence: where each word's first token stands, -1 where it has none.
    """

    tokens: tuple[Tokens, ...]
    long: NDArray[np.bool_]
    firsts: tuple[NDArray[np.int32], ...] | None = None

    @classmethod
    def of(cls, encoder: TextEncoder, examples: Examples, kind: Kind, most: int) -> Sequences:
        """Read `examples` with the encoder's tokenizer, up to `most` tokens each."""
        limit = min(most, encoder.max_length)
        whole = _read(encoder, examples, kind)
        tokens = tuple(shortened(each, limit) for each in whole)
        long = np.array([len(each) > limit for each in whole], dtype=bool)
        if kind != "tags" or examples.words is None:
            return cls(tokens, long)
        counts = [len(words) for words in examples.words]
        firsts = tuple(first_pieces(each, count) for each, count in zip(tokens, counts, strict=True))
        return cls(tokens, long, firsts)

    def take(self, rows: Rows) -> Sequences:
        """The sequences at `rows`, in that order."""
        firsts = None if self.firsts is None else tuple(self.firsts[row] for row in rows)
        return Sequences(tuple(self.tokens[row] for row in rows), self.long[rows], firsts)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def cut(self) -> int:
        """How many were cut."""
        return int(self.long.sum())

    @property
    def lengths(self) -> NDArray[np.int64]:
        """int64 [n], tokens of each."""
        return np.array([len(tokens) for tokens in self.tokens], dtype=np.int64)


def _read(encoder: TextEncoder, examples: Examples, kind: Kind) -> list[Tokens]:
    if not len(examples):
        return []
    if kind == "tags" and examples.words is not None:
        return encoder.tokenizer.encode_words([list(words) for words in examples.words])
    return encoder.tokenizer.encode(list(examples.first), None if examples.second is None else list(examples.second))


def shortened(tokens: Tokens, limit: int) -> Tokens:
    """At most `limit` tokens: special ones stay, and of each text its beginning and its end.

    In a pair the longer text gives way first.
    """
    excess = len(tokens) - limit
    if excess <= 0:
        return tokens
    texts = _texts(tokens)
    gone = [
        _middle(text, count) for text, count in zip(texts, _shares([len(text) for text in texts], excess), strict=True)
    ]
    kept = np.setdiff1d(np.arange(len(tokens)), np.concatenate(gone))
    return Tokens(tokens.ids[kept], tokens.segments[kept], tokens.offsets[kept], tokens.words[kept])


def _texts(tokens: Tokens) -> list[NDArray[np.int64]]:
    """The places of each text's tokens: runs between special tokens, whose characters are none."""
    inner = np.flatnonzero(tokens.offsets[:, 1] > tokens.offsets[:, 0])
    return [run for run in np.split(inner, np.flatnonzero(np.diff(inner) > 1) + 1) if len(run)]


def _middle(text: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    first = (len(text) - count + 1) // 2
    return text[first : first + count]


def _shares(lengths: list[int], excess: int) -> list[int]:
    """How many tokens each text loses, so that the longest that remain are as short as can be."""
    level = max(lengths)
    while sum(max(length - level, 0) for length in lengths) < excess:
        level -= 1
    shares = [max(length - level, 0) for length in lengths]
    shares[int(np.argmax(shares))] -= sum(shares) - excess
    return shares
