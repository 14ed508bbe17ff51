"""The scores of one rung at one number of labelled examples, and their resamples.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A run is one rung fitted on one subset of the labelled examples.

Runs that predict the same test part have a score each; runs that predict disjoint folds have one score together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Draws = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of one rung's runs at one number of labelled examples, one run for each seed.

    Attributes:
        point: float64 [seeds], the score of each run on the test part.
        by_draw: float64 [seeds, draws], the score of each run on each resample; resample b has the same test items for
            every rung.
        compared: float64 [2, seeds, draws], like `by_draw`, but with the items of `measures.added_test_items` in each
            resample: [0] for the rung as the first of a comparison, [1] for the rung as the second. None for a metric
            that needs no such items.
        bias: float64 [seeds], or one number for all runs: how far the mean of `compared[0]` is from the score, for a
            metric such as macro F1 (`Metric.resampling_bias`); 0 for others.
    """

    point: NDArray[np.float64]
    by_draw: Draws
    compared: NDArray[np.float64] | None = None
    bias: NDArray[np.float64] | float = 0.0

    @classmethod
    def stacked(cls, runs: Sequence[RunScores]) -> RunScores:
        """Join the scores of several runs of one rung, in their order."""
        parts = [run.compared for run in runs if run.compared is not None]
        compared = np.concatenate(parts, axis=1) if parts else None
        point, by_draw, bias = (
            np.concatenate([getattr(run, name) for run in runs]) for name in ("point", "by_draw", "biases")
        )
        return cls(point, by_draw, compared, bias)

    @property
    def as_first(self) -> Draws:
        """The scores on the resamples when the rung is the first of two that are compared, float64 [seeds, draws]."""
        return self.by_draw if self.compared is None else self.compared[0]

    @property
    def alone(self) -> Draws:
        """The scores on the resamples, with added items, for the rung's own score, float64 [seeds, draws].

        The bias of a metric such as macro F1 is subtracted. In differences of two rungs most of it cancels out.
        """
        return self.by_draw if self.compared is None else self.compared[0] - self.biases[:, None]

    @property
    def biases(self) -> NDArray[np.float64]:
        """The attribute `bias` of each run, float64 [seeds]."""
        return np.broadcast_to(self.bias, self.point.shape)

    @property
    def as_second(self) -> Draws:
        """The scores on the resamples when the rung is the second of two that are compared, float64 [seeds, draws]."""
        return self.by_draw if self.compared is None else self.compared[1]

    @property
    def by_run(self) -> NDArray[np.float64]:
        """The score of each run on the items that it predicted, float64 [runs]."""
        return self.point

    @property
    def runs(self) -> int:
        """The number of runs, which is the length of `point`."""
        return len(self.by_run)

    def first(self, runs: int) -> RunScores:
        """Return the scores of the first runs, for comparison with a rung that has fewer runs.

        Args:
            runs: number of runs to return.
        """
        compared = None if self.compared is None else self.compared[:, :runs]
        return RunScores(self.point[:runs], self.by_draw[:runs], compared, self.biases[:runs])

    def about_mean(self, runs: int) -> RunScores:
        """Return the scores of the first `runs` runs, all shifted so that their mean equals the mean of all runs.

        The scores on each resample are shifted in the same way, by the means on this resample.
        """
        if runs == self.runs:
            return self
        first = self.first(runs)
        return first.plus(
            float(self.point.mean() - first.point.mean()), self.by_draw.mean(axis=0) - first.by_draw.mean(axis=0)
        )

    def plus(self, shift: float, by_draw: Draws) -> RunScores:
        """Return a copy with numbers added to the scores of all runs.

        Args:
            shift: the number that is added to each run's score on the test part.
            by_draw: float64 [draws]; `by_draw[b]` is added to each run's score on resample b.
        """
        compared = None if self.compared is None else self.compared + by_draw
        return RunScores(self.point + shift, self.by_draw + by_draw, compared, self.bias)


@dataclass(frozen=True, slots=True)
class CrossFittedScores(RunScores):
    """The score of a rung whose runs predict one fold each: one score of the predictions of all runs together.

    Attributes:
        of_folds: float64 [runs], the score of each run on the fold that it predicted.
    """

    of_folds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def of(cls, pooled: RunScores, of_folds: NDArray[np.float64]) -> CrossFittedScores:
        """Return the scores of a rung whose runs predict one fold each.

        Args:
            pooled: the score of the predictions for all folds together, as one run.
            of_folds: float64 [runs], the score of each run on its fold.
        """
        return cls(pooled.point, pooled.by_draw, pooled.compared, pooled.bias, of_folds)

    @property
    def by_run(self) -> NDArray[np.float64]:
        """The score of each run on the fold that it predicted, float64 [runs]."""
        return self.of_folds

    def first(self, runs: int) -> CrossFittedScores:  # noqa: ARG002 - there is one score, whatever the number of runs
        """Return these scores unchanged, as they are estimated for all folds, whatever the number of runs.

        Args:
            runs: number of runs, which is not used.
        """
        return self

    def plus(self, shift: float, by_draw: Draws) -> CrossFittedScores:
        """Return a copy with numbers added to all scores.

        Args:
            shift: the number that is added to each score on the test part.
            by_draw: float64 [draws]; `by_draw[b]` is added to each score on resample b.
        """
        # super() of a dataclass with slots would be another class
        return CrossFittedScores.of(RunScores.plus(self, shift, by_draw), self.of_folds + shift)


def regressed(
    part: RunScores,
    others_on_part: RunScores,
    others: RunScores,
    score_range: tuple[float, float] = (-math.inf, math.inf),
) -> RunScores:
    """Estimate the score on all folds of a rung that predicted only some, from rungs that predicted all folds.

    Easy folds are easy for every rung. Let x be the mean score of the other rungs on the rung's folds, and X their mean
    score on all folds. The estimate is the rung's score on its folds plus b (X - x) (the regression estimator, Cochran
    1977, sections 7.1 to 7.3). b is the slope of the least squares line of the rung's score over x, across resamples of
    the items of the rung's folds. With b = 1 the estimate would be the difference estimator; the fitted b makes the
    estimate no less certain than the score on some folds alone.

    An estimate beyond the best or the worst possible score is moved to that score, with its resamples, so that they
    vary as before.

    Args:
        part: the score of the rung on the folds that it predicted, as one run.
        others_on_part: the scores of the other rungs on these folds, one run for each rung.
        others: the scores of the other rungs on all folds, one run for each rung.
        score_range: the worst and the best possible score.
    """
    own, mean_on_part = part.by_draw[0], others_on_part.by_draw.mean(axis=0)
    covariance = np.cov(own, mean_on_part)
    slope = float(covariance[0, 1] / covariance[1, 1]) if covariance[1, 1] > 0 else 0.0
    point = float(part.point[0])
    estimate = point + slope * float(others.point.mean() - others_on_part.point.mean())
    possible = min(max(estimate, score_range[0]), score_range[1])
    by_draw = slope * (others.by_draw.mean(axis=0) - mean_on_part)
    return part.plus(possible - point, by_draw + (possible - estimate))
