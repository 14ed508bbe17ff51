"""Scores with their uncertainty: every run's metric on the test part, and on a thousand resamples of that part.

A rung is a representation with its head on the ladder, a run one rung fitted on one subset of labels, a size the number
of labels in a subset. Scores are on the metric's own scale, where a point is 0.01.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from wordworth import seeds
from wordworth.measures.added_items import added_items
from wordworth.measures.bootstrap import Interval, crossed_interval, item_weights, run_picks, run_variance, widened
from wordworth.measures.few_runs import PRIOR_DEGREES, RunVariance, few_runs_interval
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.rung_result import predictions_at
from wordworth.tasks.split import group_ids

if TYPE_CHECKING:
    from wordworth.measures.added_items import AddedItems
    from wordworth.measures.metrics import Metric
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Labels, Task

Draws = NDArray[np.float64]
_NORMAL = 1e6
"""Degrees of freedom from which Student's distribution is taken as normal."""
_SIZES_LIKE = 8
"""How many times fewer labels a size may have whose runs say how far runs differ on all labels."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The number of resamples behind every interval, and the seed of the study, from which they are drawn."""

    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of one rung at one size, a run for each seed.

    Attributes:
        point: float64 [seeds], the score of each run on the test part.
        by_draw: float64 [seeds, draws], its score on each resample; resample b is the same test items for every rung.
        compared: float64 [2, seeds, draws], the same with the items of `measures.added_items`, as the first and as the
            second rung of a comparison; None where the metric needs none.
    """

    point: NDArray[np.float64]
    by_draw: NDArray[np.float64]
    compared: NDArray[np.float64] | None = None

    @property
    def as_first(self) -> Draws:
        """Float64 [seeds, draws]: the scores on the resamples as the first rung of a comparison."""
        return self.by_draw if self.compared is None else self.compared[0]

    @property
    def as_second(self) -> Draws:
        """Float64 [seeds, draws]: the scores on the resamples as the second rung of a comparison."""
        return self.by_draw if self.compared is None else self.compared[1]

    def plus(self, shift: float, by_draw: Draws) -> RunScores:
        """Return these scores with `shift` added to each run's score, and `by_draw` [draws] to its resamples."""
        compared = None if self.compared is None else self.compared + by_draw
        return RunScores(self.point + shift, self.by_draw + by_draw, compared)


@dataclass(frozen=True, slots=True)
class GapVariance:
    """The variance of a paired difference of two rungs, in its parts, and what larger test parts would make of it.

    Attributes:
        items: that of the test items, which is in inverse proportion to their number.
        added: that of the added items, which is in inverse proportion to the square of the number of test items.
        runs: that of the mean over the runs.
        luck: what the luck of each run with the items adds to the variance that is measured between runs.
        degrees_of_freedom: those of the variance between runs.
    """

    items: float
    added: float
    runs: float
    luck: float
    degrees_of_freedom: float

    def error(self, times: Floats) -> Floats:
        """Return the standard error of the difference with so many `times` the test items."""
        return floats(np.sqrt(self.items / times + self.added / np.square(times) + self.runs))

    def detectable(self, times: Floats, level: float, power: float) -> Floats:
        """Return the smallest true difference that an interval tells from 0 with a probability.

        Args:
            times: how many times the test items of the study.
            level: the two-sided level of the interval, whose ends widen as `measures.bootstrap.widened` says.
            power: the probability.
        """
        error, between = self.error(times), self.runs + self.luck / times
        with np.errstate(divide="ignore"):
            degrees = self.degrees_of_freedom * np.maximum(1.0, np.square(np.square(error) / between))
        quantile = np.where(between > 0, stdtrit(np.minimum(degrees, _NORMAL), (1 + level) / 2), ndtri((1 + level) / 2))
        return floats((quantile + ndtri(power)) * error)


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of a study, with every interval from one bootstrap.

    Runs and test items are two crossed sources of uncertainty, and both are resampled together: resample b draws the
    same items and the same seeds for every rung, so differences are paired. A rung whose runs are few has a prior for
    the variance between them (`measures.few_runs`).

    Attributes:
        table: (rung, number of labels) -> the scores of the runs.
        bootstrap: the resamples that the intervals come from.
        run_priors: rung -> the variance between runs that other data sets have shown, for rungs that make few runs.
        dropped: names of the rungs eliminated early, surely worse than the best by more than the margin.
        ends: the worst and the best possible score of the metric.
    """

    table: Mapping[tuple[str, int], RunScores]
    bootstrap: Bootstrap
    run_priors: Mapping[str, RunVariance] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    ends: tuple[float, float] = (-math.inf, math.inf)

    def has(self, rung: str, labels: int) -> bool:
        """Return whether the rung was measured with `labels` labels."""
        return (rung, labels) in self.table

    def sizes(self, rung: str) -> tuple[int, ...]:
        """Return the numbers of labels at which a rung was measured, smallest first."""
        return tuple(sorted(labels for name, labels in self.table if name == rung))

    def seeds_of(self, rung: str, labels: int) -> int:
        """Return the number of runs behind a rung's score at one number of labels."""
        return len(self.table[rung, labels].point)

    def mean(self, rung: str, labels: int, *, seeds_used: int | None = None) -> float:
        """Return the mean score over a rung's runs, or over the first `seeds_used` of them."""
        return float(self.table[rung, labels].point[:seeds_used].mean())

    def score_draws(self, rung: str, labels: int) -> Draws:
        """Return the mean score under resampling of runs and test items, float64 [draws]."""
        runs = self.table[rung, labels]
        if rung not in self.run_priors:
            return widened(runs.point, runs.by_draw, resampled_runs(len(runs.point), self.bootstrap))
        variance = self._run_variance((rung,), labels)
        rng = seeds.child(self.bootstrap.seed, "luck", rung, labels)
        luck = rng.standard_t(variance.degrees_of_freedom, self.bootstrap.draws)
        draws: Draws = runs.by_draw.mean(axis=0) + np.sqrt(variance.value / len(runs.point)) * luck
        return draws

    def score_interval(self, rung: str, labels: int) -> Interval:
        """Return the 95 % interval of a rung's mean score."""
        runs = self.table[rung, labels]
        return self._interval((rung,), labels, runs.point, runs.as_first, 0.95).within(*self.ends)

    def gap(self, rung: str, against: str, labels: int) -> float:
        """Return the mean score of `rung` minus that of `against`, over the runs that both have."""
        shared = min(self.seeds_of(rung, labels), self.seeds_of(against, labels))
        return self.mean(rung, labels, seeds_used=shared) - self.mean(against, labels, seeds_used=shared)

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
        if rung > against:  # one order of each pair, so that both directions have the same interval
            return self.gap_interval(against, rung, labels, level).negated()
        point, by_draw = self.differences(rung, against, labels)
        return self._interval((rung, against), labels, point, by_draw, level)

    def gap_variance(self, rung: str, against: str, labels: int) -> GapVariance:
        """Return the variance of the paired difference `rung` minus `against`, in its parts."""
        point, by_draw = self.differences(rung, against, labels)
        shared = len(point)
        plain = self.table[rung, labels].by_draw[:shared] - self.table[against, labels].by_draw[:shared]
        items, with_added = float(plain.mean(axis=0).var()), float(by_draw.mean(axis=0).var())
        added = max(0.0, with_added - items)
        if self.run_priors.keys() & {rung, against}:
            between = self._run_variance((rung, against), labels)
            return GapVariance(items, added, between.value / shared, 0.0, between.degrees_of_freedom)
        if shared == 1:
            return GapVariance(items, added, 0.0, 0.0, 1.0)
        runs, measured = run_variance(point, plain), float(point.var(ddof=1))
        return GapVariance(items, added, runs / shared, max(0.0, measured - runs) / shared, shared - 1.0)

    def differences(self, rung: str, against: str, labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Return paired differences over the runs that both have, float64 [runs] and [runs, draws]."""
        runs, other_runs = self.table[rung, labels], self.table[against, labels]
        shared = min(len(runs.point), len(other_runs.point))
        by_draw = runs.as_first[:shared] - other_runs.as_second[:shared]
        return runs.point[:shared] - other_runs.point[:shared], by_draw

    def _interval(
        self, rungs: tuple[str, ...], labels: int, point: NDArray[np.float64], by_draw: Draws, level: float
    ) -> Interval:
        """Return the interval of a score of one rung, or of a difference of two, at one number of labels."""
        if not self.run_priors.keys() & set(rungs):
            return crossed_interval(point, by_draw, resampled_runs(len(point), self.bootstrap), level)
        return few_runs_interval(by_draw, self._run_variance(rungs, labels), level)

    def _run_variance(self, rungs: tuple[str, ...], labels: int) -> RunVariance:
        """Return the variance between runs of one rung, or of a difference of two, from the prior and their runs.

        Runs with an eighth of the labels or more count: with far fewer, runs differ by the labels that they drew.
        """
        prior = functools.reduce(operator.add, (self.run_priors[name] for name in rungs if name in self.run_priors))
        sizes = [size for size in self.sizes(rungs[0]) if labels / _SIZES_LIKE <= size <= labels]
        runs = (self._runs(rungs, size) for size in sizes if all(self.has(name, size) for name in rungs))
        return prior.pooled(RunVariance(run_variance(*each), len(each[0]) - 1) for each in runs if len(each[0]) > 1)

    def _runs(self, rungs: tuple[str, ...], labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Return the scores of one rung's runs, or the differences of two, float64 [runs] and [runs, draws]."""
        if rungs[1:]:
            return self.differences(rungs[0], rungs[1], labels)
        return self.table[rungs[0], labels].point, self.table[rungs[0], labels].by_draw


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


def test_weights(task: Task, bootstrap: Bootstrap) -> NDArray[np.float64]:
    """Return how often each item occurs in each resample, float64 [draws, test items]; groups are drawn together."""
    return _weights(group_ids(task.kind, task.examples.take(task.test)).tobytes(), bootstrap)


@lru_cache(maxsize=4)
def _weights(group_bytes: bytes, bootstrap: Bootstrap) -> NDArray[np.float64]:
    """As `test_weights`, from the group of each item as the bytes of int64 [test items], for the cache."""
    groups = np.frombuffer(group_bytes, dtype=np.int64)
    return item_weights(len(groups), bootstrap.draws, seeds.child(bootstrap.seed, "bootstrap items"), groups)


def measure(
    rung_results: Sequence[RungResult],
    task: Task,
    metric: Metric,
    bootstrap: Bootstrap,
    *,
    keep: NDArray[np.float64] | None = None,
) -> Scores:
    """Score every run by one metric, on the test part and on each resample of it; a rung that failed has no score.

    Args:
        rung_results: the rungs and their runs.
        task: the task whose test part was predicted.
        metric: the metric to score with.
        bootstrap: the resamples of the test items and runs.
        keep: float64 [test items], a weight per item (0 leaves the item out); all 1 where not given.
    """
    scorer = _Scorer.of(task, metric, bootstrap, np.ones(len(task.test)) if keep is None else keep)
    table = {
        (result.rung.name, labels): scorer.scores(predictions_at(result, labels, rung_results))
        for result in rung_results
        if result.state != "failed"
        for labels in sorted({run.labels for run in result.runs})
    }
    assumed = {result.rung.name: result.rung.assumed_run_sd for result in rung_results}
    priors = {name: RunVariance(sd**2, PRIOR_DEGREES) for name, sd in assumed.items() if sd}
    dropped = frozenset(result.rung.name for result in rung_results if result.state == "dropped")
    return Scores(table, bootstrap, priors, dropped, (metric.least, 1.0))


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scores predictions of the test part by one metric, on the test part and on its resamples.

    Attributes:
        metric: the metric.
        gold: the gold labels of the test part.
        weights: float64 [1 + draws, test items], the weight of each item on the test part, then in each resample.
        added: the items added to comparisons; None where the metric needs none.
        added_weights: float64 [draws, 2 x added items], how often each of them is in each resample.
    """

    metric: Metric
    gold: Labels
    weights: NDArray[np.float64]
    added: AddedItems | None
    added_weights: NDArray[np.float64]

    @classmethod
    def of(cls, task: Task, metric: Metric, bootstrap: Bootstrap, keep: NDArray[np.float64]) -> _Scorer:
        """Return the scorer of a task's test part.

        Args:
            task: the task.
            metric: the metric to score by.
            bootstrap: the resamples of the test items.
            keep: float64 [test items], a weight for each item.
        """
        gold, groups = task.gold(task.test), group_ids(task.kind, task.examples.take(task.test))
        weights = np.concatenate([keep[:, None], test_weights(task, bootstrap).T * keep[:, None]], axis=1).T
        added = added_items(metric, gold, task.classes)
        rng = seeds.child(bootstrap.seed, "added items")
        group_size = len(groups) / len(np.unique(groups))
        added_weights = added.weights(bootstrap.draws, group_size, rng) if added else np.zeros((bootstrap.draws, 0))
        return cls(metric, gold, weights, added, added_weights)

    def scores(self, predictions: Sequence[Predictions]) -> RunScores:
        """Return the scores of the predictions of several runs."""
        values = np.stack([np.asarray(self.metric.score(self.gold, run, self.weights)) for run in predictions])
        compared = None if self.added is None else self._compared(self.added, predictions)
        return RunScores(values[:, 0], values[:, 1:], compared)

    def _compared(self, added: AddedItems, predictions: Sequence[Predictions]) -> NDArray[np.float64]:
        """Return the scores with the added items, as the first and as the second rung: float64 [2, runs, draws]."""
        gold, weights = added.gold_with(self.gold), np.concatenate([self.weights[1:].T, self.added_weights.T]).T
        as_side = ([added.predicted_with(run, first=first) for run in predictions] for first in (True, False))
        return np.stack(
            [np.stack([np.asarray(self.metric.score(gold, run, weights)) for run in side]) for side in as_side]
        )
