"""The methods of distillation, each with the values of student and teacher that it compares, its formula and source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.length_buckets import gather_rows
from wordworth.models.pooling import pool
from wordworth.training.distillation.losses import (
    attention_scores,
    cosine_distance,
    last_layers,
    patience,
    skipping_layers,
)
from wordworth.training.finetuning.model import Pooling

Layers = tuple[int, ...]
"""Numbers of layers, from 1; 0 is the embedding."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a distillation loss: (1 - alpha) · labels + alpha · answers + beta · states.

    `labels` is the loss of the gold labels, `answers` the divergence from the teacher's logits, and `states` the
    distance between inner values of student and teacher.

    Attributes:
        temperature: T, by which both models' logits are divided in `answers`.
        alpha: weight of `answers`, 0 to 1.
        beta: weight of `states`.
    """

    temperature: float
    alpha: float
    beta: float = 0.0


class Terms(NamedTuple):
    """The weights of the terms of a distillation loss in one update; `Weights` explains the terms."""

    labels: float
    answers: float
    states: float


@dataclass(frozen=True, slots=True)
class Method:
    """A method of distillation; this class compares only the logits of student and teacher (Hinton et al. 2015).

    Subclasses also compare inner states. If the weights alpha and beta are 0, training is plain fine-tuning without a
    teacher.

    Attributes:
        name: the name on the command line.
        weights: the default weights of the terms of the loss.
        formula: the loss as a formula, for people.
        source: the publication.
    """

    name: str
    weights: Weights
    formula: str
    source: str

    per_token: ClassVar[bool] = False
    """True if the states that it compares are those of tokens; else they are of texts."""

    outputs_from: ClassVar[float] = 0.0
    """Share of a run's updates before which labels and answers have no part in the loss."""

    revision: ClassVar[int] = 0
    """Raised when the loss of a method changes, so that runs with the former loss are not resumed."""

    @property
    def has_teacher(self) -> bool:
        """Whether the loss has a term that compares student and teacher."""
        return bool(self.weights.alpha or self.weights.beta)

    def layers(self, teacher: int, student: int) -> tuple[Layers, Layers]:  # noqa: ARG002 - others need them
        """Return the student's layers whose states are compared, and the teacher's layer for each of them.

        Args:
            teacher: number of layers of the teacher.
            student: number of layers of the student, fewer.

        Raises:
            BadInput: the student has too few layers.
        """
        return (), ()

    def names(self, layers: Layers, available: Sequence[str]) -> tuple[str, ...]:
        """Return the names (`models.activation_taps`) of the inner values to compare; by default each layer's states.

        Args:
            layers: the numbers of the layers to compare.
            available: the names of all inner values that the model can return; they tell whether it has a final norm.
        """
        return tuple(state_name(layer, available) for layer in layers)

    def rows(self, values: Sequence[Tensor], starts: Tensor, pooling: Pooling) -> Tensor:
        """Compute the vectors to compare from a batch's inner values: [texts or tokens, vectors of each, width].

        Args:
            values: the inner values that `names` lists, in the same order, [tokens, ...] each.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            pooling: how the model pools a text's states.
        """
        raise NotImplementedError

    def distance(self, own: Tensor, teacher: Tensor, starts: Tensor, heads: int) -> Tensor:
        """Return the distance between the student's and the teacher's inner values for each text, [texts].

        Args:
            own: the student's values, [rows, vectors, width], as `rows` returns them.
            teacher: the teacher's values, [rows, vectors, width], as `rows` returns them.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            heads: number of attention heads in a layer, for methods that compare attention.
        """
        raise NotImplementedError

    def terms(self, weights: Weights, fraction: float) -> Terms:  # noqa: ARG002 - others need it
        """Return the weights of the terms of the loss at a point of the run.

        Args:
            weights: the weights of the run.
            fraction: share of the run's updates that are done, 0 to 1.
        """
        return Terms(labels=1 - weights.alpha, answers=weights.alpha, states=weights.beta)


@dataclass(frozen=True, slots=True)
class Patient(Method):
    """Patient knowledge distillation (Sun et al. 2019): compares logits and pooled states of inner layers.

    Attributes:
        taught_by: the function (number of teacher's layers, number of student's layers) -> the teacher's layer for each
            of the student's layers but the last.
    """

    taught_by: Callable[[int, int], Layers]

    def layers(self, teacher: int, student: int) -> tuple[Layers, Layers]:
        """Return the numbers of all of the student's layers but the last, and of the teacher's layer for each.

        Args:
            teacher: number of layers of the teacher.
            student: number of layers of the student.

        Raises:
            BadInput: the student has a single layer.
        """
        if student == 1:
            what = f"{self.name} teaches the layers before the last, and a student of 1 layer has none"
            larger = ", or --layers 2" if teacher > 2 else ""  # noqa: PLR2004 - a student of 2 is then smaller
            raise BadInput(what, mend=f"choose --method kd{larger}")
        return tuple(range(1, student)), self.taught_by(teacher, student)

    def rows(self, values: Sequence[Tensor], starts: Tensor, pooling: Pooling) -> Tensor:
        """Return each text's vector in each layer, [texts, layers, width], pooled as the model pools its last layer.

        For BERT's pooler, which reads the last layer only, the vector is the state of the first token.

        Args:
            values: the states of each layer, [tokens, width] each.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            pooling: how the model pools a text's states.
        """
        if pooling == "pooler":
            return torch.stack([gather_rows(value, starts[:-1].long()).float() for value in values], dim=1)
        return torch.stack([pool(value, starts, pooling) for value in values], dim=1)

    def distance(self, own: Tensor, teacher: Tensor, starts: Tensor, heads: int) -> Tensor:  # noqa: ARG002 - a method
        """Return the distance between the normalised states of student and teacher (`losses.patience`), [texts].

        Args:
            own: the student's values, [texts, vectors, width], as `rows` returns them.
            teacher: the teacher's values, [texts, vectors, width], as `rows` returns them.
            starts: int [texts + 1], the index of the first token of each text; not used.
            heads: number of attention heads in a layer; not used.
        """
        return patience(own, teacher)


@dataclass(frozen=True, slots=True)
class LastStates(Method):
    """The distillation of DistilBERT on a task (Sanh et al. 2019): compares logits and every token's last-layer state.

    The distance between two states is 1 minus their cosine.
    """

    per_token: ClassVar[bool] = True

    def layers(self, teacher: int, student: int) -> tuple[Layers, Layers]:
        """Return the layers whose states are compared: the student's last layer, and the teacher's last layer.

        Args:
            teacher: number of layers of the teacher.
            student: number of layers of the student.
        """
        return (student,), (teacher,)

    def rows(self, values: Sequence[Tensor], starts: Tensor, pooling: Pooling) -> Tensor:  # noqa: ARG002 - a method
        """Return the last-layer states of all tokens as the values to compare, [tokens, 1, width].

        Args:
            values: a single tensor, the last-layer states, [tokens, width].
            starts: int [texts + 1], the index of the first token of each text; not used.
            pooling: how a text's states become a vector; not used.
        """
        return torch.stack(list(values), dim=1)

    def distance(self, own: Tensor, teacher: Tensor, starts: Tensor, heads: int) -> Tensor:  # noqa: ARG002 - a method
        """Return 1 - cosine of student's and teacher's last-layer states, averaged over each text's tokens, [texts].

        Args:
            own: the student's values, [tokens, 1, width], as `rows` returns them.
            teacher: the teacher's values, [tokens, 1, width], as `rows` returns them.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            heads: number of attention heads in a layer; not used.
        """
        return pool(cosine_distance(own[:, 0], teacher[:, 0])[:, None], starts, "mean")[:, 0]


@dataclass(frozen=True, slots=True)
class StatesThenAnswers(Method):
    """TinyBERT's distillation on a task: states and attention in the first half of a run, then labels and logits.

    Jiao et al. 2020 (arXiv 1909.10351), equations 7 to 10. Layer m of a student with s layers learns from layer
    m · t / s of a teacher with t layers. Both models must be equally wide, so no map between widths is learned.
    """

    per_token: ClassVar[bool] = True
    outputs_from: ClassVar[float] = 0.5
    revision: ClassVar[int] = 2

    def layers(self, teacher: int, student: int) -> tuple[Layers, Layers]:
        """Return all layers of the student, and the teacher's layer with which each is compared.

        Layer 0 is the embedding, which is compared too. The teacher's layers are evenly spaced.

        Args:
            teacher: number of layers of the teacher.
            student: number of layers of the student.
        """
        return tuple(range(student + 1)), tuple(layer * teacher // student for layer in range(student + 1))

    def names(self, layers: Layers, available: Sequence[str]) -> tuple[str, ...]:
        """Return the names (`models.activation_taps`) of all layers' states, then all their queries, then all keys.

        Args:
            layers: the layers; 0 is the embedding.
            available: the names of all inner values that the model can return; they tell whether it has a final norm,
                and whether it rotates queries and keys by position.
        """
        turned = "rotated_" if "layers.0.attention.rotated_query" in available else ""
        parts = [f"layers.{layer - 1}.attention.{turned}" for layer in layers if layer]
        states = [state_name(layer, available) for layer in layers]
        return (*states, *(f"{part}query" for part in parts), *(f"{part}key" for part in parts))

    def rows(self, values: Sequence[Tensor], starts: Tensor, pooling: Pooling) -> Tensor:  # noqa: ARG002 - a method
        """Return the states, queries and keys of every token as the values to compare, [tokens, vectors, width].

        Args:
            values: the states of all layers, then all their queries, then all keys, [tokens, ...] each.
            starts: int [texts + 1], the index of the first token of each text; not used.
            pooling: how a text's states become a vector; not used.
        """
        return torch.stack([value.flatten(1) for value in values], dim=1)

    def distance(self, own: Tensor, teacher: Tensor, starts: Tensor, heads: int) -> Tensor:
        """Return for each text the squared error of states plus the error of attention scores before softmax, [texts].

        In each layer an error is the mean over the text's values; the errors of all layers are added up.

        Args:
            own: the student's values, [tokens, vectors, width], as `rows` returns them.
            teacher: the teacher's values, [tokens, vectors, width], as `rows` returns them.
            starts: int [texts + 1], the index of the first token of each text, and the number of tokens.
            heads: number of attention heads in a layer, by which queries and keys are divided.
        """
        depth = (own.shape[1] - 1) // 3
        texts = []
        for start, end in pairwise(starts.tolist()):
            both = own[start:end].float(), teacher[start:end].float()
            states = (both[0][:, : depth + 1] - both[1][:, : depth + 1]).square().mean(dim=(0, 2)).sum()
            attention = [_attentions(each, depth, heads) for each in both]
            texts.append(states + (attention[0] - attention[1]).square().mean(dim=(1, 2, 3)).sum())
        return torch.stack(texts)

    def terms(self, weights: Weights, fraction: float) -> Terms:
        """Return the weights of the terms of the loss: states in the first half of the run, then labels and logits.

        Args:
            weights: the weights of the run.
            fraction: share of the run's updates that are done, 0 to 1.
        """
        if fraction < self.outputs_from:
            return Terms(labels=0.0, answers=0.0, states=weights.beta)
        return Terms(labels=1 - weights.alpha, answers=weights.alpha, states=0.0)


def _attentions(rows: Tensor, depth: int, heads: int) -> Tensor:
    """Return the attention scores of one text, [layers, heads, tokens, tokens]."""
    split = rows.reshape(*rows.shape[:2], heads, -1)
    query, key = split[:, depth + 1 : 2 * depth + 1], split[:, 2 * depth + 1 :]
    return torch.stack([attention_scores(query[:, layer], key[:, layer]) for layer in range(depth)])


def state_name(layer: int, available: Sequence[str]) -> str:
    """Return the name of the states of a layer in `models.activation_taps`.

    If the model has a final norm, the states of the last layer are taken after the final norm.

    Args:
        layer: number of the layer; 0 is the embedding.
        available: the names of all inner values that the model can return; they tell whether it has a final norm, and
            which layer is the last.
    """
    if not layer:
        return "embedding"
    is_last = f"layers.{layer}.output" not in available
    return "final_norm" if is_last and "final_norm" in available else f"layers.{layer - 1}.output"


_PLAIN = "(1 − α) · cross-entropy with the labels + α · T² · KL(teacher ‖ student) of the answers at temperature T"
_PATIENT = f"{_PLAIN} + β · mean squared difference of L2-normalised text vectors, layers "
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("finetune", Weights(1.0, 0.0), "cross-entropy with the labels", "no teacher: the control"),
        Method("kd", Weights(5.0, 0.5), _PLAIN, "Hinton et al. 2015, arXiv 1503.02531"),
        Patient(
            "pkd-last",
            Weights(5.0, 0.5, 100.0),
            f"{_PATIENT}before the teacher's last",
            "Sun et al. 2019, arXiv 1908.09355",
            last_layers,
        ),
        Patient(
            "pkd-skip",
            Weights(5.0, 0.5, 100.0),
            f"{_PATIENT}at equal distances",
            "Sun et al. 2019, arXiv 1908.09355",
            skipping_layers,
        ),
        LastStates(
            "distilbert",
            Weights(2.0, 5 / 7, 1 / 7),
            f"{_PLAIN} + β · (1 − cosine) of each token's last states",
            "Sanh et al. 2019, arXiv 1910.01108; its weights 5 : 2 : 1, the labels in place of masked tokens",
        ),
        StatesThenAnswers(
            "tinybert",
            Weights(1.0, 1.0, 1.0),
            "in the first half of the updates, mean squared errors of the embedding, states and attention before its "
            "softmax, layers at equal distances; then KL(teacher ‖ student) of the answers",
            "Jiao et al. 2020, arXiv 1909.10351, without its augmented data",
        ),
    )
}
"""Name of each method -> the method."""
