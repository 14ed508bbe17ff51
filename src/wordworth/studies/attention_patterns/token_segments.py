"""Segments of texts with a limited number of tokens, and the kinds of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.attention_patterns.texts import Source, tokens_of
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens
from wordworth.text.windows import spans, take

_PUNCTUATION = (".", ",")


@dataclass(frozen=True, slots=True)
class Segments:
    """The segments of texts in which attention is measured.

    Attributes:
        tokens: tokens of each segment, special ones included.
        text: int64 [segments], a number that identifies the text of each segment; not an index into the file.
    """

    tokens: list[Tokens]
    text: Integers


def drawn_segments(
    sources: Sequence[Source], tokenizer: TokenizerProtocol, limit: int, length: int, seed: int
) -> Segments:
    """Cut texts into segments, and return at most `limit` of them.

    Texts are taken in random order: first the first segment of every text, then the second segments, and so on. The
    last segment of a text is left out if it is shorter than half of `length`, unless it is the whole text.

    Args:
        sources: the texts.
        tokenizer: tokenizer of the model.
        limit: largest number of segments that are returned.
        length: largest number of tokens of a segment, special ones included.
        seed: seed of the order of texts.
    """
    order = seeds.child(seed, "patterns", "texts").permutation(len(sources))[:limit]
    most = 1 if len(order) >= limit else limit  # further segments of as many texts are never read
    parts = [_segments(tokens_of(sources[text], tokenizer), tokenizer, length)[:most] for text in order.tolist()]
    rounds = range(max(map(len, parts), default=0))
    segments = [(number, own[turn]) for turn in rounds for number, own in enumerate(parts) if turn < len(own)][:limit]
    return Segments([tokens for _, tokens in segments], np.array([number for number, _ in segments], np.int64))


def _segments(tokens: Tokens, tokenizer: TokenizerProtocol, length: int) -> list[Tokens]:
    """Return the segments of a text, each with copies of the special tokens at the beginning and end of the whole text.

    Args:
        tokens: the tokens of the whole text, special ones included.
        tokenizer: tokenizer of the model.
        length: largest number of tokens of a segment, special ones included.
    """
    before, after = tokenizer.prefix, tokenizer.suffix
    inner, capacity = len(tokens) - before - after, length - before - after
    segments = []
    for start, end in spans(inner, capacity, 0, fill_last=False):
        if start == 0 or end - start >= capacity / 2:
            middle = np.arange(before + start, before + end)
            ends = np.arange(before), np.arange(len(tokens) - after, len(tokens))
            segments.append(take(tokens, np.concatenate([ends[0], middle, ends[1]])))
    return segments


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of a segment's tokens: for each kind whether a token is of this kind, bool [tokens].

    The first token always counts as special.
    """

    separator: NDArray[np.bool_]
    special: NDArray[np.bool_]
    punctuation: NDArray[np.bool_]


class TokenKinds:
    """A classifier of tokens by their ids into separators, special tokens, and punctuation (periods and commas).

    Args:
        tokenizer: the tokenizer whose vocabulary and special tokens are used.
    """

    def __init__(self, tokenizer: TokenizerProtocol) -> None:
        special = tokenizer.special_ids
        self._separator = special.get("sep", -1)
        self._special = [index for role, index in special.items() if role not in {"unk", "mask"}]
        marks = {mark + piece for piece in _PUNCTUATION for mark in ("", "\u0120", "\u2581")}
        self._punctuation = [index for piece, index in tokenizer.vocabulary.items() if piece in marks]

    def of(self, tokens: Tokens) -> Kinds:
        """Return which of a segment's tokens are separators, which are special and which are punctuation, as masks."""
        special = np.isin(tokens.ids, self._special)
        special[:1] = True
        return Kinds(tokens.ids == self._separator, special, np.isin(tokens.ids, self._punctuation))
