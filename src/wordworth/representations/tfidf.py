"""TF-IDF as an expert would make it: words 1-2 and characters 2-5, sublinear, smoothed, each text of length one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array, hstack

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
        kept: int64 [d], the grams seen in training, rows of the counter's table.
        idf: float64 [d], `ln((1 + n) / (1 + texts with the gram)) + 1`.
    """

    kept: NDArray[np.int64]
    idf: NDArray[np.float64]

    @classmethod
    def of(cls, counts: csr_matrix, least: int) -> Weighing:
        """The weighing of training counts [n, grams]; grams in fewer than `least` texts are left out."""
        found = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = np.flatnonzero(found >= least)
        return cls(kept, np.log((1 + counts.shape[0]) / (1 + found[kept])) + 1)

    def __call__(self, counts: csr_matrix) -> csr_matrix:
        """`(1 + ln count) * idf`, rows of length one, float64 [n, d]."""
        weighed = csr_matrix(counts[:, self.kept], dtype=np.float64)
        np.log(weighed.data, out=weighed.data)
        weighed.data += 1
        weighed.data *= self.idf[weighed.indices]
        return unit_rows(weighed)


def unit_rows(matrix: csr_matrix) -> csr_matrix:
    """Each row divided by its length; zero rows stay zero."""
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(1)).ravel())
    return csr_matrix(diags_array(1 / np.where(lengths > 0, lengths, 1.0)) @ matrix)


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

    def fit(self, examples: Examples) -> Self:
        """Learn the grams of the training texts and how many texts hold each."""
        ready = self if self.counts else self.prepare(examples)
        texts = examples.first + (examples.second or ())
        weighings = {part: Weighing.of(counts.rows(texts), counts.grams.least) for part, counts in ready.counts.items()}
        return replace(ready, weighings=weighings)

    def views(self, examples: Examples, desk: Desk) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """`both` (words beside characters), `words`, `characters`, each made when asked for."""

        def one(part: str) -> csr_matrix:
            first = self._weighed(part, examples.first)
            return first if examples.second is None else _pair(first, self._weighed(part, examples.second))

        parts = LazyViews({"words": lambda: one("words"), "characters": lambda: one("characters")})
        return LazyViews(
            {
                "both": lambda: _beside(parts["words"], parts["characters"]),
                "words": lambda: parts["words"],
                "characters": lambda: parts["characters"],
            }
        )

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
    product = first.multiply(second).tocsr()
    cosine = csr_matrix(np.asarray(product.sum(1)).reshape(-1, 1))
    return csr_matrix(hstack([first, second, abs(first - second), product, cosine], format="csr"))
