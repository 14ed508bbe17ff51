"""The loss of a fine-tuned model as a function of its weights, along lines and on planes through the weights of runs.

Hao et al. 2019 (arXiv 1908.05620), section 3: f(a) = J(start + a d1) and f(a, b) = J(start + a d1 + b d2), where d1
leads from the start to the fine-tuned weights, and d2 has the length of d1 and another direction. Layer norms make the
scale of the weights arbitrary, and with it the flatness along a raw direction; so directions around an end are filter
normalised (Li et al. 2018, arXiv 1712.09913, section 4): each filter is scaled to the norm of the same filter of the
weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.weighted_sums import Floats, floats, ratio
from wordworth.models.encoder_base import Encoder
from wordworth.models.length_batching import batches
from wordworth.models.parallel_map import parallel_map
from wordworth.training.finetuning.model import ABOVE, bf16_replica, over_encoder
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel

Weights: TypeAlias = Mapping[str, Tensor]
"""Weights, or differences of weights, by their names in the network; those of a task head's own begin with `extra.`."""
_PIECE = 1024
"""Most tokens of a batch; a row with more tokens is a batch of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The loss of each row at each of several points in the space of weights.

    Attributes:
        sums: float64 [points, rows], the loss summed over a row's targets.
        counts: float64 [rows], the number of targets of each row.
    """

    sums: Floats
    counts: Floats

    @property
    def means(self) -> Floats:
        """The mean loss per target at each point of the weight space, float64 [points]."""
        return ratio(self.sums.sum(1), self.counts.sum(keepdims=True))

    def draws(self, weights: Floats) -> Floats:
        """Return the mean loss at each point of weight space in each bootstrap resample, float64 [draws, points].

        Args:
            weights: float64 [draws, rows], how often each row is in each resample.
        """
        return ratio(weights @ self.sums.T, (weights @ self.counts)[:, None])


class LossSurface:
    """The loss of a fine-tuned model on labelled rows, as a function of its weights.

    Args:
        tuned: the fine-tuned model. Its weights are changed during a computation and restored after it, to the bit.
        examples: the labelled rows.
        exact: True computes in float32. False computes in the dtype in which the model predicts, which is faster
            where that is bfloat16.
    """

    def __init__(self, tuned: FineTunedModel, examples: LabelledInputs, *, exact: bool = True) -> None:
        is_exact = exact or tuned.predictor is tuned.network
        self.replica = None if is_exact else bf16_replica(tuned.network)
        self.tuned = tuned.exact if self.replica is None else replace(tuned, predictor=self.replica.module)
        self.examples = examples
        lengths = examples.inputs.lengths.tolist()
        self._pieces = [np.array(units) for units in batches(lengths, _PIECE)]
        self._inputs = [examples.inputs.take(units) for units in self._pieces]

    def losses(self) -> Losses:
        """Return the loss of each row with the weights that the model has now, as losses at a single point."""
        if self.replica is not None:
            self.replica.sync_weights()
        sums, counts = np.zeros(len(self.examples)), np.zeros(len(self.examples))
        work = zip(self._pieces, self._inputs, strict=True)
        for units, losses in parallel_map(lambda piece: (piece[0], self._piece(*piece)), work):
            sums[units], counts[units] = losses
        return Losses(sums[None], counts)

    def along(self, start: Weights, direction: Weights, positions: Sequence[float]) -> Iterator[Losses]:
        """Yield the losses along a line in weight space: with the weights start + position * direction.

        Args:
            start: name -> weight at position 0.
            direction: name -> change of the weight per unit of position; weights without a change keep their start.
            positions: the positions on the line.
        """
        with borrowed(self.tuned) as live:
            for position in positions:
                for name, value in live.items():
                    value.copy_(start[name] + position * direction[name] if name in direction else start[name])
                yield self.losses()

    def between(
        self, start: Weights, end: Weights, positions: Sequence[tuple[float, float]], other: Weights | None = None
    ) -> Iterator[Losses]:
        """Yield the losses with the weights start + a (end - start) + b · other for each position (a, b).

        At (0, 0) the weights equal the start's to the bit, and at (1, 0) the end's.

        Args:
            start: weights of encoder and head by name.
            end: the weights at the other end, with the same names.
            positions: the pairs (a, b).
            other: the second direction; None if b is 0 at every position.
        """
        with borrowed(self.tuned) as live:
            for across, up in positions:
                for name, value in live.items():
                    torch.lerp(start[name], end[name], across, out=value)
                    if up and other is not None and name in other:
                        value.add_(other[name], alpha=up)
                yield self.losses()

    def _piece(self, units: np.ndarray, inputs: TokenizedExamples) -> tuple[Floats, Floats]:
        """Return the summed loss and the number of targets of each row of one batch, float64 [rows] each.

        Args:
            units: int64 [rows], indices of the rows among all examples.
            inputs: the tokenized rows.
        """
        scores, head = self.tuned.scores(inputs), self.tuned.head
        losses = []
        for row, unit in enumerate(units.tolist()):
            parts = [torch.from_numpy(scores[at]) for at in range(inputs.offsets[row], inputs.offsets[row + 1])]
            with torch.inference_mode():
                loss = head.loss(torch.cat(parts), self.examples.targets, self.examples.inputs, np.array([unit]))
            losses.append((float(loss.sum), float(loss.count)))
        table = floats(losses)
        return table[:, 0], table[:, 1]


def stacked(points: Sequence[Losses]) -> Losses:
    """Concatenate the losses of the same rows at several series of points along the axis of points."""
    return Losses(np.concatenate([point.sums for point in points]), points[0].counts)


@contextmanager
def borrowed(tuned: FineTunedModel) -> Iterator[dict[str, Tensor]]:
    """Yield name -> weight of a model, which the caller may change; the weights are restored to the bit on leaving."""
    live = weights_of(tuned)
    before = {name: value.clone() for name, value in live.items()}
    try:
        with torch.no_grad():
            yield live
    finally:
        with torch.no_grad():
            for name, value in live.items():
                value.copy_(before[name])


def weights_of(tuned: FineTunedModel) -> dict[str, Tensor]:
    """Return name -> weight of a fine-tuned model's network, in float32, and of its head; nothing is copied."""
    extra = {} if tuned.head.extra is None else tuned.head.extra.state_dict()
    return {**tuned.network.state_dict(), **{f"extra.{name}": value for name, value in extra.items()}}


def under_head(tuned: FineTunedModel, model: Encoder, head: Weights | None = None) -> dict[str, Tensor]:
    """Return copies of the weights of another encoder and of a fine-tuned model's head, as name -> weight.

    Args:
        tuned: the fine-tuned model.
        model: the other encoder, of the same shape as the fine-tuned model's encoder.
        head: weights of the head by name that replace the fine-tuned model's own; None for its own.
    """
    own = {name: value.clone() for name, value in weights_of(tuned).items()}
    encoder = over_encoder(tuned.network, model).state_dict()
    changed = {name: value for name, value in encoder.items() if is_encoder(name)}
    of_head = {name: value.to(own[name]) for name, value in (head or {}).items() if name in own}
    return {**own, **changed, **of_head}


def is_encoder(name: str) -> bool:
    """Return True for the name of a weight of the encoder, False for a weight of the layers above the encoder."""
    return name.partition(".")[0] not in {*ABOVE, "extra"}


def difference(end: Weights, start: Weights) -> dict[str, Tensor]:
    """Return name -> difference of two sets of weights, for each weight of the encoder; the head is left out.

    Args:
        end: name -> weight to subtract from.
        start: name -> weight that is subtracted.
    """
    return {name: end[name] - start[name] for name in end if is_encoder(name)}


def inner(first: Weights, second: Weights) -> float:
    """Return the inner product of two directions in weight space, over the weights that both name, in float64."""
    return float(sum((first[name].double() * second[name].double()).sum() for name in first if name in second))


def norm(direction: Weights) -> float:
    """Return the Euclidean norm of a direction in weight space, over all of its weights."""
    return float(np.sqrt(inner(direction, direction)))


def rescaled(direction: Weights, length: float) -> dict[str, Tensor]:
    """Return a direction in weight space scaled to a given norm, as name -> tensor; a direction of zeros stays zero.

    Args:
        direction: name -> tensor.
        length: the norm.
    """
    own = norm(direction)
    return {name: value * (length / own if own else 0.0) for name, value in direction.items()}


def filter_normalised(direction: Weights, around: Weights) -> dict[str, Tensor]:
    """Return a filter-normalised direction in weight space: each row has the norm of the same row of the weights.

    Weights with one dimension, such as biases, are left out of the result, so that they do not move.

    Args:
        direction: the direction, by names of weights.
        around: the weights that give the norms.
    """
    return {
        name: value * (around[name].norm(dim=-1, keepdim=True) / value.norm(dim=-1, keepdim=True).clamp(min=1e-12))
        for name, value in direction.items()
        if value.dim() > 1
    }


def random_direction(like: Weights, seed: int) -> dict[str, Tensor]:
    """Return a random direction in weight space, with standard normal components and another direction's shapes.

    Args:
        like: the direction whose names and shapes are used.
        seed: seed of the numbers.
    """
    generator = torch.Generator().manual_seed(seed)
    return {name: torch.randn(value.shape, generator=generator).to(value) for name, value in like.items()}
