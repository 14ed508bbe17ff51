"""Counts of how a tokenizer splits texts: pieces, words, characters, and words that the vocabulary lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.word_boundaries import words


@dataclass(frozen=True, slots=True)
class PieceCounts:
    """Counts of the pieces, words and characters of each text under a tokenizer, float64 [texts] each.

    Attributes:
        pieces: pieces (subword tokens) without special tokens.
        words: words and punctuation marks, at least 1.
        characters: characters without white space.
        unknown: words with an [UNK] among their pieces.
    """

    pieces: NDArray[np.float64]
    words: NDArray[np.float64]
    characters: NDArray[np.float64]
    unknown: NDArray[np.float64]

    @property
    def per_word(self) -> float:
        """The mean number of pieces per word over all texts (fertility)."""
        return float(self.pieces.sum() / self.words.sum())


def piece_counts(tokenizer: TokenizerProtocol, texts: Sequence[str]) -> PieceCounts:
    """Count the pieces, words and characters of each text under a tokenizer."""
    unknown, special = tokenizer.special_ids.get("unk", -1), tokenizer.prefix + tokenizer.suffix
    rows = []
    for text, tokens in zip(texts, tokenizer.encode(list(texts)), strict=True):
        lacking = np.unique(tokens.words[(tokens.words >= 0) & (tokens.ids == unknown)])
        rows.append((len(tokens) - special, max(1, len(words(text))), len("".join(text.split())), len(lacking)))
    return PieceCounts(*np.array(rows, dtype=np.float64).reshape(-1, 4).T)
