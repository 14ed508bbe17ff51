"""TF-IDF as an expert would make it: words 1-2 and characters 2-5, sublinear, smoothed, each text of length one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from wordworth.representations.grams import CHARACTERS, WORDS, Counts, Grams
from wordworth.representations.representation import Features
from wordworth.representations.rung import Cost, Desk, Family
from wordworth.representations.views import LazyViews
from wordworth.tasks.task import Examples, Kind

_BYTES_A_GRAM = 8  # its document frequency as a float, its column as an integer


@dataclass(frozen=True, slots=True)
class Weighing:
    """Inverse document frequencies learned from n texts (Salton and Buckley 1988; smoothed as scikit-learn does).

    Attributes:
        kept: int64 [d], the grams seen in training, columns of the counts.
        places: int64 [grams], where each column of the counts went; -1 for those left out.
        idf: float64 [d], `ln((1 + n) / (1 + texts with the gram)) + 1`.
    """

    kept: NDArray[np.int64]
    places: NDArray[np.int64]
    idf: NDArray[np.float64]

    @classmethod
    def of(cls, counts: csr_matrix, least: int) -> Weighing:
        """The weighing of training counts [n, grams]; grams in fewer than `least` texts are left out."""
        found = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = np.flatnonzero(found >= least)
        places = np.full(counts.shape[1], -1)
        places[kept] = np.arange(len(kept))
        return cls(kept, places, np.log((1 + counts.shape[0]) / (1 + found[kept])) + 1)

    def __call__(self, counts: csr_matrix) -> csr_matrix:
        """`(1 + ln count) * idf`, rows of length one, float64 [n, d]."""
        columns = self.places[counts.indices]
        stays = columns >= 0
        starts = np.concatenate([[0], np.cumsum(stays)])[counts.indptr]
        columns = columns[stays]
        weights = (1 + np.log(counts.data[stays], dtype=np.float64)) * self.idf[columns]
        return unit_rows(csr_matrix((weights, columns, starts), shape=(counts.shape[0], len(self.kept))))


def unit_rows(matrix: csr_matrix) -> csr_matrix:
    """Each row divided by its length; zero rows stay zero."""
    squares = csr_matrix((np.square(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
    lengths = np.sqrt(np.asarray(squares.sum(1)).ravel())
    shares = np.repeat(1 / np.where(lengths > 0, lengths, 1.0), np.diff(matrix.indptr))
    return csr_matrix((matrix.data * shares, matrix.indices, matrix.indptr), shape=matrix.shape)


@dataclass(frozen=True, slots=True)
class Tfidf:
    """TF-IDF of words, of characters, and of both side by side; the head's protocol chooses.

    Counting is the slow part and knows no labels and no subset: `prepare` counts every text of a task once, and a
    subset's TF-IDF is then a choice of columns and their frequencies, equal to counting its texts alone.
    """

    words: Grams = WORDS
    characters: Grams = CHARACTERS
    name: str = "tfidf"
    title: str = "TF-IDF + linear"
    family: Family = "counts"
    frozen: bool = False
    counts: Mapping[str, Counts] = field(default_factory=dict)
    weighings: Mapping[str, Weighing] = field(default_factory=dict)

    def kinds(self) -> frozenset[Kind]:
        """Every kind but tags, which have their own counts."""
        return frozenset({"single", "pair", "regression", "multilabel"})

    def prepare(self, examples: Examples) -> Self:
        """Count every text once."""
        texts = examples.first + (examples.second or ())
        return replace(
            self, counts={"words": Counts.of(self.words, texts), "characters": Counts.of(self.characters, texts)}
        )

    def forget(self) -> Self:
        """The same without the counts of known texts, so that new texts are counted even where they are old."""
        return replace(self, counts={part: counts.forget() for part, counts in self.counts.items()})

    def fit(self, examples: Examples) -> Self:
        """Learn the grams of the training texts and how many texts hold each."""
        ready = self if self.counts else self.prepare(examples)
        texts = examples.first + (examples.second or ())
        weighings = {part: Weighing.of(counts.rows(texts), counts.grams.least) for part, counts in ready.counts.items()}
        return replace(ready, weighings=weighings)

    def views(self, examples: Examples, desk: Desk) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """`both` (words beside characters), `words` and `characters`, each made when asked for.

        Of pairs also `likeness`: how near the two texts are by words and by characters, and nothing else.
        """
        sides = (examples.first,) if examples.second is None else (examples.first, examples.second)

        def one(part: str) -> csr_matrix:
            weighed = [self._weighed(part, texts) for texts in sides]
            return weighed[0] if len(weighed) == 1 else _pair(*weighed)

        def near() -> NDArray[np.float32]:
            return np.hstack([_pair_cosines(*(self._weighed(part, texts) for texts in sides)) for part in self.counts])

        parts = LazyViews({"words": lambda: one("words"), "characters": lambda: one("characters")})
        makers: dict[str, Callable[[], Features]] = {
            "both": lambda: _beside(parts["words"], parts["characters"]),
            "words": lambda: parts["words"],
            "characters": lambda: parts["characters"],
        }
        return LazyViews(makers if len(sides) == 1 else makers | {"likeness": near})

    def cost(self) -> Cost:
        """The grams kept and their frequencies."""
        grams = [gram for part, weighing in self.weighings.items() for gram in self.counts[part].named(weighing.kept)]
        spelt = sum(len(gram.encode()) + 1 for gram in grams)
        return Cost(disk_bytes=spelt + _BYTES_A_GRAM * len(grams), parameters=len(grams), width=len(grams))

    def _weighed(self, part: str, texts: tuple[str, ...]) -> csr_matrix:
        return self.weighings[part](self.counts[part].rows(texts))


def _beside(left: Features, right: Features) -> csr_matrix:
    return csr_matrix(hstack([left, right], format="csr") * np.sqrt(0.5))


def _pair(first: csr_matrix, second: csr_matrix) -> csr_matrix:
    """`[u, v, |u - v|, u * v, cosine]`, as dense vectors of pairs have it."""
    product = first.multiply(second)
    cosine = csr_matrix(_pair_cosines(first, second))
    return csr_matrix(hstack([first, second, abs(first - second), product, cosine], format="csr"))


def _pair_cosines(first: csr_matrix, second: csr_matrix) -> NDArray[np.float32]:
    """float32 [n, 1]; rows have length one, so that their product is the cosine."""
    return np.asarray(first.multiply(second).sum(1), dtype=np.float32).reshape(-1, 1)
