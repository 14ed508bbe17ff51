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

from wordworth.tasks.task import Rows


@dataclass(frozen=True, slots=True)
class Grams:
    """Which n-grams are counted.

    Attributes:
        unit: words (each punctuation mark is one), or characters within words.
        shortest, longest: units in an n-gram.
        least: least number of training texts with an n-gram for it to count.
    """

    unit: Literal["word", "char_wb"]
    shortest: int
    longest: int
    least: int = 1

    def counter(self, vocabulary: Mapping[str, int] | None = None) -> CountVectorizer:
        """Return scikit-learn's counter of these n-grams in lower-cased texts."""
        return CountVectorizer(
            analyzer=self.unit,
            ngram_range=(self.shortest, self.longest),
            token_pattern=r"\w+|[^\w\s]" if self.unit == "word" else None,
            dtype=np.float32,
            vocabulary=vocabulary,
        )


WORDS = Grams("word", 1, 2)
CHARACTERS = Grams("char_wb", 2, 5)


class Counts:
    """Counts of n-grams in texts, cached for the texts it was made from and computed for any other.

    The stored value is `1 + ln count`, as TF-IDF uses it.
    """

    def __init__(self, grams: Grams, counter: CountVectorizer, table: csr_matrix, places: Mapping[str, int]) -> None:
        self.grams, self._counter, self._table, self._places = grams, counter, table, places

    def rows(self, texts: Sequence[str]) -> csr_matrix:
        """Return float32 [n, grams], `1 + ln count` of each n-gram in each text; unknown n-grams are left out."""
        indices = [self._places.get(text, -1) for text in texts]
        if min(indices, default=0) < 0:
            return _weighed(self._counter.transform(texts))
        return self._table[np.array(indices, dtype=np.int64)]

    def forget(self) -> Counts:
        """Return the same counter without cached texts."""
        return Counts(self.grams, self._counter, self._table[:0], {})

    def named(self, columns: Rows | NDArray[np.int64]) -> list[str]:
        """Return the n-grams of `columns`."""
        return [str(gram) for gram in self._counter.get_feature_names_out()[columns]]


@lru_cache(maxsize=2)
def counted(grams: Grams, texts: tuple[str, ...]) -> Counts:
    """Count every text of a task; the last two results (words, characters) are kept for rungs that share them."""
    distinct = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    counter = grams.counter()
    try:
        table = counter.fit_transform(distinct)
    except ValueError:  # scikit-learn's error for texts without any n-gram
        counter = grams.counter({"": 0})
        table = counter.fit_transform(distinct)
    return Counts(grams, counter, _weighed(table), distinct)


def _weighed(counts: Any) -> csr_matrix:  # noqa: ANN401 - scikit-learn has no types
    table = csr_matrix(counts, dtype=np.float32)
    table.data = 1 + np.log(table.data)
    return table
