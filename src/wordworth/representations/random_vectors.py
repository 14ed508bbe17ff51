"""The random rung: vectors that know nothing of meaning, only which words are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.lookup import Words
from wordworth.models.static.read import read_static
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.representations.feature_rung import RepresentationLearner
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import SingleFlight
from wordworth.representations.rung import RunContext, Rung, VocabularyCoverage
from wordworth.representations.static import Static
from wordworth.seeds import child, child_seed
from wordworth.tasks.task import Examples, Kind, Task


@dataclass(frozen=True, slots=True)
class CirculantTable:
    """n implicit vectors of width d.

    Attributes:
        size: n.
        weights: float32 [ceil(n / d), d].
        signs: uint8 [ceil(n / d), ceil(d / 8)], the sign bits, packed; 1 is plus.
    """

    size: int
    weights: NDArray[np.float32]
    signs: NDArray[np.uint8]

    @classmethod
    def draw(cls, size: int, width: int, norm: float, rng: np.random.Generator) -> CirculantTable:
        """Draw normal weights and fair signs, scaled so that the MEAN norm of the rows is `norm`.

        Rows of a block have the same norm, those of different blocks differ.

        Args:
            size: number of rows, n.
            width: of a row, d.
            norm: mean norm of the rows.
            rng: draws weights and signs.
        """
        blocks = -(-size // width)
        weights = rng.standard_normal((blocks, width), dtype=np.float32)
        signs = rng.integers(0, 2, (blocks, width), dtype=np.uint8)
        return cls(size, weights, np.packbits(signs, axis=1)).scaled(norm)

    def scaled(self, norm: float) -> CirculantTable:
        """Return the table scaled to mean row norm `norm`; a last, partial block counts for the rows it has."""
        rows = np.minimum(self.width, self.size - self.width * np.arange(len(self.weights)))
        mean = float(rows @ np.linalg.norm(self.weights, axis=1)) / self.size
        return CirculantTable(self.size, (self.weights * (norm / mean)).astype(np.float32), self.signs)

    @property
    def width(self) -> int:
        """The width d of the rows."""
        return int(self.weights.shape[1])

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, d), the shape of the dense matrix that the table represents."""
        return self.size, self.width

    @property
    def nbytes(self) -> int:
        """Bytes stored: 33 bits per word when d divides n and 8 divides d."""
        return int(self.weights.nbytes + self.signs.nbytes)

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - a StaticTable's Vectors
        """Return rows, float32 [len(rows), d]: `weights[q, (i - j) mod d] * sign[q, j]` with q, i = divmod(row, d).

        A row is a slice of its block's weights written backwards twice, so that it is copied, not computed.
        """
        block, shift = np.divmod(np.asarray(rows), self.width)
        blocks, index = np.unique(block, return_inverse=True)
        reversed_weights = self.weights[blocks, ::-1]
        runs = sliding_window_view(np.hstack([reversed_weights, reversed_weights]), self.width, axis=1)
        vectors: NDArray[np.float32] = runs[index, self.width - 1 - shift]
        vectors *= (np.unpackbits(self.signs[blocks], axis=1, count=self.width).astype(np.float32) * 2 - 1)[index]
        return vectors


WIDTH = 800
"""As in the paper; a multiple of 8, so that a word takes 33 bits."""
GLOVE_WORDS = 400_000
GLOVE_NORM = 4.474557
"""Mean row norm of GloVe 6B 50d."""
SIZE = GLOVE_WORDS + 100_000
"""Rows of the table: GloVe's words and rows for words that it lacks."""
_BYTES = 8


class Hashed:
    """GloVe's words have their own rows; any other word is hashed to one of the rows after them.

    The paper's table covers a fixed vocabulary, so that no word of it shares a vector. New text brings words that no
    vocabulary has: two of them get the same row with a probability of one in 100,000.
    """

    def __init__(self, own: Words | None) -> None:
        """With `own` None, every row is for hashed words."""
        self._own = own or Words({})
        self._first = GLOVE_WORDS if own else 0

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Return the row of each word of each text; no word is unknown."""
        return TokenRows.of([[self._row(word) for word in self._own.tokens(text)] for text in texts])

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Return the row of each word."""
        return TokenRows.of([[self._row(word)] for word in words])

    def _row(self, word: str) -> int:
        row = self._own.row(word)
        if row >= 0:
            return row
        digest = hashlib.blake2b(word.lower().encode(errors="surrogatepass"), digest_size=_BYTES).digest()
        return self._first + int.from_bytes(digest, "little") % (SIZE - self._first)


@dataclass(frozen=True, slots=True)
class RandomVectors(Static):
    """Random vectors pooled over a text; every word has one."""

    family = "random"

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - a Representation
        """Return None: no word is unknown."""
        return None


@dataclass(frozen=True, slots=True)
class RandomRung(Rung):
    """Circulant vectors, norm-matched to GloVe, never trained; drawn anew for every draw of the labels.

    Which vectors are drawn is a source of uncertainty like the choice of labels; both belong in the same interval.
    """

    head: Head = field(default_factory=LinearHead)
    name: str = "random"
    title: str = "random vectors"
    family = "random"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Find the words of every text, and draw a table; if GloVe is not installed, hash all words and note it."""
        own = self._words(run_context)
        examples, find = task.examples, Hashed(own).find
        sides = [find(part) for part in (examples.first, examples.second) if part is not None and not examples.words]

        def learner(seed: int) -> RepresentationLearner:
            table = random_table(child_seed(run_context.seed, "draw", seed), own, GLOVE_NORM)
            drawn = RandomVectors(table, self.name, self.title, pools=("mean",))
            views = drawn.pooled(sides[0], (*sides, None)[1]) if sides else drawn.views(examples, run_context)
            return RepresentationLearner(task, run_context, drawn, self.head, views)

        others: SingleFlight[RepresentationLearner] = SingleFlight()
        return replace(learner(0), draw=lambda seed: others.get(seed, lambda: learner(seed)))

    def _words(self, run_context: RunContext) -> Words | None:
        """Return the words that have their own rows."""
        try:
            lexicon = read_static("glove").lexicon
        except BadInput:
            run_context.progress.note(f"{self.title}: GloVe is not installed, so every word is hashed to a row")
            return None
        return lexicon if isinstance(lexicon, Words) else None


def random_table(seed: int, own: Words | None, norm: float) -> StaticTable:
    """Return a table of circulant vectors of mean norm `norm`, drawn from `seed`."""
    vectors = CirculantTable.draw(SIZE, WIDTH, norm, child(seed, "random vectors"))
    return StaticTable("random", vectors, Hashed(own), disk_bytes=vectors.nbytes)
