"""TF-IDF as an expert would set it up: words 1-2 and characters 2-5, sublinear, smoothed, each text of unit length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.lazy_views import Lazy, LazyViews
from wordworth.representations.ngram_counts import CHARACTERS, WORDS, Counts, Grams, counted
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.tasks.task import Examples, Kind
from wordworth.tasks.task_types import ABOUT_TEXTS

_HALF = float(np.sqrt(0.5))
_BYTES_A_GRAM = 8  # its document frequency as a float, its column as an integer


@dataclass(frozen=True, slots=True)
class Weighing:
    """Inverse document frequencies learned from n texts (Salton and Buckley 1988; smoothed as scikit-learn does).

    Attributes:
        kept: int64 [d], the n-grams seen in training, as columns of the counts.
        places: int32 [grams], the new index of each column of the counts; -1 for those left out.
        idf: float32 [grams], `ln((1 + n) / (1 + texts with the gram)) + 1`.
    """

    kept: NDArray[np.int64]
    places: NDArray[np.int32]
    idf: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_matrix, least: int) -> Weighing:
        """Learn the weights from training counts [n, grams]; n-grams in fewer than `least` texts are left out."""
        num_texts = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = np.flatnonzero(num_texts >= least)
        new_index = np.full(counts.shape[1], -1, dtype=np.int32)
        new_index[kept] = np.arange(len(kept))
        return cls(kept, new_index, (np.log((1 + counts.shape[0]) / (1 + num_texts)) + 1).astype(np.float32))

    def __call__(self, counts: csr_matrix) -> csr_matrix:
        """Return `counts * idf` of the n-grams kept, rows of unit length, float32 [n, d]."""
        columns, weights, starts = self.places[counts.indices], counts.data * self.idf[counts.indices], counts.indptr
        is_kept = columns >= 0
        if not is_kept.all():
            starts = np.concatenate([[0], np.cumsum(is_kept)])[starts]
            columns, weights = columns[is_kept], weights[is_kept]
        weighted = csr_matrix((weights, columns, starts), shape=(counts.shape[0], len(self.kept)))
        squares = csr_matrix((np.square(weights), columns, starts), shape=weighted.shape) @ np.ones(len(self.kept))
        scales = (1 / np.sqrt(np.where(squares > 0, squares, 1))).astype(np.float32)
        weighted.data *= np.repeat(scales, np.diff(weighted.indptr))
        return weighted


@dataclass(frozen=True, slots=True)
class Tfidf(Representation):
    """TF-IDF of words, of characters, and of both side by side; the head's protocol chooses.

    Counting is the slow part and needs neither labels nor the subset: `prepare` counts every text of a task once, and a
    subset's TF-IDF is then a choice of columns and their frequencies, equal to counting its texts alone.
    """

    words: Grams = WORDS
    characters: Grams = CHARACTERS
    name: str = "tfidf"
    title: str = "TF-IDF + linear"
    family = "counts"
    frozen = False
    counts: Mapping[str, Counts] = field(default_factory=dict)
    weighings: Mapping[str, Weighing] = field(default_factory=dict)

    def kinds(self) -> frozenset[Kind]:
        """Return every kind of task but tags, which have their own features."""
        return ABOUT_TEXTS

    def prepare(self, examples: Examples) -> Self:
        """Count every text once."""
        texts = examples.first + (examples.second or ())
        return replace(
            self, counts={"words": counted(self.words, texts), "characters": counted(self.characters, texts)}
        )

    def forget(self) -> Self:
        """Return the same without the cached counts, so that every text is counted as if it were new."""
        return replace(self, counts={part: counts.forget() for part, counts in self.counts.items()})

    def fit(self, examples: Examples) -> Self:
        """Learn the n-grams of the training texts and how many texts hold each."""
        ready = self if self.counts else self.prepare(examples)
        texts = examples.first + (examples.second or ())
        weighings = {part: Weighing.of(counts.rows(texts), counts.grams.least) for part, counts in ready.counts.items()}
        return replace(ready, weighings=weighings)

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return `both` (words beside characters), `words` and `characters`, each computed when used.

        Pairs also have `likeness`: only how near the two texts are by words and by characters.
        """
        sides = (examples.first,) if examples.second is None else (examples.first, examples.second)

        def blocks(part: str) -> Blocks:
            weighed = [self._weighed(part, texts) for texts in sides]
            return Blocks.of(weighed[0]) if len(weighed) == 1 else _pair(*weighed)

        def near() -> NDArray[np.float32]:
            return np.hstack([_pair_cosines(*(self._weighed(part, texts) for texts in sides)) for part in self.counts])

        parts = Lazy({"words": lambda: blocks("words"), "characters": lambda: blocks("characters")})
        makers: dict[str, Callable[[], Features]] = {
            "both": lambda: parts["words"].times(_HALF).beside(parts["characters"].times(_HALF)),
            "words": lambda: parts["words"],
            "characters": lambda: parts["characters"],
        }
        return LazyViews(makers if len(sides) == 1 else makers | {"likeness": near})

    def cost(self) -> Cost:
        """Return the size of the kept n-grams and their frequencies."""
        grams = [gram for part, weighing in self.weighings.items() for gram in self.counts[part].named(weighing.kept)]
        spelt = sum(len(gram.encode()) + 1 for gram in grams)
        return Cost(disk_bytes=spelt + _BYTES_A_GRAM * len(grams), parameters=len(grams), num_features=len(grams))

    def _weighed(self, part: str, texts: tuple[str, ...]) -> csr_matrix:
        return self.weighings[part](self.counts[part].rows(texts))


def _pair(first: csr_matrix, second: csr_matrix) -> Blocks:
    """Return `[u, v, |u - v|, u * v, cosine]`, as dense pair features have it, rows of squared norm about one."""
    difference, product = csr_matrix(abs(first - second)), csr_matrix(first.multiply(second))
    cosine = csr_matrix(_pair_cosines(first, second))
    return Blocks((first, second, difference, product, cosine), (0.5,) * 5)


def _pair_cosines(first: csr_matrix, second: csr_matrix) -> NDArray[np.float32]:
    """Return float32 [n, 1]; rows have unit length, so that their product is the cosine."""
    return np.asarray(first.multiply(second).sum(1), dtype=np.float32).reshape(-1, 1)
