"""`Teacher`: a source of a further loss in a fine-tuning run, besides the loss of the labels."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from wordworth.models.activation_taps import Taps
from wordworth.tasks.task import Rows
from wordworth.training.loop import Loss


class Teacher(Protocol):
    """An interface: a source of an additional loss for the training examples, such as a larger model's outputs.

    A teacher is neither trained nor saved with the run.
    """

    @property
    def outputs_from(self) -> float:
        """The share of the run's updates, 0 to 1, after which the student's outputs enter the loss; 0 for no delay."""
        ...

    def taps(self) -> Taps:
        """Return new `Taps` that read the inner values which `loss` needs from the student's next forward pass."""
        ...

    def loss(
        self, own: Loss, scores: Tensor, seen: Taps, starts: Tensor, example_indices: Rows, fraction: float
    ) -> Loss:
        """Return the whole loss of a batch: the loss of its labels, combined with the loss against the teacher.

        Args:
            own: the student's loss against the labels alone, without the teacher.
            scores: the student's scores, [texts, outputs].
            seen: the taps that read the student's inner values in this forward pass; the values may have rows of
                padding after the rows of the batch.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            example_indices: int64 [texts], indices of the texts among the training examples.
            fraction: share of the run's updates that are done, from 0 to below 1.
        """
        ...
