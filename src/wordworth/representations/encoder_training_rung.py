"""Base classes of the rungs that train an encoder on every subset of the labels, with what forecasts their time."""

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
    """Settings of a training from which its length can be computed in advance."""

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run, in steps and tokens.

        Args:
            lengths: int64 [texts], the number of tokens of each text.
        """

    def num_judged(self, labels: int) -> float:
        """Return the number of held-out predictions that a run on `labels` labels makes to choose its best step."""


class TrainedEncoderRung(Rung):
    """A rung that trains an encoder on every subset of the labels, each time from its pretrained weights."""

    __slots__ = ()
    family = "finetuned"
    contextual = True
    slow = True
    assumed_run_sd = 0.011

    if TYPE_CHECKING:  # as in `Rung`

        @property
        def settings(self) -> TrainingLength:
            """The settings of every run."""

    @abstractmethod
    def brief(self, batch_size: int) -> Self:
        """Return the rung with a run of only a few steps, to measure the speed of a step.

        Args:
            batch_size: number of texts in a step.
        """

    @abstractmethod
    def prepare(self, task: Task, run_context: RunContext) -> TrainedEncoderLearner:
        """Load the encoder and tokenize every text of the task."""


class TrainedEncoderLearner(Learner):
    """A learner that trains a copy of an encoder in every fit, and reports the steps of a fit as progress."""

    __slots__ = ()

    if TYPE_CHECKING:  # as in `Rung`

        @property
        def settings(self) -> TrainingLength:
            """The settings of every run."""

    @property
    @abstractmethod
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens that training reads of each text of the task, int64 [texts]."""
