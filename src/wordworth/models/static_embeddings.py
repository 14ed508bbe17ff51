"""`StaticTable`: one vector per word or subword, independent of context. No neural network, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Never, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.length_batching import require_batch_size
from wordworth.models.zero_vector_warning import count_zeros, notify_of_zeros
from wordworth.progress import SILENT, Progress, require_progress
from wordworth.text.tokens import require_texts
from wordworth.text.windows import LongTexts, require_long_texts

_SMOOTHING = 1e-3
_SORTED = 16
"""If a table has this many times as many rows as there are tokens, sorting is faster than marking rows in an array."""
_AT_ONCE = 1 << 22
"""Approximate number of vector components gathered at a time by `StaticTable.max_pool`."""


@dataclass(frozen=True, slots=True)
class TokenRows:
    """The tokens of some texts as row numbers of a static table, all texts end to end.

    Attributes:
        rows: int64 [tokens]; the tokens of text i are `rows[starts[i]:starts[i + 1]]`.
        starts: int64 [texts + 1], where each text starts in `rows`, and the number of tokens.
        unknown: number of tokens that the table lacks, which `rows` leaves out.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    unknown: int = 0

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]], unknown: int = 0) -> TokenRows:
        """Return the tokens of texts end to end.

        Args:
            texts: for each text, the row numbers of its tokens in the table.
            unknown: number of tokens that the table lacks, which `texts` leaves out.
        """
        starts = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        rows = np.fromiter((row for text in texts for row in text), np.int64, count=int(starts[-1]))
        return cls(rows, starts, unknown)


class VocabularyLookup(Protocol):
    """A lookup from text to rows of a table."""

    def find(self, texts: Sequence[str]) -> TokenRows:
        """Return the rows of every known token of each text."""
        ...

    def find_words(self, words: Sequence[str]) -> TokenRows:
        """Return the rows of each word: one, several (subwords) or none."""
        ...


class Vectors(Protocol):
    """Rows of a table: a numpy array, in memory or memory-mapped, or any object that is indexed in the same way."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows, and width of a row."""
        ...

    def __getitem__(self, rows: Any, /) -> Any:  # noqa: ANN401 - numpy's own indexing is as wide
        """Return the vectors of int64 row numbers, floats [len(rows), width]."""
        ...


@dataclass(frozen=True, slots=True)
class StaticTable:
    """A table of vectors, and the lookup from text to its rows.

    Attributes:
        name: the name that the table was loaded by.
        vectors: float [rows, width], one vector per word or subword.
        lexicon: maps text to rows.
        normalised: whether a text's vector is scaled to length 1, as the table's own library scales it.
        by_frequency: whether rows are sorted by frequency, the most frequent first, as in GloVe and word2vec files.
        disk_bytes: size of the table's files in bytes.
    """

    name: str
    vectors: Vectors
    lexicon: VocabularyLookup
    normalised: bool = False
    by_frequency: bool = False
    disk_bytes: int = 0

    def __repr__(self) -> str:
        return f"<StaticTable {self.name!r}: {len(self):,} vectors, {self.width} wide>"

    @property
    def width(self) -> int:
        """Width of a vector."""
        return self.vectors.shape[1]

    def __len__(self) -> int:
        return self.vectors.shape[0]

    def unknown_rate(self, texts: Sequence[str]) -> float:
        """Return the share, 0 to 1, of the texts' words that the table lacks; 0 if the texts have no words."""
        tokens = self.lexicon.find(texts)
        words = tokens.unknown + len(tokens.rows)
        return tokens.unknown / words if words else 0.0

    def encode(
        self,
        texts: str | Sequence[str],
        *,
        batch_size: int | None = None,
        normalize: bool = False,
        long_texts: LongTexts | None = None,
        progress: Progress = SILENT,
    ) -> NDArray[np.float32]:
        """Return the mean vector of each text's known tokens, float32 [n, width]; of one text, float32 [width].

        A text without known tokens gets a vector of zeros and a `ZeroVectorWarning`, since the cosine of zeros with
        another vector is meaningless.

        Args:
            texts: texts of any length, or one text.
            batch_size: number of texts looked up at once, to save memory; None takes all.
            normalize: whether vectors are scaled to length 1, so that their dot products are cosines.
            long_texts: accepted so that a table can stand in for an encoder; it has no effect, as a table reads texts
                of any length.
            progress: receives the progress.

        Raises:
            BadInput: an item of `texts` is not text, `long_texts` is unknown, or a needed vector holds NaN or infinity.
        """
        require_batch_size(batch_size)
        require_progress(progress)
        require_long_texts("window" if long_texts is None else long_texts)
        several = require_texts([texts] if isinstance(texts, str) else texts)
        table = replace(self, normalised=self.normalised or normalize)
        parts, size = [np.zeros((0, self.width), np.float32)], batch_size or max(1, len(several))
        with progress.step(f"embedding with {self.name}", len(several)) as step:
            for start in range(0, len(several), size):
                parts.append(table.mean(self.lexicon.find(several[start : start + size])))
                step.advance(len(parts[-1]))
        vectors = np.concatenate(parts)
        notify_of_zeros(self.name, count_zeros(vectors), len(several), progress)
        return vectors[0] if isinstance(texts, str) else vectors

    def states(self, *_: object, **__: object) -> Never:
        """Refuse: a table has no hidden states.

        Raises:
            BadInput: always.
        """
        what = f"{self.name!r} is a static table, whose words have one vector each and no states in a sentence"
        raise BadInput(what, mend="name an encoder, or use word_vectors")

    def save(self, folder: Path | str) -> None:
        """Write the table into a folder that `load` opens; model2vec opens the folder too if the table is of subwords.

        The folder is written whole or not at all; a folder of that name is replaced.

        Raises:
            BadInput: `folder` cannot be written, or the table's lookup is not of one of Wordworth's own classes.
        """
        from wordworth.models.static.save_static_table import save_table

        save_table(self, folder)

    def mean(self, token_rows: TokenRows) -> NDArray[np.float32]:
        """Return the mean vector of each text's rows, float32 [n, width]; zeros for a text without rows."""
        return self._finished(self._sums(token_rows, None))

    def sif_mean(self, token_rows: TokenRows) -> NDArray[np.float32]:
        """Return the weighted mean vector of each text's rows, with the weights of SIF, float32 [n, width].

        The weight of a word is a / (a + p(word)), with a = 0.001 (Arora et al. 2017, section 3). Its relative frequency
        p(word) is estimated by Zipf's law from its rank in the table, so that no text need be read first. The common
        component, which SIF also removes, is not removed here.
        """
        ranks = np.arange(1, len(self) + 1)
        probabilities = 1 / (ranks * (np.log(len(self)) + np.euler_gamma))
        return self._finished(self._sums(token_rows, (_SMOOTHING / (_SMOOTHING + probabilities)).astype(np.float32)))

    def max_pool(self, token_rows: TokenRows) -> NDArray[np.float32]:
        """Return the maximum of each column over a text's rows, float32 [n, width]; zeros for a text without rows."""
        pooled = np.zeros((len(token_rows.starts) - 1, self.width), dtype=np.float32)
        filled = np.flatnonzero(np.diff(token_rows.starts))
        step = max(1, _AT_ONCE // max(self.width, 1))
        groups = np.searchsorted(
            token_rows.starts[filled + 1], np.arange(step, len(token_rows.rows) + step, step), side="right"
        )
        for texts in np.split(filled, np.unique(groups)):
            if len(texts):
                first, last = token_rows.starts[texts[0]], token_rows.starts[texts[-1] + 1]
                rows = self.gather(token_rows.rows[first:last])
                pooled[texts] = np.maximum.reduceat(rows, token_rows.starts[texts] - first, axis=0)
        return pooled

    def word_vectors(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the vector of each word, and whether the table knows it.

        Returns:
            float32 [n, width], the mean of a word's subwords, zeros for an unknown word; bool [n], whether a word is
            known.
        """
        tokens = self.lexicon.find_words(words)
        return self._sums(tokens, None), np.diff(tokens.starts) > 0

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors at given row numbers, float32 [len(rows), width].

        Raises:
            BadInput: one of the vectors holds NaN or infinity.
        """
        with np.errstate(over="ignore"):  # reported below
            vectors = np.asarray(self.vectors[rows], dtype=np.float32)
        if not np.isfinite(vectors).all():
            bad = rows[~np.isfinite(vectors).all(1)][0]
            raise BadInput(
                f"vector {bad} holds NaN or infinity", where=self.name, mend="fetch or export the file again"
            )
        return vectors

    def _sums(self, tokens: TokenRows, weights: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Return the weighted mean vector of each text's rows, float32 [n, width], by one sparse product.

        Args:
            tokens: the rows of each text.
            weights: float32 [rows of the table]; None for equal weights.
        """
        distinct, inverse = distinct_rows(tokens.rows, len(self))
        weight = np.ones(len(distinct), np.float32) if weights is None else weights[distinct]
        from scipy.sparse import csr_matrix

        counts = csr_matrix(
            (weight[inverse], inverse, tokens.starts), shape=(len(tokens.starts) - 1, len(distinct)), dtype=np.float32
        )
        total = np.asarray(counts.sum(1), dtype=np.float32)
        means = np.asarray(counts @ self.gather(distinct)) / np.where(total > 0, total, 1)
        return self._require_finite(means.astype(np.float32, copy=False))

    def _finished(self, pooled: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return vectors scaled to length 1 if the table is normalised, else unchanged."""
        if not self.normalised:
            return pooled
        lengths = self._require_finite(np.linalg.norm(pooled, axis=1, keepdims=True))
        return (pooled / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)

    def _require_finite(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the values unchanged after checking that all are finite.

        Raises:
            BadInput: a sum of the table's values overflows float32.
        """
        if not np.isfinite(values).all():
            what = "sums of this table's vectors overflow float32"
            raise BadInput(what, where=self.name, mend="scale the table down, or fetch it again")
        return values


def distinct_rows(rows: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what `np.unique(rows, return_inverse=True)` returns: the distinct rows, and each row's index among them.

    The distinct rows are ascending. Many rows are marked in an array of the table's length, which is faster than
    sorting.

    Args:
        rows: int64 [n], row numbers below `size`.
        size: number of rows of the table.
    """
    if len(rows) * _SORTED < size:
        return np.unique(rows, return_inverse=True)
    is_used = np.zeros(size, dtype=np.bool_)
    is_used[rows] = True
    distinct = np.flatnonzero(is_used)
    index_of = np.empty(size, dtype=np.int64)
    index_of[distinct] = np.arange(len(distinct))
    return distinct, index_of[rows]
