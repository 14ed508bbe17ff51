"""What rungs that train an encoder on every subset of the labels share, so that their time can be forecast."""

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
    """Settings of a training that say beforehand how long it is."""

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run over texts of these numbers of tokens, int64 [texts]."""

    def num_judged(self, labels: int) -> float:
        """Return how many texts are answered during a run on so many labels, to choose by."""


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
        """Return the rung with a run of a few steps, whose speed is that of a longer one."""

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
        """The number of tokens of each text of the task that training reads, int64 [texts]."""
