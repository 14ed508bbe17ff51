"""TF-IDF of word 1-2-grams and character 2-5-grams: sublinear counts, smoothed frequencies, rows of unit length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.lazy_feature_sets import Lazy
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.tasks.task import Examples, Kind
from wordworth.tasks.task_types import ABOUT_TEXTS
from wordworth.text.wordpiece_reference import GOOGLE

_IDEOGRAPHS = "".join(f"{chr(first)}-{chr(last)}" for first, last in GOOGLE.ideographs)
_WORD = rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|[^\w\s]"
"""A word: an ideograph, as Chinese has no spaces between words; other letters and digits together; a mark."""
_HALF = float(np.sqrt(0.5))
_BYTES_PER_NGRAM = 8  # its document frequency as a float, its column as an integer


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The kind of n-grams to count.

    Attributes:
        unit: words (each ideograph and each punctuation mark is one), or characters within words.
        shortest, longest: number of units in an n-gram.
        min_df: n-grams in fewer training texts than this are ignored.
    """

    unit: Literal["word", "char_wb"]
    shortest: int
    longest: int
    min_df: int = 1

    def counter(self, vocabulary: Mapping[str, int] | None = None) -> CountVectorizer:
        """Return scikit-learn's counter of these n-grams in lower-cased texts.

        Args:
            vocabulary: n-gram -> its column; None to learn the n-grams from texts.
        """
        return CountVectorizer(
            analyzer=self.unit,
            ngram_range=(self.shortest, self.longest),
            token_pattern=_WORD if self.unit == "word" else None,
            dtype=np.float32,
            vocabulary=vocabulary,
        )


WORDS = Ngrams("word", 1, 2)
CHARACTERS = Ngrams("char_wb", 2, 5)


class NgramCounts:
    """A counter of n-grams that caches the sublinear counts, `1 + ln count`, of the texts that it was made from."""

    def __init__(self, ngrams: Ngrams, counter: CountVectorizer, table: csr_matrix, row_of: Mapping[str, int]) -> None:
        self.ngrams, self._counter, self._table, self._row_of = ngrams, counter, table, row_of

    def rows(self, texts: Sequence[str]) -> csr_matrix:
        """Return the sublinear counts of texts, float32 [n, ngrams]; n-grams that the cached texts lack are ignored."""
        indices = [self._row_of.get(text, -1) for text in texts]
        if min(indices, default=0) < 0:
            return _sublinear(self._counter.transform(texts))
        return self._table[np.array(indices, dtype=np.int64)]

    def forget(self) -> NgramCounts:
        """Return the same counter without the cached texts."""
        return NgramCounts(self.ngrams, self._counter, self._table[:0], {})

    def ngrams_at(self, columns: NDArray[np.int64]) -> list[str]:
        """Return the n-grams of some columns of the counts.

        Args:
            columns: int64 [k], indices of columns.
        """
        return [str(ngram) for ngram in self._counter.get_feature_names_out()[columns]]


@lru_cache(maxsize=2)
def count_ngrams(ngrams: Ngrams, texts: tuple[str, ...]) -> NgramCounts:
    """Count the n-grams of every text; the last two results (of words and of characters) stay in memory for reuse."""
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


@dataclass(frozen=True, slots=True)
class IdfWeights:
    """Inverse document frequencies learned from n texts (Salton and Buckley 1988; smoothed as scikit-learn does).

    Attributes:
        columns: int64 [d], the columns of the counts whose n-grams occur in training.
        new_index: int32 [ngrams], the new index of each column of the counts; -1 for columns left out.
        idf: float32 [ngrams], `ln((1 + n) / (1 + texts with the ngram)) + 1`.
    """

    columns: NDArray[np.int64]
    new_index: NDArray[np.int32]
    idf: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_matrix, min_df: int) -> IdfWeights:
        """Learn the weights from counts of n-grams in training texts.

        Args:
            counts: [texts, ngrams], sparse, with an entry wherever a text has an n-gram; the entries' values are not
                used.
            min_df: least number of texts with an n-gram; rarer n-grams are left out.
        """
        num_texts = np.bincount(counts.indices, minlength=counts.shape[1])
        columns = np.flatnonzero(num_texts >= min_df)
        new_index = np.full(counts.shape[1], -1, dtype=np.int32)
        new_index[columns] = np.arange(len(columns))
        return cls(columns, new_index, (np.log((1 + counts.shape[0]) / (1 + num_texts)) + 1).astype(np.float32))

    def __call__(self, counts: csr_matrix) -> csr_matrix:
        """Return `counts * idf` of the n-grams seen in training, rows of unit length, float32 [n, d]."""
        columns, weights, starts = self.new_index[counts.indices], counts.data * self.idf[counts.indices], counts.indptr
        is_kept = columns >= 0
        if not is_kept.all():
            starts = np.concatenate([[0], np.cumsum(is_kept)])[starts]
            columns, weights = columns[is_kept], weights[is_kept]
        weighted = csr_matrix((weights, columns, starts), shape=(counts.shape[0], len(self.columns)))
        squares = csr_matrix((np.square(weights), columns, starts), shape=weighted.shape) @ np.ones(len(self.columns))
        scales = (1 / np.sqrt(np.where(squares > 0, squares, 1))).astype(np.float32)
        weighted.data *= np.repeat(scales, np.diff(weighted.indptr))
        return weighted


@dataclass(frozen=True, slots=True)
class Tfidf(Representation):
    """TF-IDF of words, of characters, and of both side by side, as three views from which the head selects.

    Counting takes most of the time and does not depend on the training subset. `prepare` therefore counts every text of
    a task once; `fit` selects a subset's columns and computes their frequencies, with the same result as counting the
    subset's texts alone.
    """

    words: Ngrams = WORDS
    characters: Ngrams = CHARACTERS
    name: str = "tfidf"
    title: str = "TF-IDF + linear"
    family = "counts"
    frozen = False
    counts: Mapping[str, NgramCounts] = field(default_factory=dict)
    idf_weights: Mapping[str, IdfWeights] = field(default_factory=dict)

    def kinds(self) -> frozenset[Kind]:
        """Return the names of all kinds of task but tagging, which needs features of words rather than of texts."""
        return ABOUT_TEXTS

    def prepare(self, examples: Examples) -> Self:
        """Return a copy that stores the counts of the n-grams of every text."""
        texts = examples.first + (examples.second or ())
        return replace(
            self, counts={"words": count_ngrams(self.words, texts), "characters": count_ngrams(self.characters, texts)}
        )

    def forget(self) -> Self:
        """Return a copy without the stored counts, so that every text is counted as if it were new."""
        return replace(self, counts={part: counts.forget() for part, counts in self.counts.items()})

    def fit(self, examples: Examples) -> Self:
        """Return a copy fitted on training texts: with their n-grams and the inverse document frequencies of these."""
        ready = self if self.counts else self.prepare(examples)
        texts = examples.first + (examples.second or ())
        idf = {part: IdfWeights.of(counts.rows(texts), counts.ngrams.min_df) for part, counts in ready.counts.items()}
        return replace(ready, idf_weights=idf)

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return the views `both` (words beside characters), `words` and `characters`, computed at first use.

        Pairs of texts also have the view `likeness`: the cosines of the two texts, by words and by characters.
        """
        sides = (examples.first,) if examples.second is None else (examples.first, examples.second)

        def blocks(part: str) -> Blocks:
            matrices = [self._tfidf(part, texts) for texts in sides]
            return Blocks.of(matrices[0]) if len(matrices) == 1 else _pair(*matrices)

        def near() -> NDArray[np.float32]:
            return np.hstack([_pair_cosines(*(self._tfidf(part, texts) for texts in sides)) for part in self.counts])

        parts = Lazy({"words": lambda: blocks("words"), "characters": lambda: blocks("characters")})
        makers: dict[str, Callable[[], Features]] = {
            "both": lambda: parts["words"].times(_HALF).hstack(parts["characters"].times(_HALF)),
            "words": lambda: parts["words"],
            "characters": lambda: parts["characters"],
        }
        return Lazy(makers if len(sides) == 1 else makers | {"likeness": near})

    def learned_ngrams(self) -> dict[str, tuple[list[str], NDArray[np.float32]]]:
        """Return the n-grams of the training texts with their weights, separately for `words` and `characters`.

        Returns:
            `words` or `characters` -> (the n-grams in the order of the features, their weights as float32 [n-grams]).
        """
        return {
            part: (self.counts[part].ngrams_at(weights.columns), weights.idf[weights.columns])
            for part, weights in self.idf_weights.items()
        }

    def of_ngrams(self, learned: Mapping[str, tuple[Sequence[str], NDArray[np.float32]]]) -> Self:
        """Rebuild a fitted representation from the n-grams and weights that `learned_ngrams` returned.

        Args:
            learned: `words` or `characters` -> (n-grams in the order of the features, their weights as float32
                [n-grams]).

        Raises:
            ValueError: an n-gram occurs twice, or the number of weights differs from the number of n-grams.
        """
        kinds = {"words": self.words, "characters": self.characters}
        counts, weights = dict[str, NgramCounts](), dict[str, IdfWeights]()
        for part, (ngrams, idf) in learned.items():
            columns = {ngram: column for column, ngram in enumerate(ngrams)}
            if not len(columns) == len(ngrams) == len(idf):
                raise ValueError(f"{len(ngrams)} n-grams, {len(columns)} of them different, and {len(idf)} weights")
            counter = kinds[part].counter(columns or {"": 0})
            none = csr_matrix((0, max(len(columns), 1)), dtype=np.float32)
            counts[part] = NgramCounts(kinds[part], counter, none, {})
            index = np.arange(len(columns), dtype=np.int32)
            weights[part] = IdfWeights(index.astype(np.int64), index, np.asarray(idf, np.float32))
        return replace(self, counts=counts, idf_weights=weights)

    def cost(self) -> Cost:
        """Return the size of the vocabulary of n-grams and their frequencies."""
        ngrams = [ngram for names, _ in self.learned_ngrams().values() for ngram in names]
        disk_bytes = sum(len(ngram.encode()) + 1 + _BYTES_PER_NGRAM for ngram in ngrams)
        return Cost(disk_bytes=disk_bytes, parameters=len(ngrams), num_features=len(ngrams))

    def _tfidf(self, part: str, texts: tuple[str, ...]) -> csr_matrix:
        return self.idf_weights[part](self.counts[part].rows(texts))


def _pair(first: csr_matrix, second: csr_matrix) -> Blocks:
    """Return `[u, v, |u - v|, u * v, cosine]`, as `pair_features` of dense vectors; rows of squared norm about one."""
    difference, product = csr_matrix(abs(first - second)), csr_matrix(first.multiply(second))
    cosine = csr_matrix(_pair_cosines(first, second))
    return Blocks((first, second, difference, product, cosine), (0.5,) * 5)


def _pair_cosines(first: csr_matrix, second: csr_matrix) -> NDArray[np.float32]:
    """Return the cosine of each pair of rows, which have unit length, float32 [n, 1]."""
    return np.asarray(first.multiply(second).sum(1), dtype=np.float32).reshape(-1, 1)
