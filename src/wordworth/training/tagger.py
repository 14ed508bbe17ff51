"""A tagger: bidirectional LSTM layers, a linear map and, if wanted, a CRF on top; and the tags that it predicts."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.dropout import dropped
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder
from wordworth.training.crf import Crf, PackedWords

_STILL = 1e-6
_TOGETHER = 64
"""Sentences in a batch of predictions."""


class Tagger(nn.Module):
    """Word vectors of sentences to tags (Huang et al. 2015, arXiv 1508.01991).

    Args:
        inputs, tags: widths in and out.
        hidden: units of each direction.
        layers: number of LSTM layers.
        crf: the CRF on top, or None for a softmax at each word.
    """

    shift: Tensor
    scale: Tensor

    def __init__(self, inputs: int, tags: int, *, hidden: int, layers: int, crf: Crf | None) -> None:
        super().__init__()
        self.register_buffer("shift", torch.zeros(inputs))
        self.register_buffer("scale", torch.ones(inputs))
        widths = [inputs, *[2 * hidden] * (layers - 1)]
        with torch.device("meta"):
            pairs = nn.ModuleList(BidirectionalLSTM(width, hidden, None, Clips()) for width in widths)
            output = nn.Linear(2 * hidden, tags)
        self.layers, self.output = pairs.to_empty(device="cpu"), output.to_empty(device="cpu")
        self.crf = crf

    def draw(self, generator: torch.Generator) -> None:
        """Initialise the weights: uniform within +-1/sqrt(units), as torch has it, but drawn from `generator`."""
        bound = 1 / math.sqrt(self.output.in_features / 2)
        for parameter in (*self.layers.parameters(), *self.output.parameters()):
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def standardise(self, features: NDArray[np.float32]) -> None:
        """Learn each column's mean and deviation from the training words; a column that never varies becomes 0."""
        deviation = features.std(0, dtype=np.float64)
        self.shift.copy_(torch.from_numpy(features.mean(0, dtype=np.float64)))
        self.scale.copy_(torch.from_numpy(np.where(deviation > _STILL, 1 / np.maximum(deviation, _STILL), 0.0)))

    def emissions(
        self, features: Tensor, by_time: PackedWords, generator: torch.Generator | None = None, dropout: float = 0.0
    ) -> Tensor:
        """Return scores [words, tags], packed by time.

        Args:
            features: [words, inputs], packed by time.
            by_time: the packing.
            generator: draws dropout; None for none.
            dropout: rate.
        """
        x, order = (features - self.shift) * self.scale, PackedOrder.by_time(torch.tensor(by_time.batch_sizes))
        for layer in self.layers:
            left, right = layer(dropped(x, dropout, generator)[order.walk], order)
            x = torch.cat([left, right[order.back[1]]], dim=1)
        scores: Tensor = self.output(dropped(x, dropout, generator))
        return scores

    def loss(self, emissions: Tensor, tags: Tensor, by_time: PackedWords) -> Tensor:
        """Return minus the log-probability of `tags`, summed over sentences (CRF) or words."""
        if self.crf is None:
            return functional.cross_entropy(emissions, tags, reduction="sum")
        return self.crf.losses(emissions, tags, by_time.batch_sizes).sum()

    def decode(self, emissions: Tensor, by_time: PackedWords) -> Tensor:
        """Return the best tags, int64 [words]."""
        return emissions.argmax(1) if self.crf is None else self.crf.decode(emissions, by_time.batch_sizes)


class Decoder(Protocol):
    """Predicts tags of words: a `Tagger`, or one with an encoder before it."""

    def emissions(self, features: Tensor, by_time: PackedWords, /) -> Tensor:
        """Return scores [words, tags] of words packed by time."""

    def decode(self, emissions: Tensor, by_time: PackedWords, /) -> Tensor:
        """Return the best tags, int64 [words]."""


@torch.inference_mode()
def tags_of(
    tagger: Decoder, features: NDArray[np.floating], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Return the tagger's tags for sentences of `lengths`, from their words end to end [words, ...]."""
    tags = np.zeros(len(features), dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    for batch in np.array_split(order, max(1, len(order) // _TOGETHER)):
        by_time = PackedWords.of(lengths, batch)
        if len(by_time.rows):
            scores = tagger.emissions(torch.from_numpy(features[by_time.rows]), by_time)
            tags[by_time.rows] = tagger.decode(scores, by_time).numpy()
    return tuple(np.split(tags, np.cumsum(lengths)[:-1])) if len(lengths) else ()
