"""Probes of spans of words: edge probes (Tenney et al. 2019, arXiv 1905.06316, section 3.2) and linear ones.

Both read a scalar mix of the layers of a frozen encoder at the words of one span or of two, and score every label.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.dropout import dropped
from wordworth.training.loop import Loss
from wordworth.training.probes.scalar_mix import ScalarMix

HIDDEN = 256
_DROPOUT = 0.2


@dataclass(frozen=True, slots=True)
class SpanBatch:
    """A batch of targets of a span probe: a target is one span of words or a pair of spans, with its labels.

    Attributes:
        states: float32 [words, layers, width], the states of the words of some texts.
        sides: one or two pairs of arrays (words, targets), int64 [words of all spans] each: the first pair for the
            first spans of all targets, the second pair for their second spans. `words` has the words of these spans end
            to end, as indices of `states`; `targets` has the index of each word's target.
        labels: float32 [targets, number of labels], 1 for each label that a target has, else 0.
    """

    states: Tensor
    sides: tuple[tuple[Tensor, Tensor], ...]
    labels: Tensor


class SpanProbe(nn.Module, ABC):
    """A base class of probes that score the labels of targets, each of which is one span of words or a pair of spans.

    Args:
        layers: number of layers that the probe reads.
        exclusive: whether a target has exactly one label (softmax); else labels are independent (sigmoids).
    """

    def __init__(self, layers: int, *, exclusive: bool) -> None:
        super().__init__()
        self.mix = ScalarMix(layers)
        self.exclusive = exclusive

    @abstractmethod
    def forward(self, batch: SpanBatch, generator: torch.Generator | None = None) -> Tensor:
        """Return a score for each label of each target, [targets, labels].

        Args:
            batch: the targets.
            generator: source of dropout; None computes without dropout.
        """

    def initialise(self, generator: torch.Generator) -> None:
        """Initialise the weights: linear maps at random, such that they keep the variance of their input.

        Random weights are drawn from normal distributions. Biases are 0, and all layers have equal weights.
        """
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5, generator=generator)
                nn.init.zeros_(module.bias)

    def loss(self, batch: SpanBatch, generator: torch.Generator | None = None) -> Loss:
        """Return the cross-entropy of the labels, summed over targets, in nats.

        The cross-entropy is of a softmax if a target has exactly one label, else of one sigmoid for each label.

        Args:
            batch: the targets.
            generator: source of dropout; None computes without dropout.
        """
        scores = self(batch, generator)
        if self.exclusive:
            total = functional.cross_entropy(scores, batch.labels.argmax(1), reduction="sum")
        else:
            total = functional.binary_cross_entropy_with_logits(scores, batch.labels, reduction="sum")
        return Loss(total, len(batch.labels))

    def predicted(self, scores: Tensor) -> Tensor:
        """Return for each target whether each label is predicted, bool [targets, labels].

        If a target has exactly one label, the label with the best score is predicted, else all labels with a
        probability above 1/2.
        """
        if self.exclusive:
            return functional.one_hot(scores.argmax(1), scores.shape[1]).bool()
        return scores > 0


class EdgeProbe(SpanProbe):
    """An edge probe: mix of layers, projection, attention pooling over each span, MLP with one hidden layer.

    The first and the second span have projections and poolings of their own. The hidden layer has tanh units, layer
    normalisation and dropout; each label has a sigmoid.

    Args:
        layers: number of layers that the probe reads.
        width: width of a layer.
        sides: number of spans of a target, 1 or 2.
        labels: number of different labels.
        hidden: width of the projection and of the hidden layer.
    """

    def __init__(self, layers: int, width: int, sides: int, labels: int, *, hidden: int = HIDDEN) -> None:
        super().__init__(layers, exclusive=False)
        self.projections = nn.ModuleList(nn.Linear(width, hidden) for _ in range(sides))
        self.attention = nn.ModuleList(nn.Linear(hidden, 1) for _ in range(sides))
        self.hidden = nn.Linear(sides * hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.output = nn.Linear(hidden, labels)

    def forward(self, batch: SpanBatch, generator: torch.Generator | None = None) -> Tensor:
        """Return a score for each label of each target, [targets, labels]."""
        mix, spans = self.mix(batch.states), list[Tensor]()
        for (words, target), project, attend in zip(batch.sides, self.projections, self.attention, strict=True):
            projected = project(mix)
            spans.append(attention_pooled(projected, attend(projected)[:, 0], words, target, len(batch.labels)))
        hidden = self.norm(torch.tanh(self.hidden(torch.cat(spans, 1))))
        scores: Tensor = self.output(dropped(hidden, _DROPOUT, generator))
        return scores


class LinearProbe(SpanProbe):
    """A linear probe: a weighted sum of layers, the mean over the words of each span, and a linear map.

    Args:
        layers: number of layers that the probe reads.
        width: width of a layer.
        sides: number of spans of a target, 1 or 2.
        labels: number of different labels.
        exclusive: whether a target has exactly one label.
    """

    def __init__(self, layers: int, width: int, sides: int, labels: int, *, exclusive: bool) -> None:
        super().__init__(layers, exclusive=exclusive)
        self.output = nn.Linear(sides * width, labels)

    def initialise(self, generator: torch.Generator) -> None:  # noqa: ARG002 - nothing is drawn
        """Set the linear map to 0, since the loss is convex in its weights, and give all layers equal weights."""
        for parameter in self.output.parameters():
            nn.init.zeros_(parameter)

    def forward(self, batch: SpanBatch, generator: torch.Generator | None = None) -> Tensor:  # noqa: ARG002 - no dropout
        """Return a score for each label of each target, [targets, labels]."""
        mix = self.mix(batch.states)
        flat = mix.new_zeros(len(mix))
        spans = [attention_pooled(mix, flat, words, target, len(batch.labels)) for words, target in batch.sides]
        scores: Tensor = self.output(torch.cat(spans, 1))
        return scores


def attention_pooled(vectors: Tensor, scores: Tensor, words: Tensor, target: Tensor, targets: int) -> Tensor:
    """Return the sum of the vectors of each target's words, weighted by a softmax of the words' scores.

    Args:
        vectors: [n, width], the vectors of all words.
        scores: [n], the scores of all words; equal scores give the mean.
        words: int64 [words of all spans], the index of each word of a span among all words.
        target: int64 [words of all spans], the target of each word, ascending.
        targets: number of targets; each has at least one word.

    Returns:
        [targets, width].
    """
    if len(words) == targets:  # one word each, of weight 1
        return vectors[words]
    own = scores[words]
    largest = own.new_full((targets,), -torch.inf).scatter_reduce(0, target, own, "amax").detach()
    shares = (own - largest[target]).exp()
    total = own.new_zeros(targets).index_add(0, target, shares)
    weighted = vectors[words] * (shares / total[target])[:, None]
    return vectors.new_zeros(targets, vectors.shape[1]).index_add(0, target, weighted)
