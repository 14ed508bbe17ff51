"""Score one table of word vectors on one benchmark: the items that the table knows, and a score for each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.correlation import spearman
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.measures.words.analogies import Questions, answers
from wordworth.measures.words.categories import clusterings, part_purities, purity
from wordworth.measures.words.word_pairs import cosines, relation_similarity, shared_words
from wordworth.studies.word_benchmarks.benchmark_files import Analogies, Categories, Content, Pairs, Relations
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

LEAST = 10
"""The minimum number of items for a score, as a ranking on fewer is mostly chance."""


class Subset(NamedTuple):
    """The items of a benchmark that a score is computed on.

    Attributes:
        items: bool [n], True for the items that are scored.
        words: the candidate answers of analogies, in lower case; None for all words of a table.
    """

    items: Flags
    words: frozenset[str] | None = None

    @property
    def key(self) -> tuple[bytes, frozenset[str] | None]:
        """A key of the subset of items for caches; equal subsets have equal keys."""
        return self.items.tobytes(), self.words


class Score(NamedTuple):
    """A score on a benchmark with its bootstrap distribution.

    Attributes:
        point: the score; NaN if the score is undefined.
        draws: float64 [draws], the score in each bootstrap resample; with `from_parts`, a score of each part of the
            benchmark, scaled so that their standard deviation equals the standard deviation of the whole benchmark's
            score.
        from_parts: True if only the standard deviation of the draws is meaningful, not their mean.
        lowest, highest: the bounds of the metric.
    """

    point: float
    draws: Floats
    from_parts: bool = False
    lowest: float = -1.0
    highest: float = 1.0

    @property
    def defined(self) -> bool:
        """Whether the score is a number and not NaN."""
        return not np.isnan(self.point)

    def minus(self, other: Score) -> Score:
        """Return this score minus a second score.

        Args:
            other: the score to subtract, with the same bootstrap resamples of items.
        """
        return Score(self.point - other.point, floats(self.draws - other.draws), self.from_parts)

    def span(self) -> Interval:
        """Return the 95 % interval of the score.

        The ends are percentiles of `draws`; if `from_parts` is True, they follow from Student's t around the score.
        """
        if not self.from_parts or not self.defined:
            return interval(self.draws)
        reach = float(stdtrit(len(self.draws) - 1, 0.975) * self.draws.std(ddof=1))
        return Interval(max(self.point - reach, self.lowest), min(self.point + reach, self.highest))

    def numbers(self, name: str) -> dict[str, float]:
        """Return the score under `name`, and the ends of its interval as `low` and `high`."""
        span = self.span()
        return {name: self.point, "low": span.low, "high": span.high}

    @classmethod
    def mean(cls, several: list[Score]) -> Score:
        """Return the mean of scores that were resampled independently of each other."""
        return cls(
            float(np.mean([score.point for score in several])),
            floats(np.mean([score.draws for score in several], axis=0)),
        )


UNDEFINED = Score(np.nan, np.full(1, np.nan))
Scored = Callable[[Subset, Floats], dict[str, Score]]
"""A function of a subset and the items' weights, float64 [draws, n], that returns metric name -> score.

The first row of the weights is all ones, for the score itself.
"""


_RELATION_METRIC = "mean spearman"


def relation_of_items(content: Relations) -> Integers:
    """Return for each item the index of its relation, int64 [n].

    The items are word pairs; the prototypical pairs of a relation come before its rated pairs.
    """
    sizes = [len(relation.prototypes) + len(relation.pairs) for relation in content.relations]
    return np.repeat(np.arange(len(sizes)), sizes)


def relations(content: Relations, vectors: WordVectors) -> tuple[Flags, tuple[str, ...], Scored]:
    """Prepare the scoring of a table of word vectors on relations: the mean over relations of Spearman's correlation.

    A relation is in the mean if the subset has at least one of its prototypical pairs and `LEAST` of its rated pairs.
    The score is undefined if fewer than `LEAST` relations are in the mean.

    Returns:
        The fields of `BenchmarkTask`: bool [n], True for items (word pairs) of which the table has both words; a tuple
        with the metric's name; and the function that computes scores.
    """
    pairs = [pair for relation in content.relations for pair in (*relation.prototypes, *relation.pairs)]
    rows = vectors.find([word for pair in pairs for word in pair]).reshape(-1, 2)
    relation_of = relation_of_items(content)

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:
        by_relation = floats(list(_correlations(content, vectors, rows, subset.items)))
        counts = np.isfinite(by_relation)
        if counts.sum() < LEAST:
            return {_RELATION_METRIC: UNDEFINED}
        counted = weights[
            :, np.searchsorted(relation_of, np.flatnonzero(counts))
        ]  # items of a relation are drawn together
        values = counted @ by_relation[counts] / np.maximum(counted.sum(axis=1), 1e-300)
        return {_RELATION_METRIC: Score(float(values[0]), values[1:])}

    return (rows >= 0).all(axis=1).reshape(-1), (_RELATION_METRIC,), score


def _correlations(content: Relations, vectors: WordVectors, rows: NDArray[np.int64], items: Flags) -> Iterator[float]:
    """Yield Spearman's correlation within each relation; NaN where too few of the relation's pairs are in the subset.

    Args:
        content: the relations.
        vectors: the table of word vectors.
        rows: int64 [n, 2], the rows of each pair's words in the table; relation by relation, prototypical pairs first.
        items: bool [n], whether each pair is in the subset.
    """
    start = 0
    for relation in content.relations:
        middle = start + len(relation.prototypes)
        end = middle + len(relation.pairs)
        prototypes, rated = rows[start:middle][items[start:middle]], rows[middle:end][items[middle:end]]
        ratings = floats(relation.ratings)[items[middle:end]]
        yield _correlation(_pair_vectors(prototypes, vectors), _pair_vectors(rated, vectors), ratings)
        start = end


def _correlation(
    prototypes: NDArray[np.float32], rated: NDArray[np.float32], ratings: Sequence[float] | Floats
) -> float:
    if len(prototypes) == 0 or len(rated) < LEAST:
        return np.nan
    return float(spearman(floats(ratings), relation_similarity(prototypes, rated), np.ones((1, len(rated))))[0])


def _pair_vectors(rows: NDArray[np.int64], vectors: WordVectors) -> NDArray[np.float32]:
    return vectors.at(rows.ravel()).reshape(*rows.shape, -1)


_TOLERANCE = 1e-9
"""Values within this range of each other count as equal."""


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    """One static table of word vectors with one benchmark to score it on.

    Attributes:
        known: bool [n], True for items of which the table has every word.
        metrics: names of the metrics.
        score: function from a subset of the items and the items' weights, as in `score_subset`, to name of each metric
            -> score.
        pair_cosines: float64 [n], the cosine of each pair of a similarity set; None for other kinds of benchmarks.
    """

    known: Flags
    metrics: tuple[str, ...]
    score: Scored
    pair_cosines: Floats | None = None

    def score_subset(self, subset: Subset, weights: Floats) -> dict[str, Score]:
        """Return name of each metric -> score on a subset of the items.

        The score is undefined if there are fewer than `LEAST` items, or if all values are equal.

        Args:
            subset: the items that are scored.
            weights: float64 [draws + 1, n], how often each item is in each resample; the first row is all ones.
        """
        if subset.items.sum() < LEAST:
            return dict.fromkeys(self.metrics, UNDEFINED)
        return self.score(subset, weights)


def groups(content: Content) -> Integers:
    """Return for each item a number that identifies its group, int64 [n]; items of a group are resampled together.

    Similarity pairs that share a word are one group, and so are analogies with the same a and b, and pairs of one
    relation. In categorisation each word is a group by itself.
    """
    if isinstance(content, Pairs):
        return shared_words(content.first, content.second)
    if isinstance(content, Analogies):
        pairs = [question[:2] for question in content.questions]
        number = {pair: index for index, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([number[pair] for pair in pairs], dtype=np.int64)
    return np.arange(len(content.words)) if isinstance(content, Categories) else relation_of_items(content)


def make_task(content: Content, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    """Prepare the scoring of one table of word vectors on the items of one benchmark.

    Args:
        content: the items of the benchmark.
        vectors: the table of word vectors.
        settings: the settings of the study.
    """
    if isinstance(content, Pairs):
        return _pairs(content, vectors)
    if isinstance(content, Analogies):
        return _analogies(content, vectors, settings)
    if isinstance(content, Categories):
        return _categories(content, vectors, settings)
    return BenchmarkTask(*relations(content, vectors))


def _pairs(content: Pairs, vectors: WordVectors) -> BenchmarkTask:
    first, second = vectors.find(content.first), vectors.find(content.second)
    pair_cosines, gold = cosines(vectors.at(first), vectors.at(second)), np.array(content.ratings)

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:
        sides = gold[subset.items], pair_cosines[subset.items]
        if min(float(np.ptp(side)) for side in sides) < _TOLERANCE:
            return {"spearman": UNDEFINED}
        values = spearman(*sides, weights[:, subset.items])
        return {"spearman": Score(float(values[0]), values[1:])}

    return BenchmarkTask((first >= 0) & (second >= 0), ("spearman",), score, pair_cosines)


def _analogies(content: Analogies, vectors: WordVectors, settings: WordsSettings) -> BenchmarkTask:
    rows = np.stack([vectors.find(side) for side in zip(*content.questions, strict=True)], axis=1)

    @cache
    def right(words: frozenset[str] | None) -> Floats:
        """Return 1 where the table's answer to an analogy is right, else 0, float64 [n].

        Args:
            words: the candidate answers, in lower case; None for all words of the table.
        """
        kept, correct = vectors.rows_among(words), np.zeros(len(rows))
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


def _rows(vectors: WordVectors, candidates: Integers) -> NDArray[np.float32]:
    """Return the vectors of the candidates (rows of the table), without a copy if these are the whole table."""
    return vectors.vectors if len(candidates) == len(vectors.vectors) else vectors.vectors[candidates]


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
            metric: Score(whole[name], floats(scale * parts[name]), from_parts=True, lowest=0.0)
            for metric, name in chosen.items()
        }

    return BenchmarkTask(rows >= 0, (_BEST, _AVERAGE), score)


_BEST, _AVERAGE = "purity, best of six", "purity, average linkage"
