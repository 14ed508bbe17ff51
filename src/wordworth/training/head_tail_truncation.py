"""Truncation that keeps the beginning and the end of a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.text.encoding import Tokens


def keep_head_and_tail(tokens: Tokens, limit: int) -> Tokens:
    """Cut to at most `limit` tokens: special tokens stay, and of each text its beginning and its end.

    Of a pair the longer text is cut first.
    """
    excess = len(tokens) - limit
    if excess <= 0:
        return tokens
    texts = _texts(tokens)
    dropped = [
        _middle(text, count) for text, count in zip(texts, _shares([len(text) for text in texts], excess), strict=True)
    ]
    kept = np.setdiff1d(np.arange(len(tokens)), np.concatenate(dropped))
    return Tokens(tokens.ids[kept], tokens.segments[kept], tokens.offsets[kept], tokens.words[kept])


def _texts(tokens: Tokens) -> list[NDArray[np.int64]]:
    """Return the token indices of each text: runs between special tokens, which have no characters."""
    inner = np.flatnonzero(tokens.offsets[:, 1] > tokens.offsets[:, 0])
    return [run for run in np.split(inner, np.flatnonzero(np.diff(inner) > 1) + 1) if len(run)]


def _middle(text: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    first = (len(text) - count + 1) // 2
    return text[first : first + count]


def _shares(lengths: list[int], excess: int) -> list[int]:
    """Return how many tokens each text loses, so that the longest that remain are as short as can be."""
    level = max(lengths)
    while sum(max(length - level, 0) for length in lengths) < excess:
        level -= 1
    shares = [max(length - level, 0) for length in lengths]
    shares[int(np.argmax(shares))] -= sum(shares) - excess
    return shares
