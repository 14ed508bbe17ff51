"""The random rung: random circulant word vectors (Arora et al. 2020, appendix), never trained.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

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
from wordworth.models.static.read_static_table import read_static
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.representations.feature_rung import RepresentationLearner
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.lazy_feature_sets import SingleFlight
from wordworth.representations.rung import RunContext, Rung, VocabularyCoverage
from wordworth.representations.static_vectors import Static
from wordworth.seeds import child, child_seed
from wordworth.tasks.task import Examples, Kind, Task


@dataclass(frozen=True, slots=True)
class CirculantTable:
    """A matrix of n random vectors of width d, stored in 33 bits per vector.

    Each block of d rows is the circulant matrix of one weight vector times random signs of its columns.

    Attributes:
        size: the number of rows, n.
        weights: float32 [ceil(n / d), d], the weight vector of each block.
        signs: uint8 [ceil(n / d), ceil(d / 8)], the sign bits of each block, packed; 1 is plus.
    """

    size: int
    weights: NDArray[np.float32]
    signs: NDArray[np.uint8]

    @classmethod
    def draw(cls, size: int, width: int, norm: float, rng: np.random.Generator) -> CirculantTable:
        """Draw normal weights and random signs, scaled to mean row norm `norm`; rows of one circulant have equal norms.

        Args:
            size: number of rows, n.
            width: width of a row, d.
            norm: mean norm of the rows.
            rng: generator of weights and signs.
        """
        blocks = -(-size // width)
        weights = rng.standard_normal((blocks, width), dtype=np.float32)
        signs = rng.integers(0, 2, (blocks, width), dtype=np.uint8)
        return cls(size, weights, np.packbits(signs, axis=1)).scaled(norm)

    def scaled(self, norm: float) -> CirculantTable:
        """Return the table scaled so that the mean norm of its n rows is `norm`."""
        rows = np.minimum(self.width, self.size - self.width * np.arange(len(self.weights)))
        mean = float(rows @ np.linalg.norm(self.weights, axis=1)) / self.size
        return CirculantTable(self.size, (self.weights * (norm / mean)).astype(np.float32), self.signs)

    @property
    def width(self) -> int:
        """The width d of the rows."""
        return int(self.weights.shape[1])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (n, d) of the matrix."""
        return self.size, self.width

    @property
    def nbytes(self) -> int:
        """The number of bytes stored: 33 bits per row if d divides n and 8 divides d."""
        return int(self.weights.nbytes + self.signs.nbytes)

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - a StaticTable's Vectors
        """Return rows, float32 [len(rows), d]: `weights[q, (i - j) mod d] * sign[q, j]` with q, i = divmod(row, d).

        A row is a slice of its block's weights, reversed and repeated, so that it need not be computed.
        """
        block, shift = np.divmod(np.asarray(rows), self.width)
        blocks, index = np.unique(block, return_inverse=True)
        reversed_weights = self.weights[blocks, ::-1]
        runs = sliding_window_view(np.hstack([reversed_weights, reversed_weights]), self.width, axis=1)
        vectors: NDArray[np.float32] = runs[index, self.width - 1 - shift]
        vectors *= (np.unpackbits(self.signs[blocks], axis=1, count=self.width).astype(np.float32) * 2 - 1)[index]
        return vectors


WIDTH = 800
"""Width of the vectors, as in Arora et al. 2020; a multiple of 8, so that a word takes 33 bits."""
GLOVE_WORDS = 400_000
GLOVE_NORM = 4.474557
"""Mean row norm of GloVe 6B 50d."""
SIZE = GLOVE_WORDS + 100_000
"""Number of rows of the table: for GloVe's words, and for the hashes of other words."""
_BYTES = 8


class HashedLexicon:
    """A lexicon in which each word of GloVe has a row, and all other words are hashed to the rows after GloVe's.

    Arora et al. 2020 give random vectors to the words of a fixed vocabulary alone. Here every other word has a vector
    too; two such words share their row with a probability of 1 in 100,000.
    """

    def __init__(self, own: Words | None) -> None:
        """Make a lexicon in which the words of `own` (GloVe's) have a row each; None hashes every word to a row."""
        self._own = own or Words({})
        self._first = GLOVE_WORDS if own else 0

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Return the table row of each word in each text; every word has a row."""
        return TokenRows.of([[self._row(word) for word in self._own.tokens(text)] for text in texts])

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Return the table row of each word."""
        return TokenRows.of([[self._row(word)] for word in words])

    def _row(self, word: str) -> int:
        row = self._own.row(word)
        if row >= 0:
            return row
        digest = hashlib.blake2b(word.lower().encode(errors="surrogatepass"), digest_size=_BYTES).digest()
        return self._first + int.from_bytes(digest, "little") % (SIZE - self._first)


@dataclass(frozen=True, slots=True)
class RandomVectors(Static):
    """A text representation: the mean of the random vectors of the text's words; every word has a vector."""

    family = "random"

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - a Representation
        """Return None, as every word has a vector, so that there is nothing to count."""
        return None


@dataclass(frozen=True, slots=True)
class RandomRung(Rung):
    """A rung with random circulant word vectors of GloVe's mean norm, drawn anew for every subset of labelled texts.

    Intervals of the rung's scores thus cover both sources of chance, the vectors and the choice of labelled texts.
    """

    head: Head = field(default_factory=LinearHead)
    name: str = "random"
    title: str = "random vectors"
    family = "random"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports: the kinds that its head supports."""
        return self.head.kinds

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Look up the words of every text and draw a table of random vectors.

        If GloVe is not installed, every word is hashed, and a note says so.
        """
        own = self._words(run_context)
        examples, find = task.examples, HashedLexicon(own).find
        sides = [find(part) for part in (examples.first, examples.second) if part is not None and not examples.words]

        def learner(seed: int) -> RepresentationLearner:
            table = random_table(child_seed(run_context.seed, "draw", seed), own, GLOVE_NORM)
            drawn = RandomVectors(table, self.name, self.title, pools=("mean",))
            views = drawn.pooled(sides[0], (*sides, None)[1]) if sides else drawn.views(examples, run_context)
            return RepresentationLearner(task, run_context, drawn, self.head, views)

        others: SingleFlight[RepresentationLearner] = SingleFlight()
        return replace(learner(0), redrawn=lambda seed: others.get(seed, lambda: learner(seed)))

    def _words(self, run_context: RunContext) -> Words | None:
        """Return GloVe's vocabulary, None if it is not installed."""
        try:
            lexicon = read_static("glove").lexicon
        except BadInput:
            run_context.progress.note(f"{self.title}: GloVe is not installed, so every word is hashed to a row")
            return None
        return lexicon if isinstance(lexicon, Words) else None


def random_table(seed: int, own: Words | None, norm: float) -> StaticTable:
    """Return a table of random circulant word vectors.

    Args:
        seed: seed of the vectors.
        own: a vocabulary whose words have a row each, while other words are hashed to rows; None hashes all words.
        norm: mean norm of the vectors.
    """
    vectors = CirculantTable.draw(SIZE, WIDTH, norm, child(seed, "random vectors"))
    return StaticTable("random", vectors, HashedLexicon(own), disk_bytes=vectors.nbytes)
