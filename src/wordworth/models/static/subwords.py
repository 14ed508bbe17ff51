"""Subwords: text into pieces by a tokenizer.json."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.models.static_table import Found
from wordworth.text.tokenizer import Tokenizer


class Subwords:
    """A tokenizer without its special tokens; never truncated, never padded."""

    def __init__(
        self, tokenizer: Tokenizer, rows: NDArray[np.int64] | None = None, left_out: int | None = None
    ) -> None:
        """`rows` maps a token to its row where they differ; `left_out` is a token (the unknown one) to leave out."""
        self._tokenizer, self._rows, self._left_out = tokenizer, rows, left_out

    def find(self, texts: Sequence[str]) -> Found:
        """The rows of the subwords of each text; those left out are counted."""
        found = self._tokenizer.ids(texts, special=False)
        tokens = np.concatenate([np.zeros(0, dtype=np.int64), *found])
        starts = np.cumsum([0, *map(len, found)], dtype=np.int64)
        stays = np.ones(len(tokens), dtype=np.bool_) if self._left_out is None else tokens != self._left_out
        starts = np.concatenate([[0], np.cumsum(stays)])[starts]
        kept = tokens[stays]
        return Found(kept if self._rows is None else self._rows[kept], starts, len(tokens) - len(kept))

    def find_words(self, words: Sequence[str]) -> Found:
        """The rows of the subwords of each given word."""
        return self.find(words)
