"""All scores of a study, and every interval of a score or of a paired difference, from one bootstrap.

A rung is a representation with its head on the ladder, a run one rung fitted on one subset of labels, a size the number
of labels in a subset. Scores are on the metric's own scale, where a point is 0.01.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks, run_variance, widened
from wordworth.measures.few_runs import RunVariance, few_runs_interval
from wordworth.measures.subset_variance import Population, SubsetRuns, label_variance
from wordworth.studies.worth.gap_variance import GapVariance
from wordworth.studies.worth.run_scores import CrossFittedScores, Draws, RunScores

SIZES_LIKE = 8
"""How many times fewer labels a size may have whose runs say how far runs differ on all labels."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The number of resamples behind every interval, and the seed of the study, from which they are drawn.

    Attributes:
        seed_names: rung -> the name by which draws for it alone are seeded; a rung that is missing has its own.
    """

    draws: int
    seed: int
    seed_names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def for_rung(self, purpose: str, rung: str, *names: object) -> np.random.Generator:
        """Return the generator of draws for one rung."""
        return seeds.child(self.seed, purpose, self.seed_name(rung), *names)

    def seed_name(self, rung: str) -> str:
        """Return the name by which draws for a rung are seeded."""
        return self.seed_names.get(rung, rung)


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of a study, with every interval from one bootstrap.

    Runs and test items are two crossed sources of uncertainty, and both are resampled together: resample b draws the
    same items and the same seeds for every rung, so differences are paired. A rung whose runs are few has a prior for
    the variance between them (`measures.few_runs`).

    Runs that predict folds have one score together, whose intervals hold both for these labels and for others drawn
    like them: the runs on fewer labels say how much the labels matter (`measures.subset_variance`).

    Attributes:
        table: (rung, number of labels) -> the scores of the runs.
        bootstrap: the resamples that the intervals come from.
        run_priors: rung -> the variance between runs that other data sets have shown, for rungs that make few runs.
        dropped: names of the rungs eliminated early, surely worse than the best by more than the margin.
        ends: the worst and the best possible score of the metric.
        population: the rows behind scores that are cross-fitted; None where one part of the rows is the test part.
        runs_from: scores whose smaller numbers of labels say how far runs differ; None for these scores.
    """

    table: Mapping[tuple[str, int], RunScores]
    bootstrap: Bootstrap
    run_priors: Mapping[str, RunVariance] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    ends: tuple[float, float] = (-math.inf, math.inf)
    population: Population | None = None
    runs_from: Scores | None = None

    def has(self, rung: str, labels: int) -> bool:
        """Return whether the rung was measured with `labels` labels."""
        return (rung, labels) in self.table

    def sizes(self, rung: str) -> tuple[int, ...]:
        """Return the numbers of labels at which a rung was measured, smallest first."""
        return tuple(sorted(labels for name, labels in self.table if name == rung))

    def seeds_of(self, rung: str, labels: int) -> int:
        """Return the number of runs behind a rung's score at one number of labels."""
        return self.table[rung, labels].runs

    def mean(self, rung: str, labels: int) -> float:
        """Return the mean score over a rung's runs."""
        return float(self.table[rung, labels].point.mean())

    def score_draws(self, rung: str, labels: int) -> Draws:
        """Return the mean score under resampling of runs and test items, float64 [draws]."""
        runs = self.table[rung, labels]
        if not self._few_runs((rung,), labels):
            return widened(runs.point, runs.by_draw, resampled_runs(len(runs.point), self.bootstrap))
        variance = self._run_variance((rung,), labels, runs.by_draw)
        rng = self.bootstrap.for_rung("luck", rung, labels)
        luck = rng.standard_t(variance.degrees_of_freedom, self.bootstrap.draws)
        draws: Draws = runs.by_draw.mean(axis=0) + np.sqrt(variance.value / len(runs.point)) * luck
        return draws

    def score_interval(self, rung: str, labels: int) -> Interval:
        """Return the 95 % interval of a rung's mean score."""
        runs = self.table[rung, labels]
        return self._interval((rung,), labels, runs.point, runs.as_first, 0.95).within(*self.ends)

    def gap(self, rung: str, against: str, labels: int) -> float:
        """Return how much better `rung` scores than `against`: at the largest size, the difference of their scores."""
        return float(self.differences(rung, against, labels)[0].mean())

    def gap_interval(self, rung: str, against: str, labels: int, level: float = 0.95) -> Interval:
        """Return the interval of the paired difference `rung` minus `against`; of a rung and itself, 0 to 0.

        Args:
            rung: the rung that is compared.
            against: the rung whose score is subtracted.
            labels: the number of labels.
            level: the two-sided level.
        """
        if rung == against:
            return Interval(0.0, 0.0)
        order = [(self.bootstrap.seed_name(name), name) for name in (rung, against)]
        if order[0] > order[1]:  # one order of each pair, so that both directions have the same interval
            return self.gap_interval(against, rung, labels, level).negated()
        point, by_draw = self.differences(rung, against, labels)
        return self._interval((rung, against), labels, point, by_draw, level)

    def gap_variance(self, rung: str, against: str, labels: int) -> GapVariance:
        """Return the variance of the paired difference `rung` minus `against`, in its parts."""
        point, plain = self.run_scores((rung, against), labels)
        shared, by_draw = len(point), self.differences(rung, against, labels)[1]
        items, with_added = float(plain.mean(axis=0).var()), float(by_draw.mean(axis=0).var())
        added = max(0.0, with_added - items)
        if self._few_runs((rung, against), labels):
            of_runs, of_labels = self._variances((rung, against), labels, by_draw)
            runs, luck = of_runs.value / shared if of_runs else 0.0, 0.0
            degrees = _total(of_runs, of_labels).degrees_of_freedom
            return GapVariance(items, added, runs, luck, degrees, of_labels.value if of_labels else 0.0)
        if shared == 1:
            return GapVariance(items, added, 0.0, 0.0, 1.0)
        runs, measured = run_variance(point, plain), float(point.var(ddof=1))
        return GapVariance(items, added, runs / shared, max(0.0, measured - runs) / shared, shared - 1.0)

    def differences(self, rung: str, against: str, labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Return paired differences, as many as both have runs, float64 [runs] and [runs, draws]."""
        first, second = self._paired(rung, against, labels)
        return first.point - second.point, first.as_first - second.as_second

    def _paired(self, rung: str, against: str, labels: int) -> tuple[RunScores, RunScores]:
        """Return the scores of two rungs in the runs that both have.

        Below the largest size, runs of one seed learn from the same subset, and only these are compared. At the largest
        all runs learn from all labels: the further runs of a rung count in its mean, so that a difference is that of
        the two scores.
        """
        first, second = self.table[rung, labels], self.table[against, labels]
        shared = min(first.runs, second.runs)
        if labels < max(size for _, size in self.table):
            return first.first(shared), second.first(shared)
        return first.about_mean(shared), second.about_mean(shared)

    def _interval(
        self, rungs: tuple[str, ...], labels: int, point: NDArray[np.float64], by_draw: Draws, level: float
    ) -> Interval:
        """Return the interval of a score of one rung, or of a difference of two, at one number of labels."""
        if not self._few_runs(rungs, labels):
            return crossed_interval(point, by_draw, resampled_runs(len(point), self.bootstrap), level)
        return few_runs_interval(by_draw, self._run_variance(rungs, labels, by_draw), level)

    def _few_runs(self, rungs: tuple[str, ...], labels: int) -> bool:
        """Whether the runs at this size cannot say by themselves how far runs differ: they are few, or folds."""
        return bool(self.run_priors.keys() & set(rungs)) or self._is_cross_fitted(rungs[0], labels)

    def _is_cross_fitted(self, rung: str, labels: int) -> bool:
        return isinstance(self.table[rung, labels], CrossFittedScores)

    def _run_variance(self, rungs: tuple[str, ...], labels: int, by_draw: Draws) -> RunVariance:
        """Return the variance of one rung's score, or of a difference of two, beside that of the test items."""
        return _total(*self._variances(rungs, labels, by_draw))

    def _variances(
        self, rungs: tuple[str, ...], labels: int, by_draw: Draws
    ) -> tuple[RunVariance | None, RunVariance | None]:
        """Return the variance between runs, from a prior and the runs, and that over other draws of the labels.

        The first is None for rungs without a prior, the second where the runs do not predict folds. Runs with an eighth
        of the labels or more count: with far fewer, runs differ by the labels that they drew. The luck of runs that
        predict folds averages out in their common score.
        """
        subsets = self._subsets(rungs, labels)
        priors = [self.run_priors[name] for name in rungs if name in self.run_priors]
        of_runs, of_labels = None, None
        cross_fitted = self._is_cross_fitted(rungs[0], labels)
        if priors:
            averaged = min(self.seeds_of(name, labels) for name in rungs) if cross_fitted else 1
            of_runs = _total(*priors).pooled(runs.run_variance for runs in subsets).of_mean(averaged)
        if self.population and cross_fitted:
            of_labels = label_variance(subsets, labels, self.population, float(by_draw.mean(axis=0).var()))
        return of_runs, of_labels

    def _subsets(self, rungs: tuple[str, ...], labels: int) -> list[SubsetRuns]:
        """Return how far the runs differ at each size, up to this one, at which the rungs made several."""
        source, subsets = self.runs_from or self, list[SubsetRuns]()
        for size in source.sizes(rungs[0]):
            if labels / SIZES_LIKE <= size <= labels and all(source.has(name, size) for name in rungs):
                point, by_draw = source.run_scores(rungs, size)
                if len(point) > 1:
                    subsets.append(SubsetRuns.of(size, point, by_draw))
        return subsets

    def run_scores(self, rungs: tuple[str, ...], labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Return the scores of one rung's runs, or the differences of two, float64 [runs] and [runs, draws]."""
        if rungs[1:]:
            first, second = self._paired(rungs[0], rungs[1], labels)
            return first.point - second.point, first.by_draw - second.by_draw
        return self.table[rungs[0], labels].point, self.table[rungs[0], labels].by_draw


def _total(*parts: RunVariance | None) -> RunVariance:
    """Return the variance of a sum of independent deviations, one of them at least; None is no deviation."""
    return functools.reduce(operator.add, filter(None, parts))


def gap_change(then: Scores, now: Scores, pair: tuple[str, str], labels: tuple[int, int], level: float) -> Interval:
    """Return the interval of how much the paired difference of two rungs differs between two sets of scores.

    Args:
        then: the scores of the same runs by another metric, on some of the test items, or predicted.
        now: the scores of the runs, from the same bootstrap.
        pair: names of the two rungs.
        labels: the numbers of labels of the two sets.
        level: the two-sided level.
    """
    (point, by_draw), (now_point, now_by_draw) = (
        scores.differences(*pair, size) for scores, size in zip((then, now), labels, strict=True)
    )
    runs = resampled_runs(len(point), now.bootstrap)
    return crossed_interval(point - now_point, by_draw - now_by_draw, runs, level)


@lru_cache(maxsize=32)
def resampled_runs(runs: int, bootstrap: Bootstrap) -> NDArray[np.int64]:
    """Return which runs each resample holds, int64 [draws, runs], the same for every rung with that many runs."""
    return run_picks(runs, bootstrap.draws, seeds.child(bootstrap.seed, "bootstrap runs", runs))
