"""Sets as lists of items, each known to a table or not, and their scores."""

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
"""Scores that differ by less are one: rounding of what is the same for all."""


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    """One table on one set.

    Attributes:
        known: bool [n], the items of which the table has every word.
        metrics: the names of its scores.
        score: the scores of some of the items.
        likely: float64 [n], cosines of pairs; None of other sets.
    """

    known: Flags
    metrics: tuple[str, ...]
    score: Scored
    likely: Floats | None = None

    def measured(self, ground: Subset, weights: Floats) -> dict[str, Score]:
        """The scores on a ground, undefined where it has fewer than `LEAST` items or nothing differs."""
        if ground.items.sum() < LEAST:
            return dict.fromkeys(self.metrics, UNDEFINED)
        return self.score(ground, weights)


def groups(content: Content) -> Integers:
    """int64 [n], what is drawn together: pairs that share a word or relation, questions of one model pair; else one."""
    if isinstance(content, Pairs):
        return shared_words(content.first, content.second)
    if isinstance(content, Analogies):
        pairs = [question[:2] for question in content.questions]
        number = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([number[pair] for pair in pairs], dtype=np.int64)
    return np.arange(len(content.words)) if isinstance(content, Categories) else related(content)


def sheet(content: Content, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    """What a table says of a set."""
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

    def score(ground: Subset, weights: Floats) -> dict[str, Score]:
        sides = gold[ground.items], likely[ground.items]
        if min(float(np.ptp(side)) for side in sides) < _ALIKE:
            return {"spearman": UNDEFINED}
        values = spearman(*sides, weights[:, ground.items])
        return {"spearman": Score(float(values[0]), values[1:])}

    return BenchmarkTask((first >= 0) & (second >= 0), ("spearman",), score, likely)


def _analogies(content: Analogies, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    rows = np.stack([vectors.find(side) for side in zip(*content.questions, strict=True)], axis=1)

    @cache
    def right(words: frozenset[str] | None) -> Floats:
        """float64 [n]: 1 where the answer is right."""
        kept, found = vectors.among(words), np.zeros(len(rows))
        place = np.full(len(vectors.vectors) + 1, -1)  # the last stands for a word that is missing
        place[kept] = np.arange(len(kept))
        asked = place[rows]
        able = np.flatnonzero(asked[:, 3] >= 0)  # whose answer is no candidate cannot be answered
        if len(able):
            a, b, c = (vectors.at(rows[able, side]) for side in range(3))
            told = answers(_rows(vectors, kept), Questions(a, b, c, asked[able, :3]), settings.method)
            found[able] = told == asked[able, 3]
        return found

    def score(ground: Subset, weights: Floats) -> dict[str, Score]:
        counted = weights[:, ground.items]
        values = counted @ right(ground.words)[ground.items] / np.maximum(counted.sum(axis=1), 1e-300)
        return {"accuracy": Score(float(values[0]), values[1:])}

    return BenchmarkTask((rows >= 0).all(axis=-1).reshape(-1), ("accuracy",), score)


def _rows(vectors: WordVectors, kept: Integers) -> NDArray[np.float32]:
    """The candidates; no copy of a whole table."""
    return vectors.vectors if len(kept) == len(vectors.vectors) else vectors.vectors[kept]


def _categories(content: Categories, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    rows = vectors.find(content.words)
    truth = np.unique(content.labels, return_inverse=True)[1]
    seed = seeds.child_seed(settings.seed, "k-means")

    def score(ground: Subset, weights: Floats) -> dict[str, Score]:  # noqa: ARG001 - parts are drawn, not weights
        gold, points = np.unique(truth[ground.items], return_inverse=True)[1], vectors.at(rows[ground.items])
        found = clusterings(points, int(gold.max()) + 1, seed)
        whole = {name: purity(clusters, gold) for name, clusters in found.items()}
        chosen = {_BEST: max(whole, key=lambda name: whole[name]), _AVERAGE: "average, cosine"}
        parts, scale = part_purities(tuple(dict.fromkeys(chosen.values())), points, gold, seed)
        return {
            metric: Score(whole[name], floats(scale * parts[name]), parts=True, lowest=0.0)
            for metric, name in chosen.items()
        }

    return BenchmarkTask(rows >= 0, (_BEST, _AVERAGE), score)


_BEST, _AVERAGE = "purity, best of six", "purity, average linkage"
