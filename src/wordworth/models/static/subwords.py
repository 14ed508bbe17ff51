"""Subwords: text into pieces by a tokenizer.json."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wordworth.errors import BadInput
from wordworth.models.static_table import Found


class Subwords:
    """A tokenizer without its special tokens; never truncated, never padded."""

    def __init__(
        self, tokenizer: Tokenizer, rows: NDArray[np.int64] | None = None, left_out: int | None = None
    ) -> None:
        """`rows` maps a token to its row where they differ; `left_out` is a token (the unknown one) to leave out."""
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer, self._rows, self._left_out = tokenizer, rows, left_out

    def find(self, texts: Sequence[str]) -> Found:
        """The rows of the subwords of each text; those left out are counted."""
        unknown, found = 0, []
        for encoding in self._tokenizer.encode_batch(list(texts), add_special_tokens=False):
            kept = [token for token in encoding.ids if token != self._left_out]
            unknown += len(encoding.ids) - len(kept)
            found.append(kept)
        tokens = Found.of(found, unknown)
        return tokens if self._rows is None else Found(self._rows[tokens.rows], tokens.starts, unknown)

    def find_words(self, words: Sequence[str]) -> Found:
        """The rows of the subwords of each given word."""
        return self.find(words)


def read_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer from its JSON file.

    Raises:
        BadInput: the file is missing or no tokenizer.
    """
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception
        raise BadInput(f"not a readable tokenizer: {error}", where=str(path), mend="fetch the model again") from error
