"""`Scored`: the scores of several runs of a system, with their bootstrap over test items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks
from wordworth.measures.weighted_sums import Floats
from wordworth.seeds import child

DRAWS = 1_000
Runs: TypeAlias = Mapping[int, tuple[float, Floats]]
"""Seed -> the score of that run, and its scores on resampled test items, float64 [draws]."""


@dataclass(frozen=True)
class Scored:
    """The scores of r runs of a system.

    Attributes:
        point: score of each run, float64 [r].
        draws: score of each run on resampled test items, float64 [r, draws]; all systems of one test set have the same
            resamples, so that differences are paired.
    """

    point: Floats
    draws: Floats

    def minus(self, other: Scored) -> Scored:
        """Return the paired differences, run by run."""
        return Scored(self.point - other.point, self.draws - other.draws)

    @property
    def mean(self) -> float:
        """Mean score over runs."""
        return float(self.point.mean())

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the mean, over runs and items."""
        runs = len(self.point)
        return crossed_interval(self.point, self.draws, run_picks(runs, DRAWS, child(0, "runs", runs)))


def scored_of(runs: Runs) -> Scored:
    """Stack runs by seed."""
    return Scored(np.array([point for point, _ in runs.values()]), np.array([draws for _, draws in runs.values()]))


def difference(first: Runs, other: Runs) -> Scored | None:
    """Return the first system's scores minus the second's, paired by seed; None if no seed has runs of both."""
    both = sorted(first.keys() & other.keys())
    if not both:
        return None
    point = np.array([first[seed][0] - other[seed][0] for seed in both])
    return Scored(point, np.array([first[seed][1] - other[seed][1] for seed in both]))


def mean_of(several: Sequence[Runs]) -> Runs:
    """Return the mean of a system's scores over several test sets, for the seeds that all sets have."""
    seeds = set.intersection(*(set(runs) for runs in several)) if several else set[int]()
    return {
        seed: (
            float(np.mean([runs[seed][0] for runs in several])),
            np.mean([runs[seed][1] for runs in several], axis=0),
        )
        for seed in sorted(seeds)
    }
