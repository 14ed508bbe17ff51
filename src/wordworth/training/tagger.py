"""A tagger: bidirectional LSTM layers, a linear map and, if wanted, a CRF on top; and the tags that it predicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.dropout import dropped
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder
from wordworth.tasks.task import Labels
from wordworth.training.batch_sampler import BatchSampler, Numbers
from wordworth.training.crf import Crf, PackedWords
from wordworth.training.loop import Loop, Loss
from wordworth.training.lr_schedules import linear, within
from wordworth.training.optimizers import AdamW

_STILL = 1e-6
_TOGETHER = 64
"""Sentences in a batch of predictions."""


class Tagger(nn.Module):
    """A network that tags the words of sentences, given their vectors (Huang et al. 2015, arXiv 1508.01991).

    Args:
        inputs: width of the word vectors.
        tags: number of tags.
        hidden: units of each direction.
        layers: number of LSTM layers.
        crf: the CRF on top, or None for a softmax at each word.
        dropout: rate in training, on what each layer reads.
    """

    shift: Tensor
    scale: Tensor

    def __init__(
        self, inputs: int, tags: int, *, hidden: int, layers: int, crf: Crf | None, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.register_buffer("shift", torch.zeros(inputs))
        self.register_buffer("scale", torch.ones(inputs))
        widths = [inputs, *[2 * hidden] * (layers - 1)]
        with torch.device("meta"):
            pairs = nn.ModuleList(BidirectionalLSTM(width, hidden, None, Clips()) for width in widths)
            output = nn.Linear(2 * hidden, tags)
        self.layers, self.output = pairs.to_empty(device="cpu"), output.to_empty(device="cpu")
        self.crf, self.dropout = crf, dropout

    def draw(self, generator: torch.Generator) -> None:
        """Initialise the weights: uniform within +-1/sqrt(units), as torch has it, but drawn from `generator`."""
        bound = 1 / math.sqrt(self.output.in_features / 2)
        for parameter in (*self.layers.parameters(), *self.output.parameters()):
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def standardise(self, features: NDArray[np.float32]) -> None:
        """Set each column's mean and deviation from the training words [words, inputs]; constant columns become 0."""
        deviation = features.std(0, dtype=np.float64)
        self.shift.copy_(torch.from_numpy(features.mean(0, dtype=np.float64)))
        self.scale.copy_(torch.from_numpy(np.where(deviation > _STILL, 1 / np.maximum(deviation, _STILL), 0.0)))

    def emissions(self, features: Tensor, by_time: PackedWords, generator: torch.Generator | None = None) -> Tensor:
        """Return scores [words, tags] from features [words, inputs], both packed by time; a generator draws dropout."""
        x, order = (features - self.shift) * self.scale, PackedOrder.by_time(torch.tensor(by_time.batch_sizes))
        for layer in self.layers:
            left, right = layer(dropped(x, self.dropout, generator)[order.walk], order)
            x = torch.cat([left, right[order.back[1]]], dim=1)
        scores: Tensor = self.output(dropped(x, self.dropout, generator))
        return scores

    def loss(self, emissions: Tensor, tags: Tensor, by_time: PackedWords) -> Tensor:
        """Return minus the log-probability of `tags`, summed over sentences (CRF) or words."""
        if self.crf is None:
            return functional.cross_entropy(emissions, tags, reduction="sum")
        return self.crf.losses(emissions, tags, by_time.batch_sizes).sum()

    def decode(self, emissions: Tensor, by_time: PackedWords) -> Tensor:
        """Return the best tags, int64 [words]."""
        return emissions.argmax(1) if self.crf is None else self.crf.decode(emissions, by_time.batch_sizes)


class SentenceTagger(Protocol):
    """A network that tags words: a `Tagger`, or one with further layers before it."""

    def emissions(self, features: Tensor, by_time: PackedWords, generator: torch.Generator | None = None, /) -> Tensor:
        """Return scores [words, tags] of words packed by time; a generator draws dropout."""

    def loss(self, emissions: Tensor, tags: Tensor, by_time: PackedWords, /) -> Tensor:
        """Return the summed loss of int64 [words] gold tags."""

    def decode(self, emissions: Tensor, by_time: PackedWords, /) -> Tensor:
        """Return the best tags, int64 [words]."""


@dataclass(frozen=True, slots=True)
class TaggedSentences:
    """The words of sentences, end to end, with their tags.

    Attributes:
        features: [words, ...].
        lengths: int64 [sentences], number of words in each.
        tags: int64 [words].
    """

    features: NDArray[np.floating]
    lengths: Numbers
    tags: Numbers

    @classmethod
    def of(cls, features: NDArray[np.floating], lengths: Numbers, tags: Labels) -> TaggedSentences:
        """Join the tags of sentences, a tuple of int64 [words of the sentence]."""
        return cls(features, lengths, np.concatenate([np.zeros(0, np.int64), *tags]))


def tagger_loop(  # noqa: PLR0913 - what decides a training
    network: SentenceTagger,
    sentences: TaggedSentences,
    rows: Numbers,
    *,
    rate: float,
    batch_size: int,
    steps: int,
    seed: int,
) -> Loop[Numbers]:
    """Return the loop that trains a tagger with AdamW; the rate rises over a tenth of the steps, then falls to 0.

    Args:
        network: the tagger, a module.
        sentences: of which it is trained on some.
        rows: the sentences to train on, each with at least one word.
        rate: peak learning rate.
        batch_size: sentences per update.
        steps: number of updates.
        seed: decides batches and dropout.
    """
    assert isinstance(network, nn.Module)  # noqa: S101 - every tagger is one

    def loss(indices: Numbers, generator: torch.Generator) -> Loss:
        by_time = PackedWords.of(sentences.lengths, rows[indices])
        emissions = network.emissions(torch.from_numpy(sentences.features[by_time.rows]), by_time, generator)
        return Loss(network.loss(emissions, torch.from_numpy(sentences.tags[by_time.rows]), by_time), len(by_time.rows))

    optimiser = AdamW(weight_decay=1e-4, epsilon=1e-8).build({network: rate})
    batches = BatchSampler(sentences.lengths[rows], batch_size, seed, pool=8)
    return Loop(network, optimiser, within(linear, steps), batches, loss, max_grad_norm=5.0)


@torch.inference_mode()
def tags_of(
    tagger: SentenceTagger, features: NDArray[np.floating], lengths: NDArray[np.int64]
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
