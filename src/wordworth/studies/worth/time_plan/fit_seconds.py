"""`FitSeconds`: how long one fit of a rung takes on this machine, from the speeds measured on a few texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from wordworth.representations.encoder_training_rung import TrainedEncoderRung
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.row_products import MANY_COLUMNS
from wordworth.studies.worth.label_grid import MOST_TESTED

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds
    from wordworth.tasks.task import Task

_GROWTH, _GROWTH_OF_WORDS = ((2, 0.85), (MANY_COLUMNS, 1.1), (math.inf, 1.3)), 0.8
"""Exponents of the growth of a fit's time with its labels, apart from the number of folds: (most classes, exponent).
In tagging a single one, whatever the folds."""
_FORWARD_SHARE = 1 / 3
"""Time of a forward pass as a share of the time of a training step."""


@dataclass(frozen=True, slots=True)
class FitSeconds:
    """The seconds that a fit takes in one thread, by its rung and number of labelled examples.

    Attributes:
        speeds: the measured speeds of this machine.
        growth: the exponent of the growth of a fit's time with its labels, for rungs that train no encoder.
        folds: number of labels -> the number of folds in which such a rung fits each of its settings.
        tested: number of test items that a run of a rung that trains an encoder predicts.
    """

    speeds: Speeds
    growth: float
    folds: Callable[[int], int]
    tested: int

    @classmethod
    def of(cls, task: Task, speeds: Speeds, test_items: float) -> FitSeconds:
        """Return the seconds of the fits of a study of a task.

        Args:
            task: the task.
            speeds: the measured speeds of this machine.
            test_items: number of test items of the study.
        """
        tested = min(MOST_TESTED, round(test_items)) if task.folds else round(test_items)
        if task.type.labels_words:
            return cls(speeds, _GROWTH_OF_WORDS, lambda _: 1, tested)
        growth = next(exponent for most, exponent in _GROWTH if len(task.classes) <= most)
        return cls(speeds, growth, LinearHead().fold_plan(Target.of(task, task.train[:1])).num_fits, tested)

    def __call__(self, rung: Rung, labels: int) -> float:
        """Return the seconds of one fit; 0 for a constant rung, or if no fit was measured.

        A rung that was not measured, such as a static table that is yet to be distilled, counts as the mean of the
        other rungs.

        Args:
            rung: the rung.
            labels: number of labelled examples of the fit.
        """
        if isinstance(rung, TrainedEncoderRung):
            return self._training(rung, labels)
        measured = list(self.speeds.fits.values())
        if rung.slow or rung.is_baseline or not measured:
            return 0.0
        speed: FitSpeed | None = self.speeds.fits.get(rung.name)
        seconds = speed.seconds if speed else fmean(other.seconds for other in measured)
        timed = (speed or measured[0]).labels
        folds = self.folds(labels) / max(self.folds(timed), 1)
        return float(seconds * folds * (labels / timed) ** self.growth)

    def _training(self, rung: TrainedEncoderRung, labels: int) -> float:
        """Return the seconds of training an encoder on `labels` labelled examples, including its predictions."""
        speed = self.speeds.training.get(rung.name)
        if speed is None:
            return 0.0
        lengths = np.array(speed.tokens, dtype=np.int64)
        predicted = rung.settings.num_held_out_predictions(labels) + self.tested
        steps = rung.settings.plan(np.resize(lengths, labels)).tokens
        return speed.per_token * (steps + _FORWARD_SHARE * float(lengths.mean()) * predicted)
