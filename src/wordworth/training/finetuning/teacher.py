"""`Teacher`: what a fine-tuning run learns from beside its labels."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from wordworth.models.taps import Taps
from wordworth.tasks.task import Rows
from wordworth.training.loop import Loss


class Teacher(Protocol):
    """Something that knows more of the training examples than their labels, such as the answers of a larger model.

    It is neither trained nor saved with the run.
    """

    def taps(self) -> Taps:
        """Return fresh taps for the inner values that `loss` needs of the student's next forward pass."""
        ...

    def loss(self, own: Loss, scores: Tensor, seen: Taps, starts: Tensor, units: Rows, fraction: float) -> Loss:
        """Return the loss of a batch.

        Args:
            own: the loss by the labels alone, over the units.
            scores: the student's, [texts, outputs].
            seen: the taps of this forward pass; values may have rows of padding after those of the batch.
            starts: int [texts + 1], the first token of each text.
            units: int64 [texts], which of the training examples they are.
            fraction: share of the run's updates that are done, from 0 to below 1.
        """
        ...
