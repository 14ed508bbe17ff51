"""Sentences with their document context: neighbouring sentences fill the window (Devlin et al. 2019, 5.3).

"Maximal document context": the tokens of neighbours are read as context, and only the words of the sentence itself are
scored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokens import Tokens


def with_document_context(sentences: Sequence[Tokens], documents: Sequence[int] | None, limit: int) -> list[Tokens]:
    """Return each sentence surrounded by the tokens of its document that fit into a window, half before it, half after.

    Args:
        sentences: the tokens of each sentence with its special tokens, in the order of their documents.
        documents: number of the document of each sentence; None if all sentences are of one document.
        limit: maximal number of tokens of a window, special ones included; a longer sentence stays as it is.

    Returns:
        A window for each sentence; the tokens of neighbouring sentences have the word index -1.
    """
    numbers = np.zeros(len(sentences), np.int64) if documents is None else np.asarray(documents)
    inner = [np.flatnonzero(tokens.words >= 0) for tokens in sentences]
    ids = [tokens.ids[indices] for tokens, indices in zip(sentences, inner, strict=True)]
    bounds = np.cumsum([0, *map(len, ids)])
    flat = np.concatenate([np.zeros(0, np.int64), *ids])
    edges = np.searchsorted(numbers, numbers, side="left"), np.searchsorted(numbers, numbers, side="right")
    windows = []
    for row, tokens in enumerate(sentences):
        before = flat[bounds[edges[0][row]] : bounds[row]]
        after = flat[bounds[row + 1] : bounds[edges[1][row]]]
        windows.append(_between(tokens, inner[row], before, after, limit - len(tokens)))
    return windows


def _between(
    tokens: Tokens, inner: NDArray[np.int64], before: NDArray[np.int64], after: NDArray[np.int64], room: int
) -> Tokens:
    """Return a sentence with up to `room` tokens of its document: half before it, more if few come after it.

    Args:
        tokens: the sentence with its special tokens.
        inner: the indices of the sentence's tokens that are not special.
        before: the ids of the document's tokens before the sentence.
        after: the ids of the document's tokens after the sentence.
        room: number of tokens to add.
    """
    if room <= 0 or not len(inner):
        return tokens
    left = min(len(before), max(room // 2, room - len(after)))
    right = min(len(after), room - left)
    parts = (before[len(before) - left :], after[:right])
    start, end = int(inner[0]), int(inner[-1]) + 1
    return Tokens(
        _spliced(tokens.ids, start, end, parts),
        _spliced(tokens.segments, start, end, (np.zeros(left, np.int64), np.zeros(right, np.int64))),
        _spliced(tokens.offsets, start, end, (np.zeros((left, 2), np.int32), np.zeros((right, 2), np.int32))),
        _spliced(tokens.words, start, end, (np.full(left, -1, np.int32), np.full(right, -1, np.int32))),
        features={
            name: _spliced(values, start, end, (_zeros(values, left), _zeros(values, right)))
            for name, values in tokens.features.items()
        },
    )


def _zeros(like: np.ndarray, rows: int) -> np.ndarray:
    """Return zeros as the feature of `rows` tokens around a sentence, of which only the ids are known."""
    return np.zeros((rows, *like.shape[1:]), like.dtype)


def _spliced(values: np.ndarray, start: int, end: int, around: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    return np.concatenate([values[:start], around[0], values[start:end], around[1], values[end:]])
