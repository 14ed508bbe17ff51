"""Score one table on one benchmark: which items the table knows, and the metrics on any subset of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.correlation import spearman
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.measures.words.analogies import Questions, answers
from wordworth.measures.words.categories import clusterings, part_purities, purity
from wordworth.measures.words.similarity import cosines, shared_words
from wordworth.studies.word_benchmarks.files import Analogies, Categories, Content, Pairs
from wordworth.studies.word_benchmarks.relations import related, relations
from wordworth.studies.word_benchmarks.scores import LEAST, UNDEFINED, Score, Scored, Subset
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

_ALIKE = 1e-9
"""Values within this range count as constant; the rest is rounding."""


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    """One table on one set.

    Attributes:
        known: bool [n], the items of which the table has every word.
        metrics: names of the metrics.
        score: scores a subset of the items.
        likely: float64 [n], cosines of the pairs of a similarity set; None for other kinds.
    """

    known: Flags
    metrics: tuple[str, ...]
    score: Scored
    likely: Floats | None = None

    def measured(self, ground: Subset, weights: Floats) -> dict[str, Score]:
        """Score the subset `ground`; undefined where it has fewer than `LEAST` items or all values are equal."""
        if ground.items.sum() < LEAST:
            return dict.fromkeys(self.metrics, UNDEFINED)
        return self.score(ground, weights)


def groups(content: Content) -> Integers:
    """Return the resampling group of each item, int64 [n].

    Similarity pairs that share a word, analogies from one word pair and pairs of one relation are drawn together; words
    of categories are drawn singly.
    """
    if isinstance(content, Pairs):
        return shared_words(content.first, content.second)
    if isinstance(content, Analogies):
        pairs = [question[:2] for question in content.questions]
        number = {pair: index for index, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([number[pair] for pair in pairs], dtype=np.int64)
    return np.arange(len(content.words)) if isinstance(content, Categories) else related(content)


def sheet(content: Content, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    """Prepare the scoring of one table on one benchmark."""
    if isinstance(content, Pairs):
        return _pairs(content, vectors)
    if isinstance(content, Analogies):
        return _analogies(content, vectors, settings)
    if isinstance(content, Categories):
        return _categories(content, vectors, settings)
    return BenchmarkTask(*relations(content, vectors))


def _pairs(content: Pairs, vectors: WordVectors) -> BenchmarkTask:
    first, second = vectors.find(content.first), vectors.find(content.second)
    likely, gold = cosines(vectors.at(first), vectors.at(second)), np.array(content.ratings)

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:
        sides = gold[subset.items], likely[subset.items]
        if min(float(np.ptp(side)) for side in sides) < _ALIKE:
            return {"spearman": UNDEFINED}
        values = spearman(*sides, weights[:, subset.items])
        return {"spearman": Score(float(values[0]), values[1:])}

    return BenchmarkTask((first >= 0) & (second >= 0), ("spearman",), score, likely)


def _analogies(content: Analogies, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    rows = np.stack([vectors.find(side) for side in zip(*content.questions, strict=True)], axis=1)

    @cache
    def right(words: frozenset[str] | None) -> Floats:
        """float64 [n]: 1 where the table's answer is right, else 0."""
        kept, correct = vectors.among(words), np.zeros(len(rows))
        candidate_of = np.full(len(vectors.vectors) + 1, -1)  # the last entry stands for a missing word
        candidate_of[kept] = np.arange(len(kept))
        questions = candidate_of[rows]
        able = np.flatnonzero(questions[:, 3] >= 0)  # the others cannot be answered: the answer is not a candidate
        if len(able):
            a, b, c = (vectors.at(rows[able, side]) for side in range(3))
            predicted = answers(_rows(vectors, kept), Questions(a, b, c, questions[able, :3]), settings.method)
            correct[able] = predicted == questions[able, 3]
        return correct

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:
        counted = weights[:, subset.items]
        values = counted @ right(subset.words)[subset.items] / np.maximum(counted.sum(axis=1), 1e-300)
        return {"accuracy": Score(float(values[0]), values[1:])}

    return BenchmarkTask((rows >= 0).all(axis=-1).reshape(-1), ("accuracy",), score)


def _rows(vectors: WordVectors, kept: Integers) -> NDArray[np.float32]:
    """Return the vectors of the candidates, without a copy where they are the whole table."""
    return vectors.vectors if len(kept) == len(vectors.vectors) else vectors.vectors[kept]


def _categories(content: Categories, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    rows = vectors.find(content.words)
    truth = np.unique(content.labels, return_inverse=True)[1]
    seed = seeds.child_seed(settings.seed, "k-means")

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:  # noqa: ARG001 - parts are drawn, not weights
        gold, points = np.unique(truth[subset.items], return_inverse=True)[1], vectors.at(rows[subset.items])
        by_method = clusterings(points, int(gold.max()) + 1, seed)
        whole = {name: purity(clusters, gold) for name, clusters in by_method.items()}
        chosen = {_BEST: max(whole, key=lambda name: whole[name]), _AVERAGE: "average, cosine"}
        parts, scale = part_purities(tuple(dict.fromkeys(chosen.values())), points, gold, seed)
        return {
            metric: Score(whole[name], floats(scale * parts[name]), parts=True, lowest=0.0)
            for metric, name in chosen.items()
        }

    return BenchmarkTask(rows >= 0, (_BEST, _AVERAGE), score)


_BEST, _AVERAGE = "purity, best of six", "purity, average linkage"
