"""Counting grams: runs of words or characters, every text once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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
    """Counts of grams in texts, kept for the texts it was made from and computed for any other."""

    def __init__(self, grams: Grams, counter: CountVectorizer, table: csr_matrix, places: Mapping[str, int]) -> None:
        self.grams, self._counter, self._table, self._places = grams, counter, table, places

    @classmethod
    def of(cls, grams: Grams, texts: Sequence[str]) -> Counts:
        """Counts of every text of a task, and of the grams found in them."""
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        counter = grams.counter()
        try:
            table = counter.fit_transform(distinct)
        except ValueError:  # scikit-learn's word for texts without a single gram
            counter = grams.counter({"": 0})
            table = counter.fit_transform(distinct)
        return cls(grams, counter, csr_matrix(table), distinct)

    def rows(self, texts: Sequence[str]) -> csr_matrix:
        """float32 [n, grams], counts in each text; grams never counted before are left out."""
        places = [self._places.get(text, -1) for text in texts]
        if min(places, default=0) < 0:
            return csr_matrix(self._counter.transform(texts))
        return self._table[np.array(places, dtype=np.int64)]

    def forget(self) -> Counts:
        """The same counter, which has seen no text."""
        return Counts(self.grams, self._counter, self._table[:0], {})

    def named(self, columns: Rows | NDArray[np.int64]) -> list[str]:
        """The grams of some columns."""
        return [str(gram) for gram in self._counter.get_feature_names_out()[columns]]
