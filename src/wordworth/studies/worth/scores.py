"""Scores with their uncertainty: every run's metric on the test part, and on a thousand resamples of that part.

A rung is a representation with its head on the ladder, a run one rung fitted on one subset of labels, a size the number
of labels in a subset. Scores are on the metric's own scale, where a point is 0.01.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, item_weights, run_picks, widened
from wordworth.studies.worth.rung_result import predictions_at
from wordworth.tasks.split import group_ids

if TYPE_CHECKING:
    from wordworth.measures.metrics import Metric
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Labels, Task

Draws = NDArray[np.float64]


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
    """

    point: NDArray[np.float64]
    by_draw: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of a study, with every interval from one bootstrap.

    Runs and test items are two crossed sources of uncertainty, and both are resampled together: resample b draws the
    same items and the same seeds for every rung, so differences are paired.

    Attributes:
        table: (rung, number of labels) -> the scores of the runs.
        bootstrap: the resamples that the intervals come from.
        assumed_seed_sd: rung -> the standard deviation between runs that is assumed where there is only one run; 0 for
            rungs left out.
        dropped: names of the rungs eliminated early, surely worse than the best by more than the margin.
        ends: the worst and the best possible score of the metric.
    """

    table: Mapping[tuple[str, int], RunScores]
    bootstrap: Bootstrap
    assumed_seed_sd: Mapping[str, float] = field(default_factory=dict)
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
        runs, assumed = self.table[rung, labels], self.assumed_seed_sd.get(rung, 0.0)
        draws = widened(runs.point, runs.by_draw, resampled_runs(len(runs.point), self.bootstrap))
        if len(runs.point) == 1 and assumed:
            rng = seeds.child(self.bootstrap.seed, "luck", rung, labels)
            draws = draws + rng.normal(0, assumed, self.bootstrap.draws)
        return draws

    def score_interval(self, rung: str, labels: int) -> Interval:
        """Return the 95 % interval of a rung's mean score."""
        runs = self.table[rung, labels]
        assumed = self.assumed_seed_sd.get(rung, 0.0)
        resamples = resampled_runs(len(runs.point), self.bootstrap)
        return crossed_interval(runs.point, runs.by_draw, resamples, assumed=assumed).within(*self.ends)

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
        point, by_draw = self._difference(rung, against, labels)
        assumed = math.hypot(*(self.assumed_seed_sd.get(name, 0.0) for name in (rung, against)))
        return crossed_interval(point, by_draw, resampled_runs(len(point), self.bootstrap), level, assumed=assumed)

    def _difference(self, rung: str, against: str, labels: int) -> tuple[NDArray[np.float64], Draws]:
        """Paired differences over the runs that both have: float64 [runs] and [runs, draws]."""
        runs, other_runs = self.table[rung, labels], self.table[against, labels]
        shared = min(len(runs.point), len(other_runs.point))
        return runs.point[:shared] - other_runs.point[:shared], runs.by_draw[:shared] - other_runs.by_draw[:shared]


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
    """Score every run by one metric, on the test part and on each resample of it.

    Args:
        rung_results: the rungs and their runs.
        task: the task whose test part was predicted.
        metric: the metric to score with.
        bootstrap: the resamples of the test items and runs.
        keep: float64 [test items], a weight per item (0 leaves the item out); all 1 where not given.
    """
    base = np.ones(len(task.test)) if keep is None else keep
    weights = np.vstack([base, test_weights(task, bootstrap) * base])
    score = _scorer(metric, task.gold(task.test), weights)
    table: dict[tuple[str, int], RunScores] = {}
    for result in rung_results:
        for labels in sorted({run.labels for run in result.runs}):
            values = np.stack([score(prediction) for prediction in predictions_at(result, labels, rung_results)])
            table[result.rung.name, labels] = RunScores(values[:, 0], values[:, 1:])
    assumed = {result.rung.name: result.rung.assumed_run_sd for result in rung_results if result.rung.assumed_run_sd}
    dropped = frozenset(result.rung.name for result in rung_results if result.state == "dropped")
    return Scores(table, bootstrap, assumed, dropped, (metric.least, 1.0))


def _scorer(metric: Metric, gold: Labels, weights: NDArray[np.float64]) -> Callable[[Predictions], NDArray[np.float64]]:
    return lambda prediction: np.asarray(metric.score(gold, prediction, weights), dtype=np.float64)
