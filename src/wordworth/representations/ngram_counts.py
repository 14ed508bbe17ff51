"""Counts of n-grams of words or characters, computed once per text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The kind of n-grams to count.

    Attributes:
        unit: words (each punctuation mark is one), or characters within words.
        shortest, longest: number of units in an n-gram.
        min_df: n-grams in fewer training texts than this are ignored.
    """

    unit: Literal["word", "char_wb"]
    shortest: int
    longest: int
    min_df: int = 1

    def counter(self, vocabulary: Mapping[str, int] | None = None) -> CountVectorizer:
        """Return scikit-learn's counter of these n-grams in lower-cased texts."""
        return CountVectorizer(
            analyzer=self.unit,
            ngram_range=(self.shortest, self.longest),
            token_pattern=r"\w+|[^\w\s]" if self.unit == "word" else None,
            dtype=np.float32,
            vocabulary=vocabulary,
        )


WORDS = Ngrams("word", 1, 2)
CHARACTERS = Ngrams("char_wb", 2, 5)


class NgramCounts:
    """Sublinear counts of n-grams, `1 + ln count`: cached for the texts it was made from, computed for any other."""

    def __init__(self, ngrams: Ngrams, counter: CountVectorizer, table: csr_matrix, row_of: Mapping[str, int]) -> None:
        self.ngrams, self._counter, self._table, self._row_of = ngrams, counter, table, row_of

    def rows(self, texts: Sequence[str]) -> csr_matrix:
        """Return the sublinear counts, float32 [n, ngrams]; n-grams that the cached texts lack are ignored."""
        indices = [self._row_of.get(text, -1) for text in texts]
        if min(indices, default=0) < 0:
            return _sublinear(self._counter.transform(texts))
        return self._table[np.array(indices, dtype=np.int64)]

    def forget(self) -> NgramCounts:
        """Return the same counter without the cached texts."""
        return NgramCounts(self.ngrams, self._counter, self._table[:0], {})

    def ngrams_at(self, columns: NDArray[np.int64]) -> list[str]:
        """Return the n-grams that `columns` count."""
        return [str(ngram) for ngram in self._counter.get_feature_names_out()[columns]]


@lru_cache(maxsize=2)
def count_ngrams(ngrams: Ngrams, texts: tuple[str, ...]) -> NgramCounts:
    """Count the n-grams of every text; the last two results (words, characters) are cached for other rungs."""
    distinct = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    counter = ngrams.counter()
    try:
        table = counter.fit_transform(distinct)
    except ValueError:  # scikit-learn's error for texts without any n-gram
        counter = ngrams.counter({"": 0})
        table = counter.fit_transform(distinct)
    return NgramCounts(ngrams, counter, _sublinear(table), distinct)


def _sublinear(counts: Any) -> csr_matrix:  # noqa: ANN401 - scikit-learn has no types
    table = csr_matrix(counts, dtype=np.float32)
    table.data = 1 + np.log(table.data)
    return table
