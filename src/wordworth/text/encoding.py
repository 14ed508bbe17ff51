"""`Tokens`: one text as the ids a model reads, each id tied to its characters and its word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Tokens:
    """One sequence of t tokens, special tokens included.

    Attributes:
        ids: int64 [t], rows of the embedding table; int64 [t, 50] where words are read by their characters.
        segments: int64 [t], 0 for the first text and its special tokens, 1 for the second; all zero where the model has
            none.
        offsets: int32 [t, 2], start and end character in the original text; (0, 0) for special tokens.
        words: int32 [t], the index of the word a token belongs to; -1 for special tokens.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    offsets: NDArray[np.int32]
    words: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)
