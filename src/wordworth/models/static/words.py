"""Whole words: text into tokens as GloVe's were cut, looked up as written, then in lower case, then in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from wordworth.models.static_embeddings import TokenRows

_TOKEN = re.compile(
    r"\w+(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b"  # clitics as the Penn Treebank cuts them: do n't, it 's
    r"|\w+(?:(?:[-.]|'(?!(?:s|re|ve|ll|d|m)\b))\w+)*|[^\w\s]",  # but o'clock, U.S, well-known stay whole
    re.IGNORECASE,
)
_PIECE = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]")


class Words:
    """A vocabulary of whole words."""

    def __init__(self, rows: Mapping[str, int]) -> None:
        self.rows = rows

    def find(self, texts: Sequence[str]) -> TokenRows:
        """The rows of the words of each text; a word the table lacks gives its pieces, and counts if it has none."""
        memory: dict[str, list[int]] = {}
        unknown, found = 0, []
        for text in texts:
            rows: list[int] = []
            for token in self.tokens(text):
                if token not in memory:
                    memory[token] = list(self._of(token))
                rows += memory[token]
                unknown += not memory[token]
            found.append(rows)
        return TokenRows.of(found, unknown)

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """The row of each given word, or none."""
        rows = [[row] if row >= 0 else [] for row in map(self.row, words)]
        return TokenRows.of(rows, sum(not row for row in rows))

    @staticmethod
    def tokens(text: str) -> list[str]:
        """The words and marks of a text, in its own case."""
        return _TOKEN.findall(text.replace("’", "'"))

    def row(self, word: str) -> int:
        """The row of a word as written or in lower case; -1 where the table has neither."""
        row = self.rows.get(word, -1)
        return row if row >= 0 else self.rows.get(word.lower(), -1)

    def _of(self, token: str) -> Iterator[int]:
        whole = self.row(token)
        if whole >= 0:
            yield whole
            return
        for piece in _PIECE.findall(token):
            row = self.row(piece)
            if row >= 0:
                yield row
            elif _UNSPACED.search(piece):  # scripts that set no spaces between words
                yield from (row for row in map(self.row, piece) if row >= 0)
