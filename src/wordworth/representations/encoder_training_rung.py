"""Base classes of rungs that train an encoder on every subset of the labelled texts, and the length of a training.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol, Self

from wordworth.representations.rung import Learner, Rung

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wordworth.representations.finetuning_settings import RunLength
    from wordworth.representations.rung import RunContext
    from wordworth.tasks.task import Task


class TrainingLength(Protocol):
    """Training settings from which the number of steps and tokens of a run is known before it starts."""

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run, in steps and tokens.

        Args:
            lengths: int64 [texts], the number of tokens of each text.
        """

    def num_held_out_predictions(self, labels: int) -> float:
        """Return how many held-out texts a run on `labels` labelled texts predicts to select its best weights.

        A text counts once for each evaluation in which it is predicted.
        """


class TrainedEncoderRung(Rung):
    """A rung that trains an encoder on every subset of the labelled texts, each time from its pretrained weights."""

    __slots__ = ()
    family = "finetuned"
    contextual = True
    slow = True
    assumed_run_sd = 0.011

    if TYPE_CHECKING:  # as in `Rung`

        @property
        def settings(self) -> TrainingLength:
            """The training settings, the same for every subset of the labelled texts."""

    @abstractmethod
    def brief(self, batch_size: int) -> Self:
        """Return a copy of the rung that trains for only a few steps, to measure the time of a step.

        Args:
            batch_size: number of texts in a step.
        """

    @abstractmethod
    def prepare(self, task: Task, run_context: RunContext) -> TrainedEncoderLearner:
        """Load the encoder and tokenize every text of the task."""


class TrainedEncoderLearner(Learner):
    """A learner that trains a copy of a pretrained encoder in every fit, and reports the progress of the training."""

    __slots__ = ()

    if TYPE_CHECKING:  # as in `Rung`

        @property
        def settings(self) -> TrainingLength:
            """The settings of every run."""

    @property
    @abstractmethod
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens that training reads of each text of the task, int64 [texts]."""
