"""How a tokenizer cuts texts: pieces, words, characters, and words that the vocabulary lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.word_boundaries import words


@dataclass(frozen=True, slots=True)
class PieceCounts:
    """Counts of each text, float64 [texts] each.

    Attributes:
        pieces: special tokens left out.
        words: words and punctuation marks, at least 1.
        characters: white space left out.
        unknown: words that have a piece that the vocabulary lacks.
    """

    pieces: NDArray[np.float64]
    words: NDArray[np.float64]
    characters: NDArray[np.float64]
    unknown: NDArray[np.float64]

    @property
    def per_word(self) -> float:
        """Pieces a word (fertility)."""
        return float(self.pieces.sum() / self.words.sum())


def piece_counts(tokenizer: TokenizerProtocol, texts: Sequence[str]) -> PieceCounts:
    """Return how a tokenizer cuts texts."""
    unknown, special = tokenizer.special_ids.get("unk", -1), tokenizer.prefix + tokenizer.suffix
    rows = []
    for text, tokens in zip(texts, tokenizer.encode(list(texts)), strict=True):
        lacking = np.unique(tokens.words[(tokens.words >= 0) & (tokens.ids == unknown)])
        rows.append((len(tokens) - special, max(1, len(words(text))), len("".join(text.split())), len(lacking)))
    return PieceCounts(*np.array(rows, dtype=np.float64).reshape(-1, 4).T)
