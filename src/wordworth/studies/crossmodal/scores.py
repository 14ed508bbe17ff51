"""The share of right answers of each system, with intervals over groups and runs, and the paired differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import difference_range, run_picks, share_draws
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.crossmodal.evaluation import MEASURES
from wordworth.studies.crossmodal.systems import Outcomes
from wordworth.studies.estimate import Estimate

_SCORE_RANGE = 0.0, 1.0
"""The least and the greatest share."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The shares of right answers of all systems of the study `crossmodal`, 0 to 1.

    Attributes:
        point: name of a system -> the shares of each run, float64 [runs, measures].
        by_draw: name of a system -> the shares in each resample of test groups, float64 [runs, draws, measures]; all
            systems have the same resamples.
        seed: seed of the resampling of runs.
    """

    point: Mapping[str, Floats]
    by_draw: Mapping[str, Floats]
    seed: int

    def value(self, system: str, measure: str) -> Estimate:
        """Return a system's share of right answers by one of `MEASURES`, averaged over runs, with a 95 % interval."""
        column = MEASURES.index(measure)
        return self._value(self.point[system][:, column], self.by_draw[system][:, :, column], _SCORE_RANGE)

    def difference(self, measure: str, first: str, second: str) -> Estimate:
        """Return the first system's share of right answers minus the second's, paired by test group and by run.

        Args:
            measure: one of `MEASURES`.
            first: name of the first system.
            second: name of the second system.
        """
        column = MEASURES.index(measure)
        point = self.point[first][:, column] - self.point[second][:, column]
        by_draw = self.by_draw[first][:, :, column] - self.by_draw[second][:, :, column]
        return self._value(point, by_draw, difference_range(_SCORE_RANGE))

    def _value(self, point: Floats, by_draw: Floats, value_range: tuple[float, float]) -> Estimate:
        runs, draws = by_draw.shape
        picks = run_picks(runs, draws, seeds.child(self.seed, "crossmodal", "runs", runs))
        return Estimate.of(point, by_draw, picks, value_range=value_range)


def score_all(outcomes: Outcomes, groups: list[str], draws: int, seed: int) -> Scores:
    """Compute the share of right answers of every system over all test sequences.

    Args:
        outcomes: the right answers of all systems.
        groups: the group of each test sequence; all sequences of a group are resampled together.
        draws: number of bootstrap resamples.
        seed: seed of the study.
    """
    rng_seed = seeds.child_seed(seed, "crossmodal", "groups")
    point, by_draw = {}, {}
    for name, right in outcomes.right.items():
        point[name] = right.sum(1) / outcomes.answers.sum(0)
        drawn = [
            share_draws(run, outcomes.answers, np.array(groups), draws, np.random.default_rng(rng_seed))
            for run in right
        ]
        by_draw[name] = np.stack(drawn)
    return Scores(point, by_draw, seed)
