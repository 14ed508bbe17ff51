"""Look up subwords: split text by a tokenizer.json."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wordworth.models.static_embeddings import TokenRows
from wordworth.text.cached_tokenizer import CachedTokenizer, read, splits_at_spaces
from wordworth.text.tokenizer import Tokenizer


class Subwords:
    """A subword lookup without special tokens, truncation or padding; tokens of words are cached if possible."""

    def __init__(
        self, tokenizer: Tokenizer, rows: NDArray[np.int64] | None = None, left_out: int | None = None
    ) -> None:
        """`rows` maps tokens to rows if they differ; `left_out` is a token id (the unknown one) to leave out."""
        self._read = CachedTokenizer(tokenizer).read if splits_at_spaces(tokenizer) else partial(read, tokenizer)
        self._rows, self._left_out = rows, left_out

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Find the rows of the subwords of each text; tokens left out are counted."""
        tokens, starts = self._read(texts)
        if self._left_out is None:
            return TokenRows(tokens if self._rows is None else self._rows[tokens], starts)
        is_known = tokens != self._left_out
        starts = np.concatenate([[0], np.cumsum(is_known)])[starts]
        known = tokens[is_known]
        return TokenRows(known if self._rows is None else self._rows[known], starts, len(tokens) - len(known))

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Find the rows of the subwords of each word."""
        return self.find(words)
