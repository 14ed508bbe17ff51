"""The scores of one rung at one number of labels: one for each run, or one for all runs where they predict folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Draws = NDArray[np.float64]


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
    by_draw: Draws
    compared: NDArray[np.float64] | None = None

    @classmethod
    def stacked(cls, runs: Sequence[RunScores]) -> RunScores:
        """Return the scores of several runs as one."""
        parts = [run.compared for run in runs if run.compared is not None]
        compared = np.concatenate(parts, axis=1) if parts else None
        return cls(np.concatenate([run.point for run in runs]), np.concatenate([run.by_draw for run in runs]), compared)

    @property
    def as_first(self) -> Draws:
        """Float64 [seeds, draws]: the scores on the resamples as the first rung of a comparison."""
        return self.by_draw if self.compared is None else self.compared[0]

    @property
    def as_second(self) -> Draws:
        """Float64 [seeds, draws]: the scores on the resamples as the second rung of a comparison."""
        return self.by_draw if self.compared is None else self.compared[1]

    @property
    def by_run(self) -> NDArray[np.float64]:
        """Float64 [runs]: the score of each run on the items that it predicted."""
        return self.point

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.by_run)

    def first(self, runs: int) -> RunScores:
        """Return the scores of the first runs, for a comparison with a rung that made no more."""
        compared = None if self.compared is None else self.compared[:, :runs]
        return RunScores(self.point[:runs], self.by_draw[:runs], compared)

    def plus(self, shift: float, by_draw: Draws) -> RunScores:
        """Return these scores with `shift` added to each run's score, and `by_draw` [draws] to its resamples."""
        compared = None if self.compared is None else self.compared + by_draw
        return RunScores(self.point + shift, self.by_draw + by_draw, compared)


@dataclass(frozen=True, slots=True)
class CrossFittedScores(RunScores):
    """The score of a rung whose runs predict disjoint folds, by all their predictions together: one score for all runs.

    Attributes:
        of_folds: float64 [folds], the score of each run on its fold.
        by_folds: number of folds -> the score on the first so many of them, to compare a rung that learned for fewer.
    """

    of_folds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    by_folds: Mapping[int, RunScores] = field(default_factory=dict)

    @classmethod
    def of(cls, by_folds: Mapping[int, RunScores], of_folds: NDArray[np.float64]) -> CrossFittedScores:
        """Return the scores of a rung by its score on each number of folds that is needed, and on each fold."""
        whole = by_folds[max(by_folds)]
        return cls(whole.point, whole.by_draw, whole.compared, of_folds, by_folds)

    @property
    def by_run(self) -> NDArray[np.float64]:
        """Float64 [folds]: the score of each run on its fold."""
        return self.of_folds

    def first(self, runs: int) -> RunScores:
        """Return the score on the first folds."""
        return self.by_folds[runs]

    def plus(self, shift: float, by_draw: Draws) -> CrossFittedScores:
        """Return these scores with `shift` added to every score, and `by_draw` [draws] to its resamples."""
        by_folds = {folds: scores.plus(shift, by_draw) for folds, scores in self.by_folds.items()}
        return CrossFittedScores.of(by_folds, self.of_folds + shift)

    def extended_by(self, other: CrossFittedScores) -> CrossFittedScores:
        """Return the estimated score of this rung on all folds: its lead over another rung, on top of that rung's.

        The difference of two rungs on the same items varies less than the score of either. So this rung's score on some
        folds, plus what the other rung's score on all folds differs from that on these, estimates its score on all (a
        difference estimator, Cochran 1977, section 7). Comparisons still pair the folds that both predicted.

        Args:
            other: the scores of a rung that predicted every fold.
        """
        part = other.first(self.runs)
        whole = self.first(self.runs).plus(float(other.point[0] - part.point[0]), other.by_draw[0] - part.by_draw[0])
        return CrossFittedScores(whole.point, whole.by_draw, whole.compared, self.of_folds, self.by_folds)
