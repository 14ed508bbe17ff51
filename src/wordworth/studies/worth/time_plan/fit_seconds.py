"""`FitSeconds`: how long one fit of a rung takes on this machine, from the speeds measured on a few texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from wordworth.representations.encoder_training_rung import TrainedEncoderRung
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.studies.worth.label_grid import MOST_TESTED

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds
    from wordworth.tasks.task import Task

_GROWTH = ((2, 0.85), (32, 1.1), (math.inf, 1.3))
"""Exponents of the growth of a fold's time with its labels: (most classes, exponent)."""
_GROWTH_OF_WORDS = 0.8
"""The exponent of the growth of a whole fit's time in tagging."""
_FORWARD_SHARE = 1 / 3
"""Time of a forward pass as a share of the time of a training step."""


@dataclass(frozen=True, slots=True)
class FitSeconds:
    """The seconds that a fit takes in one thread, by its rung and number of labelled examples.

    Attributes:
        speeds: the measured speeds of this machine.
        growth: the exponent of the growth of a fit's time with its labels, for rungs that train no encoder.
        folds: number of labels -> how often such a rung fits each of its settings; always 1 in tagging, where `growth`
            covers the whole fit.
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
        plan = LinearHead().fold_plan(Target.of(task, task.train[:1]))
        return cls(speeds, growth, partial(plan.num_fits, grouped=task.examples.groups is not None), tested)

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
        measured_labels = (speed or measured[0]).labels
        folds = self.folds(labels) / max(self.folds(measured_labels), 1)
        return float(seconds * folds * (labels / measured_labels) ** self.growth)

    def _training(self, rung: TrainedEncoderRung, labels: int) -> float:
        """Return the seconds of training an encoder on `labels` labelled examples, including its predictions."""
        speed = self.speeds.training.get(rung.name)
        if speed is None:
            return 0.0
        lengths = np.array(speed.tokens, dtype=np.int64)
        predicted = rung.settings.num_held_out_predictions(labels) + self.tested
        steps = rung.settings.plan(np.resize(lengths, labels)).tokens
        return speed.per_token * (steps + _FORWARD_SHARE * float(lengths.mean()) * predicted)
