"""Counting grams: runs of words or characters, every text once."""

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
    """Which grams are counted.

    Attributes:
        unit: words (each mark of punctuation is one), or characters within words.
        shortest, longest: units in a gram.
        least: training texts that must hold a gram for it to count.
    """

    unit: Literal["word", "char_wb"]
    shortest: int
    longest: int
    least: int = 1

    def counter(self, vocabulary: Mapping[str, int] | None = None) -> CountVectorizer:
        """A counter of these grams, of case-folded texts."""
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
    """Counts of grams in texts, kept for the texts it was made from and computed for any other.

    What is kept is `1 + ln count`, as TF-IDF weighs it.
    """

    def __init__(self, grams: Grams, counter: CountVectorizer, table: csr_matrix, places: Mapping[str, int]) -> None:
        self.grams, self._counter, self._table, self._places = grams, counter, table, places

    def rows(self, texts: Sequence[str]) -> csr_matrix:
        """float32 [n, grams], `1 + ln count` of each gram in each text; grams never counted before are left out."""
        places = [self._places.get(text, -1) for text in texts]
        if min(places, default=0) < 0:
            return _weighed(self._counter.transform(texts))
        return self._table[np.array(places, dtype=np.int64)]

    def forget(self) -> Counts:
        """The same counter, which has seen no text."""
        return Counts(self.grams, self._counter, self._table[:0], {})

    def named(self, columns: Rows | NDArray[np.int64]) -> list[str]:
        """The grams of some columns."""
        return [str(gram) for gram in self._counter.get_feature_names_out()[columns]]


@lru_cache(maxsize=2)
def counted(grams: Grams, texts: tuple[str, ...]) -> Counts:
    """Counts of every text of a task; the last two (words, characters) are kept for the rungs that share them."""
    distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    counter = grams.counter()
    try:
        table = counter.fit_transform(distinct)
    except ValueError:  # scikit-learn's word for texts without a single gram
        counter = grams.counter({"": 0})
        table = counter.fit_transform(distinct)
    return Counts(grams, counter, _weighed(table), distinct)


def _weighed(counts: Any) -> csr_matrix:  # noqa: ANN401 - scikit-learn has no types
    table = csr_matrix(counts, dtype=np.float32)
    table.data = 1 + np.log(table.data)
    return table
