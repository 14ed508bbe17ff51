"""Look up the words or subwords of a text in a static table.

Whole words are tokenized as for GloVe; a word is tried as written, in lower case, then in pieces. Subwords are the
pieces of a `tokenizer.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wordworth.models.static_embeddings import TokenRows
from wordworth.text.cached_tokenizer import CachedTokenizer, read, splits_at_spaces
from wordworth.text.tokenizer import Tokenizer

_TOKEN = re.compile(
    r"\w+(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b"  # clitics split as in the Penn Treebank: do n't, it 's
    r"|\w+(?:(?:[-.]|'(?!(?:s|re|ve|ll|d|m)\b))\w+)*|[^\w\s]",  # but o'clock, U.S, well-known stay whole
    re.IGNORECASE,
)
_PIECE = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]")


class Words:
    """A lookup in a vocabulary of whole words."""

    def __init__(self, rows: Mapping[str, int]) -> None:
        self.rows = rows

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Return the rows of the words of each text.

        A word that the table lacks is split into runs of letters and digits, or into single characters in scripts
        without spaces. The result has the rows of the pieces that the table has. If the table has none of the pieces,
        the word counts as unknown.
        """
        cache: dict[str, list[int]] = {}
        unknown, rows_of_texts = 0, []
        for text in texts:
            rows: list[int] = []
            for token in self.tokens(text):
                if token not in cache:
                    cache[token] = list(self._of(token))
                rows += cache[token]
                unknown += not cache[token]
            rows_of_texts.append(rows)
        return TokenRows.of(rows_of_texts, unknown)

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Return the row of each word; a word that the table lacks has no row and counts as unknown."""
        rows = [[row] if row >= 0 else [] for row in map(self.row, words)]
        return TokenRows.of(rows, sum(not row for row in rows))

    @staticmethod
    def tokens(text: str) -> list[str]:
        """Split a text into words and punctuation marks, keeping upper and lower case."""
        return _TOKEN.findall(text.replace("’", "'"))

    def row(self, word: str) -> int:
        """Return the row of a word as written, or else in lower case; -1 if the table has neither."""
        row = self.rows.get(word, -1)
        return row if row >= 0 else self.rows.get(word.lower(), -1)

    def _of(self, token: str) -> Iterator[int]:
        whole_row = self.row(token)
        if whole_row >= 0:
            yield whole_row
            return
        for piece in _PIECE.findall(token):
            row = self.row(piece)
            if row >= 0:
                yield row
            elif _UNSPACED.search(piece):  # scripts without spaces between words
                yield from (row for row in map(self.row, piece) if row >= 0)


class Subwords:
    """A lookup by a subword tokenizer, without special tokens, truncation or padding."""

    def __init__(
        self, tokenizer: Tokenizer, rows: NDArray[np.int64] | None = None, left_out: int | None = None
    ) -> None:
        """Wrap a tokenizer.

        Args:
            tokenizer: splits texts into subwords.
            rows: int64 [vocabulary], the row of the table for each token id; None if rows are token ids.
            left_out: a token id to leave out, such as the id of the unknown token; None leaves no token out.
        """
        self._read = CachedTokenizer(tokenizer).read if splits_at_spaces(tokenizer) else partial(read, tokenizer)
        self.tokenizer, self.rows, self._left_out = tokenizer, rows, left_out

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Return the rows of the subwords of each text, without the token to leave out, which counts as unknown."""
        tokens, starts = self._read(texts)
        if self._left_out is None:
            return TokenRows(tokens if self.rows is None else self.rows[tokens], starts)
        is_known = tokens != self._left_out
        starts = np.concatenate([[0], np.cumsum(is_known)])[starts]
        known = tokens[is_known]
        return TokenRows(known if self.rows is None else self.rows[known], starts, len(tokens) - len(known))

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Return the rows of the subwords of each word."""
        return self.find(words)
