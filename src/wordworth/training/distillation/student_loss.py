"""`Distillation`: a `Teacher` for a fine-tuning run, with a loss that compares the student with a larger model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from wordworth.models.activation_taps import Taps
from wordworth.tasks.task import Rows
from wordworth.training.distillation.losses import softened_divergence, softened_label_divergence
from wordworth.training.distillation.methods import Layers, Method, Weights
from wordworth.training.distillation.teacher_outputs import TeacherOutputs
from wordworth.training.finetuning.model import Pooling
from wordworth.training.loop import Loss


@dataclass(frozen=True, slots=True)
class Distillation:
    """The `Teacher` of a fine-tuning run: stored outputs of a teacher model, and the loss by which a student learns.

    Attributes:
        method: the method of distillation.
        weights: the weights of the terms of the loss.
        teacher_outputs: the teacher's outputs for the training texts.
        layers: the student's layers whose states are compared.
        available: the names of all inner values that the student can return; they decide the result of `names`.
        pooling: how the student pools a text's states.
        heads: number of attention heads in a layer.
        exclusive: whether a text has exactly one class; else its labels are independent.
    """

    method: Method
    weights: Weights
    teacher_outputs: TeacherOutputs
    layers: Layers
    available: Sequence[str]
    pooling: Pooling
    heads: int
    exclusive: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names (`models.activation_taps`) of the student's inner values that are compared with the teacher's."""
        return self.method.names(self.layers, self.available)

    @property
    def outputs_from(self) -> float:
        """The share of the run's updates, 0 to 1, after which labels and the teacher's logits enter the loss."""
        return self.method.outputs_from

    def taps(self) -> Taps:
        """Return new `Taps` that read the student's inner values in its next forward pass."""
        return Taps(read=self.names)

    def loss(
        self, own: Loss, scores: Tensor, seen: Taps, starts: Tensor, example_indices: Rows, fraction: float
    ) -> Loss:
        """Return the loss of a batch: the weighted sum of the losses of labels, teacher's logits and inner states.

        The method sets the weights of the terms at this point of the run.

        Args:
            own: the student's loss against the labels alone, without the teacher.
            scores: the student's logits, [texts, classes].
            seen: the taps that read the student's inner values in this forward pass.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            example_indices: int64 [texts], indices of the texts among the training examples.
            fraction: share of the run's updates that are done, from 0 to below 1.
        """
        terms = self.method.terms(self.weights, fraction)
        teacher, states = self.teacher_outputs.of(example_indices, scores.device)
        divergence = softened_divergence if self.exclusive else softened_label_divergence
        answers = divergence(scores, teacher, self.weights.temperature).sum()
        total = terms.labels * own.sum + terms.answers * answers
        if states is not None and terms.states:
            values = [seen.seen[name][0][: int(starts[-1])] for name in self.names]
            rows = self.method.rows(values, starts, self.pooling)
            total = total + terms.states * self.method.distance(rows, states, starts, self.heads).sum()
        return Loss(total, own.count)
