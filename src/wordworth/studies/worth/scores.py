"""All scores of a study, and every interval of a score or of a paired difference, from one bootstrap.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A run is one rung fitted on one subset of the labelled examples.

Scores are on the metric's own scale, where a point is 0.01.
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
from wordworth.measures.bootstrap import Interval, crossed_interval, difference_range, run_picks, run_variance, widened
from wordworth.measures.intervals_from_few_runs import RunVariance, few_runs_interval
from wordworth.measures.training_sample_variance import RowCounts, SubsetRuns, label_variance
from wordworth.studies.worth.gap_variance import GapVariance
from wordworth.studies.worth.run_scores import CrossFittedScores, Draws, RunScores

SIZES_LIKE = 8
"""Runs on a subset are used to estimate the variance between runs on all labelled examples if the subset has at least
one in `SIZES_LIKE` of the examples: with far fewer, runs differ mainly by which examples they drew."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The settings that determine the bootstrap resamples of every interval of a study.

    Attributes:
        draws: number of resamples.
        seed: seed of the study, from which the resamples are drawn.
        seed_names: name of a rung -> the name that seeds the draws that concern this rung alone; a rung that is not
            listed is seeded by its own name.
    """

    draws: int
    seed: int
    seed_names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def for_rung(self, purpose: str, rung: str, *names: object) -> np.random.Generator:
        """Return the random generator of draws that concern one rung alone.

        Args:
            purpose: what the draws are for; each purpose has its own generator.
            rung: name of the rung.
            names: further names that tell generators of one purpose apart.
        """
        return seeds.child(self.seed, purpose, self.seed_name(rung), *names)

    def seed_name(self, rung: str) -> str:
        """Return the name from which random draws that concern this rung alone are seeded."""
        return self.seed_names.get(rung, rung)


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of a `worth` study by one metric, with every interval from one bootstrap.

    Runs and test items are two crossed sources of uncertainty, and both are resampled together: resample b draws the
    same items and the same seeds for every rung, so differences are paired. For a rung with few runs, a prior is used
    for the variance between them (`measures.intervals_from_few_runs`).

    Runs that predict disjoint folds have one score together. The intervals of this score also cover other draws of the
    labels, whose effect is estimated from the runs on fewer labelled examples (`measures.training_sample_variance`).

    Attributes:
        table: (name of a rung, number of labelled examples) -> the scores of the runs.
        bootstrap: the resamples that the intervals come from.
        run_priors: name of a rung with few runs -> the variance between its runs on other data sets, as a prior.
        dropped: names of the rungs eliminated early, as they were significantly worse than the best by more than the
            margin.
        score_range: the worst and the best possible score of the metric.
        row_counts: the numbers of labelled rows and of test items behind cross-fitted scores; None if the task has a
            test part.
        runs_from: other scores, from whose runs on fewer labelled examples the effect of the labels is estimated; None
            for the runs in `table`.
    """

    table: Mapping[tuple[str, int], RunScores]
    bootstrap: Bootstrap
    run_priors: Mapping[str, RunVariance] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    score_range: tuple[float, float] = (-math.inf, math.inf)
    row_counts: RowCounts | None = None
    runs_from: Scores | None = None

    def has(self, rung: str, labels: int) -> bool:
        """Return True if the rung was measured with this number of labelled examples.

        Args:
            rung: name of the rung.
            labels: number of labelled examples that the runs learned from.
        """
        return (rung, labels) in self.table

    def sizes(self, rung: str) -> tuple[int, ...]:
        """Return the numbers of labelled examples at which a rung was measured, smallest first."""
        return tuple(sorted(labels for name, labels in self.table if name == rung))

    def seeds_of(self, rung: str, labels: int) -> int:
        """Return the number of runs behind a rung's score at one number of labelled examples.

        Args:
            rung: name of the rung.
            labels: number of labelled examples that the runs learned from.
        """
        return self.table[rung, labels].runs

    def mean(self, rung: str, labels: int) -> float:
        """Return a rung's mean score over its runs on a given number of labelled examples.

        Args:
            rung: name of the rung.
            labels: number of labelled examples that the runs learned from.
        """
        return float(self.table[rung, labels].point.mean())

    def score_draws(self, rung: str, labels: int) -> Draws:
        """Return a rung's mean score in each bootstrap resample of runs and test items, float64 [draws].

        Args:
            rung: name of the rung.
            labels: number of labelled examples that the runs learned from.
        """
        runs = self.table[rung, labels]
        if not self._few_runs((rung,), labels):
            return widened(runs.point, runs.by_draw, resampled_runs(len(runs.point), self.bootstrap))
        variance = self._run_variance((rung,), labels, runs.by_draw)
        rng = self.bootstrap.for_rung("luck", rung, labels)
        luck = rng.standard_t(variance.degrees_of_freedom, self.bootstrap.draws)
        draws: Draws = runs.by_draw.mean(axis=0) + np.sqrt(variance.value / len(runs.point)) * luck
        return draws

    def score_interval(self, rung: str, labels: int) -> Interval:
        """Return the 95 % interval of a rung's mean score over its runs on a given number of labelled examples.

        Args:
            rung: name of the rung.
            labels: number of labelled examples that the runs learned from.
        """
        runs = self.table[rung, labels]
        return self._interval((rung,), labels, runs.point, runs.alone, 0.95).within(*self.score_range)

    def gap(self, rung: str, against: str, labels: int) -> float:
        """Return the score of one rung minus the score of another rung.

        For runs that learned from all labelled examples, the result is the difference of the two mean scores. For fewer
        labels, it is the mean paired difference of the runs on those subsets that both rungs learned from.

        Args:
            rung: the rung that is compared.
            against: the rung whose score is subtracted.
            labels: the number of labelled examples that the runs learned from.
        """
        return float(self.differences(rung, against, labels)[0].mean())

    def gap_interval(self, rung: str, against: str, labels: int, level: float = 0.95) -> Interval:
        """Return the interval of one rung's score minus another rung's score; 0 to 0 if both are the same rung.

        Args:
            rung: the rung that is compared.
            against: the rung whose score is subtracted.
            labels: the number of labelled examples that the runs learned from.
            level: the two-sided level.
        """
        if rung == against:
            return Interval(0.0, 0.0)
        order = [(self.bootstrap.seed_name(name), name) for name in (rung, against)]
        if order[0] > order[1]:  # one order of each pair, so that both directions have the same interval
            return self.gap_interval(against, rung, labels, level).negated()
        point, by_draw = self.differences(rung, against, labels)
        return self._interval((rung, against), labels, point, by_draw, level).within(
            *difference_range(self.score_range)
        )

    def gap_variance(self, rung: str, against: str, labels: int) -> GapVariance:
        """Return the variance of the score of one rung minus the score of another rung, by its sources.

        Args:
            rung: the rung that is compared.
            against: the rung whose score is subtracted.
            labels: the number of labelled examples that the runs learned from.
        """
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
        """Return the score of one rung minus the score of another rung, run by run.

        With fewer labelled examples than all, runs of the same seed are paired, since they learned from the same subset
        of the labelled examples. With all labelled examples, the first `runs` scores of each rung are used, shifted so
        that their mean is the mean of all runs of the rung; the mean difference is then the difference of the two mean
        scores.

        Args:
            rung: name of the compared rung.
            against: name of the rung whose score is subtracted.
            labels: the number of labelled examples that the runs learned from.

        Returns:
            float64 [runs] on the test part, and float64 [runs, draws] on each bootstrap resample; `runs` is the smaller
            of the two numbers of runs.
        """
        first, second = self._paired(rung, against, labels)
        return first.point - second.point, first.as_first - second.as_second

    def _paired(self, rung: str, against: str, labels: int) -> tuple[RunScores, RunScores]:
        """Return the scores of two rungs in the runs that both have.

        With fewer labelled examples than all, runs of one seed learn from the same subset, and only runs of the same
        seed are compared. With all labelled examples, the scores of the shared runs are shifted so that their mean is
        the mean of all runs of the rung; the mean difference is then the difference of the two rungs' scores.
        """
        first, second = self.table[rung, labels], self.table[against, labels]
        shared = min(first.runs, second.runs)
        if labels < max(size for _, size in self.table):
            return first.first(shared), second.first(shared)
        return first.about_mean(shared), second.about_mean(shared)

    def _interval(
        self, rungs: tuple[str, ...], labels: int, point: NDArray[np.float64], by_draw: Draws, level: float
    ) -> Interval:
        """Return the interval of one rung's score, or of the difference of two rungs, with `labels` labelled examples.

        Args:
            rungs: name of one rung, or of two rungs.
            labels: the number of labelled examples that the runs learned from.
            point: float64 [runs], the score or difference of each run on the test part.
            by_draw: float64 [runs, draws], the score or difference of each run on each resample.
            level: the two-sided level.
        """
        if not self._few_runs(rungs, labels):
            return crossed_interval(point, by_draw, resampled_runs(len(point), self.bootstrap), level)
        return few_runs_interval(by_draw, self._run_variance(rungs, labels, by_draw), level)

    def _few_runs(self, rungs: tuple[str, ...], labels: int) -> bool:
        """Return whether more than these runs is needed for the variance between runs: a prior, or runs on subsets."""
        return bool(self.run_priors.keys() & set(rungs)) or self._is_cross_fitted(rungs[0], labels)

    def _is_cross_fitted(self, rung: str, labels: int) -> bool:
        return isinstance(self.table[rung, labels], CrossFittedScores)

    def _run_variance(self, rungs: tuple[str, ...], labels: int, by_draw: Draws) -> RunVariance:
        """Return the variance of a score or difference that is due to runs and to draws of the labels."""
        return _total(*self._variances(rungs, labels, by_draw))

    def _variances(
        self, rungs: tuple[str, ...], labels: int, by_draw: Draws
    ) -> tuple[RunVariance | None, RunVariance | None]:
        """Return (variance between runs, variance over draws of the labels) of one rung's score or of a difference.

        The first combines a prior with the runs, and is None for rungs without a prior. The second is None if the runs
        do not predict folds. Both are estimated from runs on at least one in `SIZES_LIKE` of the labels. If runs
        predict folds, the variance between runs is divided by their number, as they have one score together.
        """
        subsets = self._subsets(rungs, labels)
        priors = [self.run_priors[name] for name in rungs if name in self.run_priors]
        of_runs, of_labels = None, None
        cross_fitted = self._is_cross_fitted(rungs[0], labels)
        if priors:
            averaged = min(self.seeds_of(name, labels) for name in rungs) if cross_fitted else 1
            of_runs = _total(*priors).pooled(runs.run_variance for runs in subsets).of_mean(averaged)
        if self.row_counts and cross_fitted:
            of_labels = label_variance(subsets, labels, self.row_counts, float(by_draw.mean(axis=0).var()))
        return of_runs, of_labels

    def _subsets(self, rungs: tuple[str, ...], labels: int) -> list[SubsetRuns]:
        """Return the runs at each size from `labels / SIZES_LIKE` to `labels` at which the rungs have several runs."""
        source, subsets = self.runs_from or self, list[SubsetRuns]()
        for size in source.sizes(rungs[0]):
            if labels / SIZES_LIKE <= size <= labels and all(source.has(name, size) for name in rungs):
                point, by_draw = source.run_scores(rungs, size)
                if len(point) > 1:
                    subsets.append(SubsetRuns.of(size, point, by_draw))
        return subsets

    def run_scores(self, rungs: tuple[str, ...], labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Return the scores of one rung's runs, or the paired differences of two rungs.

        Args:
            rungs: name of one rung; or of two rungs, of which the second is subtracted from the first.
            labels: the number of labelled examples that the runs learned from.

        Returns:
            The scores on the test part, float64 [runs], and on the resamples, float64 [runs, draws].
        """
        if rungs[1:]:
            first, second = self._paired(rungs[0], rungs[1], labels)
            return first.point - second.point, first.by_draw - second.by_draw
        return self.table[rungs[0], labels].point, self.table[rungs[0], labels].by_draw


def _total(*parts: RunVariance | None) -> RunVariance:
    """Return the variance of a sum of independent deviations; None counts as 0, but at least one part is not None."""
    return functools.reduce(operator.add, filter(None, parts))


def gap_change(then: Scores, now: Scores, pair: tuple[str, str], labels: tuple[int, int], level: float) -> Interval:
    """Return the interval of the change in two rungs' difference: its value under a condition minus the measured one.

    Args:
        then: the scores under the condition: by another metric, on some of the test items, or predicted for more
            labels.
        now: the measured scores, from the same bootstrap.
        pair: names of the two rungs.
        labels: the number of labelled examples in `then` and in `now`.
        level: the two-sided level.
    """
    (point, by_draw), (now_point, now_by_draw) = (
        scores.differences(*pair, size) for scores, size in zip((then, now), labels, strict=True)
    )
    runs = resampled_runs(len(point), now.bootstrap)
    return crossed_interval(point - now_point, by_draw - now_by_draw, runs, level)


@lru_cache(maxsize=32)
def resampled_runs(runs: int, bootstrap: Bootstrap) -> NDArray[np.int64]:
    """Return the indices of the runs in each resample, int64 [draws, runs].

    The indices are the same for all rungs with the same number of runs.

    Args:
        runs: number of runs.
        bootstrap: number of resamples, and the seed.
    """
    return run_picks(runs, bootstrap.draws, seeds.child(bootstrap.seed, "bootstrap runs", runs))
