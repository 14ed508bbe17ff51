"""The shares that each system gets right, with intervals over groups and trainings that are paired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks, share_draws
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.crossmodal.evaluation import MEASURES
from wordworth.studies.crossmodal.systems import Outcomes


@dataclass(frozen=True, slots=True)
class Value:
    """A share, or a difference of two, with its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores.

    Attributes:
        point: of each system float64 [runs, measures].
        by_draw: of each system float64 [runs, draws, measures], on resampled groups, the same for every system.
        seed: of the resampled runs.
    """

    point: Mapping[str, Floats]
    by_draw: Mapping[str, Floats]
    seed: int

    def value(self, system: str, measure: str) -> Value:
        """Return the share that a system gets right."""
        column = MEASURES.index(measure)
        return self._value(self.point[system][:, column], self.by_draw[system][:, :, column])

    def difference(self, measure: str, first: str, second: str) -> Value:
        """Return the share of one system less that of another, paired by group and training.

        Args:
            measure: the measure.
            first: a system.
            second: another.
        """
        column = MEASURES.index(measure)
        point = self.point[first][:, column] - self.point[second][:, column]
        return self._value(point, self.by_draw[first][:, :, column] - self.by_draw[second][:, :, column])

    def _value(self, point: Floats, by_draw: Floats) -> Value:
        runs, draws = by_draw.shape
        picks = run_picks(runs, draws, seeds.child(self.seed, "crossmodal", "runs", runs))
        return Value(float(point.mean()), crossed_interval(point, by_draw, picks))


def score_all(made: Outcomes, groups: list[str], draws: int, seed: int) -> Scores:
    """Score every system on the test sequences.

    Args:
        made: what was right.
        groups: the group of each test sequence: groups are resampled whole.
        draws: number of resampled sets.
        seed: of the study.
    """
    rng_seed = seeds.child_seed(seed, "crossmodal", "groups")
    point, by_draw = {}, {}
    for name, right in made.right.items():
        point[name] = right.sum(1) / made.answers.sum(0)
        drawn = [
            share_draws(run, made.answers, np.array(groups), draws, np.random.default_rng(rng_seed)) for run in right
        ]
        by_draw[name] = np.stack(drawn)
    return Scores(point, by_draw, seed)
