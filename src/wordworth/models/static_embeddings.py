"""`StaticTable`: one vector a word or subword, whatever stands around it. No neural network, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.errors import BadInput
from wordworth.text.validation import require_texts

_SMOOTHING = 1e-3
_SORTED = 16
"""So many times fewer tokens than rows are sooner sorted than counted off in an array of all rows."""
_AT_ONCE = 1 << 22
"""Numbers gathered at a time where every token's vector is needed."""


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Texts as rows of a table, end to end.

    Attributes:
        rows: int64 [tokens]; the tokens of text i are `rows[starts[i]:starts[i + 1]]`.
        starts: int64 [texts + 1].
        unknown: how many tokens the table does not have; they are left out.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    unknown: int = 0

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]], unknown: int = 0) -> TokenRows:
        """From a list of rows a text."""
        starts = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        rows = np.fromiter((row for text in texts for row in text), np.int64, count=int(starts[-1]))
        return cls(rows, starts, unknown)


class VocabularyLookup(Protocol):
    """How text becomes rows of a table."""

    def find(self, texts: Sequence[str]) -> TokenRows:
        """The rows of every token of each text."""
        ...

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """The rows of each given word: one, several (subwords) or none."""
        ...


class Vectors(Protocol):
    """Rows of a table: a numpy array, mapped from disk or not, or anything indexed like one."""

    @property
    def shape(self) -> tuple[int, ...]:
        """[rows, width]."""
        ...

    def __getitem__(self, rows: Any, /) -> Any:  # noqa: ANN401 - numpy's own indexing is no narrower
        """Floats [len(rows), width] for int64 rows."""
        ...


@dataclass(frozen=True, slots=True)
class StaticTable:
    """A table of vectors and how text finds its rows.

    Attributes:
        name: as the user calls it.
        vectors: float [rows, width].
        lexicon: how text becomes rows.
        normalised: whether a text's vector is brought to length one (where the table's origin does so).
        by_frequency: whether row 0 is the most frequent word, row 1 the next, as GloVe and word2vec files are.
        disk_bytes: size of its files.
    """

    name: str
    vectors: Vectors
    lexicon: VocabularyLookup
    normalised: bool = False
    by_frequency: bool = False
    disk_bytes: int = 0

    def __repr__(self) -> str:
        return f"<StaticTable {self.name!r}: {len(self):,} vectors, {self.width} wide>"

    def count_empty(self, texts: Sequence[str]) -> int:
        """How many of the texts hold no token that the table knows: their vectors are zeros."""
        return int((np.diff(self.lexicon.find(require_texts(texts)).starts) == 0).sum())

    @property
    def width(self) -> int:
        """Numbers a vector has."""
        return self.vectors.shape[1]

    def __len__(self) -> int:
        return self.vectors.shape[0]

    def unknown_rate(self, texts: Sequence[str]) -> float:
        """The share of the texts' words that the table lacks and leaves out; 0 of no words."""
        found = self.lexicon.find(texts)
        words = found.unknown + len(found.rows)
        return found.unknown / words if words else 0.0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [n, width]: the mean vector of each text's known tokens; zeros (see `blank`) where none is known.

        Raises:
            BadInput: something in `texts` is not text, or a vector that is needed holds NaN or infinity.
        """
        return self.mean(self.lexicon.find(require_texts(texts)))

    def mean(self, found: TokenRows) -> NDArray[np.float32]:
        """The mean vector of each text."""
        return self._finished(self._sums(found, None))

    def sif_mean(self, found: TokenRows) -> NDArray[np.float32]:
        """The mean with frequent words weighed down: a / (a + p(word)), a = 0.001 (SIF, Arora et al. 2017, section 3).

        p follows Zipf's law over the table's own order of frequency, so that no text need be read first; the common
        component that SIF takes away as well is left to the head.
        """
        ranks = np.arange(1, len(self) + 1)
        likely = 1 / (ranks * (np.log(len(self)) + np.euler_gamma))
        return self._finished(self._sums(found, (_SMOOTHING / (_SMOOTHING + likely)).astype(np.float32)))

    def max_pool(self, found: TokenRows) -> NDArray[np.float32]:
        """float32 [n, width], the largest value of each column over a text's tokens; zero where none is known."""
        pooled = np.zeros((len(found.starts) - 1, self.width), dtype=np.float32)
        filled = np.flatnonzero(np.diff(found.starts))
        step = max(1, _AT_ONCE // max(self.width, 1))
        groups = np.searchsorted(found.starts[filled + 1], np.arange(step, len(found.rows) + step, step), side="right")
        for texts in np.split(filled, np.unique(groups)):
            if len(texts):
                first, last = found.starts[texts[0]], found.starts[texts[-1] + 1]
                rows = self.gather(found.rows[first:last])
                pooled[texts] = np.maximum.reduceat(rows, found.starts[texts] - first, axis=0)
        return pooled

    def word_vectors(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """float32 [n, width], a vector a given word (the mean of its subwords), and bool [n], whether it is known."""
        found = self.lexicon.find_words(words)
        return self._sums(found, None), np.diff(found.starts) > 0

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 [len(rows), width].

        Raises:
            BadInput: a vector among them holds NaN or infinity.
        """
        with np.errstate(over="ignore"):  # told below
            taken = np.asarray(self.vectors[rows], dtype=np.float32)
        if not np.isfinite(taken).all():
            bad = rows[~np.isfinite(taken).all(1)][0]
            raise BadInput(
                f"vector {bad} holds NaN or infinity", where=self.name, mend="fetch or export the file again"
            )
        return taken

    def _sums(self, found: TokenRows, weights: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Weighted means by one sparse product over the distinct rows."""
        distinct, inverse = _distinct(found.rows, len(self))
        weight = np.ones(len(distinct), np.float32) if weights is None else weights[distinct]
        counts = csr_matrix(
            (weight[inverse], inverse, found.starts), shape=(len(found.starts) - 1, len(distinct)), dtype=np.float32
        )
        total = np.asarray(counts.sum(1), dtype=np.float32)
        means = np.asarray(counts @ self.gather(distinct)) / np.where(total > 0, total, 1)
        return self._require_finite(means.astype(np.float32, copy=False))

    def _finished(self, pooled: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.normalised:
            return pooled
        lengths = self._require_finite(np.linalg.norm(pooled, axis=1, keepdims=True))
        return (pooled / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)

    def _require_finite(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same values.

        Raises:
            BadInput: sums of the table's numbers have no float32.
        """
        if not np.isfinite(values).all():
            what = "sums of this table's vectors are beyond what float32 holds"
            raise BadInput(what, where=self.name, mend="scale the table down, or fetch it again")
        return values


def _distinct(rows: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """As `np.unique` with `return_inverse`, for rows of a table of `size`: many are counted off, not sorted."""
    if len(rows) * _SORTED < size:
        return np.unique(rows, return_inverse=True)
    there = np.zeros(size, dtype=np.bool_)
    there[rows] = True
    distinct = np.flatnonzero(there)
    places = np.empty(size, dtype=np.int64)
    places[distinct] = np.arange(len(distinct))
    return distinct, places[rows]


def plain_mean(table: StaticTable, texts: Sequence[str]) -> NDArray[np.float32]:
    """What `encode` means, written out a text at a time: its specification."""
    found = table.lexicon.find(texts)
    pooled = np.zeros((len(texts), table.width), dtype=np.float32)
    for text, (first, last) in enumerate(zip(found.starts, found.starts[1:], strict=False)):
        if last > first:
            mean = np.asarray(table.vectors[found.rows[first:last]], dtype=np.float64).mean(0)
            length = np.linalg.norm(mean) if table.normalised else 1.0
            pooled[text] = mean / (length or 1.0)
    return pooled
