"""The random rung: what vectors give that know nothing of meaning, only which words are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from wordworth.errors import BadInput
from wordworth.models.static.reading import read_static
from wordworth.models.static.words import Words
from wordworth.models.static_table import Found, StaticTable
from wordworth.representations.circulant import CirculantTable
from wordworth.representations.heads.head import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.representation_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.rung import Desk, Family
from wordworth.representations.static import Static
from wordworth.seeds import child
from wordworth.tasks.task import Kind, Task

WIDTH = 800
"""As in the paper; a multiple of 8, so that a word takes 33 bits."""
GLOVE_WORDS = 400_000
GLOVE_NORM = 4.474557
"""Mean row norm of GloVe 6B 50d, for machines without it."""
SIZE = GLOVE_WORDS + 100_000
"""Rows of the table: GloVe's words and those for words that it lacks."""
_BYTES = 8


class Hashed:
    """GloVe's words have rows of their own; any other word is hashed to one of the rows behind them.

    The paper's table covers a fixed vocabulary, so that no word of it shares a vector. New text brings words that no
    vocabulary has: two of them meet in one row with a chance of one in 100,000.
    """

    def __init__(self, own: Words | None) -> None:
        """Without words of its own, every row is for hashed ones."""
        self._own = own or Words({})
        self._first = GLOVE_WORDS if own else 0

    def find(self, texts: Sequence[str]) -> Found:
        """The row of each word of each text; none is unknown."""
        return Found.of([[self._row(word) for word in self._own.tokens(text)] for text in texts])

    def find_words(self, words: Sequence[str]) -> Found:
        """The row of each given word."""
        return Found.of([[self._row(word)] for word in words])

    def _row(self, word: str) -> int:
        row = self._own.row(word)
        if row >= 0:
            return row
        digest = hashlib.blake2b(word.lower().encode(errors="surrogatepass"), digest_size=_BYTES).digest()
        return self._first + int.from_bytes(digest, "little") % (SIZE - self._first)


@dataclass(frozen=True, slots=True)
class RandomRung:
    """Circulant vectors drawn once a run from its seed, norm-matched to GloVe, never trained."""

    head: Head = field(default_factory=LinearHead)
    name: str = "random"
    title: str = "random vectors"
    family: Family = "random"

    def kinds(self) -> frozenset[Kind]:
        """What the head can do."""
        return self.head.kinds

    def open(self, task: Task, desk: Desk) -> RepresentationLearner:
        """Draw the table and pool it over every text; without GloVe on this machine, hash all words and say so."""
        try:
            glove = read_static("glove")
        except BadInput:
            desk.progress.note(f"{self.title}: GloVe is not installed, so that every word is hashed to a row")
            return self._over(random_table(desk.seed, None, GLOVE_NORM), task, desk)
        norm = float(np.linalg.norm(glove.vectors[:], axis=1).mean())
        own = glove.lexicon if isinstance(glove.lexicon, Words) else None
        return self._over(random_table(desk.seed, own, norm), task, desk)

    def _over(self, table: StaticTable, task: Task, desk: Desk) -> RepresentationLearner:
        representation = Static(table, self.name, self.title, self.family, pools=("mean",))
        return RepresentationRung(representation, self.head).open(task, desk)


def random_table(seed: int, own: Words | None, norm: float) -> StaticTable:
    """A table of circulant vectors of mean norm `norm`, drawn from `seed`."""
    vectors = CirculantTable.draw(SIZE, WIDTH, norm, child(seed, "random vectors"))
    return StaticTable("random", vectors, Hashed(own), disk_bytes=vectors.nbytes)
