"""A BiLSTM tagger with an optional CRF, its training loop, and its predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth import seeds
from wordworth.models.dropout import dropped
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder
from wordworth.tasks.task import Labels
from wordworth.text.corpus.index_ranges import ranges, split_by
from wordworth.training.batch_sampler import BatchSampler, Numbers
from wordworth.training.crf import Crf
from wordworth.training.loop import Loop, Loss
from wordworth.training.lr_schedules import linear, within
from wordworth.training.optimizers import AdamW
from wordworth.training.pack_words_by_time import PackedWords
from wordworth.training.probes.scalar_mix import mixed

_STILL = 1e-6
_TOGETHER = 64
"""Sentences in a batch of predictions."""


class Tagger(nn.Module):
    """A network that tags the words of sentences, given their vectors (Huang et al. 2015, arXiv 1508.01991).

    A word may have a vector in each of several encoder layers. The tagger reads their concatenation, or their weighted
    sum, with a softmax of learned logits (initially equal) as weights.

    Args:
        inputs: width of the word vectors, or (number of encoder layers, width).
        tags: number of tags.
        hidden: number of LSTM cells in each direction.
        layers: number of LSTM layers.
        crf: the CRF on top, or None for a softmax at each word.
        dropout: dropout rate on the input of each layer.
        weighted: whether encoder layers are summed with weights; else they are concatenated.
    """

    shift: Tensor
    scale: Tensor

    def __init__(  # noqa: PLR0913 - what decides a network
        self,
        inputs: int | tuple[int, int],
        tags: int,
        *,
        hidden: int,
        layers: int,
        crf: Crf | None,
        dropout: float = 0.0,
        weighted: bool = False,
    ) -> None:
        super().__init__()
        shape = (inputs,) if isinstance(inputs, int) else inputs
        self.weights = nn.Parameter(torch.zeros(shape[0])) if weighted else None
        self.register_buffer("shift", torch.zeros(shape))
        self.register_buffer("scale", torch.ones(shape))
        widths = [shape[-1] if weighted else math.prod(shape), *[2 * hidden] * (layers - 1)]
        with torch.device("meta"):
            pairs = nn.ModuleList(BidirectionalLSTM(width, hidden, None, Clips()) for width in widths)
            output = nn.Linear(2 * hidden, tags)
        self.layers, self.output = pairs.to_empty(device="cpu"), output.to_empty(device="cpu")
        self.crf, self.dropout = crf, dropout
        self.register_load_state_dict_pre_hook(_todays_names)  # type: ignore[no-untyped-call]  # torch leaves it unannotated

    def initialise(self, sentences: TaggedSentences, rows: Numbers, seed: int) -> None:
        """Initialise the weights at random, and set each feature's mean and standard deviation in the training words.

        Args:
            sentences: all sentences.
            rows: int64 [n], the indices of the sentences to train on.
            seed: the seed of the weights.
        """
        self.draw(torch.Generator().manual_seed(seeds.child_seed(seed, "weights")))
        if len(rows):
            self.standardise(sentences.features[sentences.words_of(rows)])

    def draw(self, generator: torch.Generator) -> None:
        """Initialise the weights at random: uniform within +-1/sqrt(`hidden`), torch's bound for an LSTM."""
        bound = 1 / math.sqrt(self.output.in_features / 2)
        for parameter in (*self.layers.parameters(), *self.output.parameters()):
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def standardise(self, features: NDArray[np.floating]) -> None:
        """Set the mean and standard deviation by which each feature is standardised; constant features become 0.

        Both values are computed in float32 for float16 features, else in float64.

        Args:
            features: [words, ...], the features of the training words.
        """
        wider = np.float32 if features.dtype == np.float16 else np.float64
        deviation = features.std(0, dtype=wider)
        self.shift.copy_(torch.from_numpy(features.mean(0, dtype=wider)))
        self.scale.copy_(torch.from_numpy(np.where(deviation > _STILL, 1 / np.maximum(deviation, _STILL), 0.0)))

    def emissions(self, features: Tensor, by_time: PackedWords, generator: torch.Generator | None = None) -> Tensor:
        """Return the score of each tag at each word, [words, tags].

        Args:
            features: [words, ...], the features of the words, in the order of `by_time`.
            by_time: the packing of the sentences.
            generator: source of dropout; None computes without dropout.
        """
        x, order = (features.float() - self.shift) * self.scale, PackedOrder.by_time(torch.tensor(by_time.batch_sizes))
        if self.weights is not None:
            x = mixed(x, self.weights.softmax(0))
        x = x.flatten(1)
        for layer in self.layers:
            left, right = layer(dropped(x, self.dropout, generator)[order.walk], order)
            x = torch.cat([left, right[order.back[1]]], dim=1)
        scores: Tensor = self.output(dropped(x, self.dropout, generator))
        return scores

    def loss(self, emissions: Tensor, tags: Tensor, by_time: PackedWords) -> Tensor:
        """Return minus the log-probability of the tags, summed over sentences with a CRF, else over words.

        Args:
            emissions: [words, tags], the score of each tag at each word, in the order of `by_time`.
            tags: int64 [words], the indices of the true tags, in the same order.
            by_time: the packing of the sentences.
        """
        if self.crf is None:
            return functional.cross_entropy(emissions, tags, reduction="sum")
        return self.crf.losses(emissions, tags, by_time.batch_sizes).sum()

    def decode(self, emissions: Tensor, by_time: PackedWords) -> Tensor:
        """Return the index of the best tag of each word (with a CRF, the tags of the best sequence), int64 [words].

        Args:
            emissions: [words, tags], the score of each tag at each word, in the order of `by_time`.
            by_time: the packing of the sentences, which is also the packing of the result.
        """
        return emissions.argmax(1) if self.crf is None else self.crf.decode(emissions, by_time)


def _todays_names(module: nn.Module, state: dict[str, Tensor], prefix: str, *_: object) -> None:  # noqa: ARG001 - a hook of torch
    """Rename in `state` the weights that an earlier version saved, in which one module contained a `Tagger`."""
    if f"{prefix}mean" not in state:
        return
    state[f"{prefix}shift"] = state.pop(f"{prefix}mean")
    for name in ("shift", "scale"):
        state.pop(f"{prefix}tagger.{name}", None)
    for name in [name for name in state if name.startswith(f"{prefix}tagger.")]:
        state[prefix + name.removeprefix(f"{prefix}tagger.")] = state.pop(name)


@dataclass(frozen=True, slots=True)
class TaggedSentences:
    """The words of sentences, end to end, with their features and tags.

    Attributes:
        features: [words, ...], the features of each word, such as its vector.
        lengths: int64 [sentences], number of words of each sentence.
        tags: int64 [words], the index of each word's tag.
    """

    features: NDArray[np.floating]
    lengths: Numbers
    tags: Numbers

    @classmethod
    def of(cls, features: NDArray[np.floating], lengths: Numbers, tags: Labels) -> TaggedSentences:
        """Return sentences with their words' features and tags.

        Args:
            features: [words, ...], the features of all words, sentences end to end.
            lengths: int64 [sentences], number of words of each sentence.
            tags: for each sentence, int64 [words], the index of each word's tag.
        """
        return cls(features, lengths, np.concatenate([np.zeros(0, np.int64), *tags]))

    def words_of(self, rows: Numbers) -> Numbers:
        """Return the indices in `features` of the words of some sentences, sentence by sentence, int64 [words].

        Args:
            rows: int64 [n], the indices of the sentences.
        """
        return ranges((np.cumsum(self.lengths) - self.lengths)[rows], self.lengths[rows])


def tagger_loop(  # noqa: PLR0913 - what decides a training
    network: Tagger,
    sentences: TaggedSentences,
    rows: Numbers,
    *,
    rate: float,
    batch_size: int,
    steps: int,
    seed: int,
) -> Loop[Numbers]:
    """Return the loop that trains a tagger with AdamW.

    The learning rate rises over a tenth of the steps, then falls to 0.

    Args:
        network: the tagger.
        sentences: all sentences, with their tags.
        rows: int64 [n], the indices of the sentences to train on, each of which has at least one word.
        rate: peak learning rate.
        batch_size: sentences per update.
        steps: number of updates.
        seed: the seed of batches and dropout.
    """

    def loss(indices: Numbers, generator: torch.Generator) -> Loss:
        by_time = PackedWords.of(sentences.lengths, rows[indices])
        emissions = network.emissions(torch.from_numpy(sentences.features[by_time.rows]), by_time, generator)
        return Loss(network.loss(emissions, torch.from_numpy(sentences.tags[by_time.rows]), by_time), len(by_time.rows))

    optimiser = AdamW(weight_decay=1e-4, epsilon=1e-8).build({network: rate})
    batches = BatchSampler(sentences.lengths[rows], batch_size, seed, pool=8)
    return Loop(network, optimiser, within(linear, steps), batches, loss, max_grad_norm=5.0)


@torch.inference_mode()
def tags_of(
    tagger: Tagger, features: NDArray[np.floating], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Predict the tags of sentences; return for each sentence the index of each word's tag, int64 [words].

    Args:
        tagger: the tagger.
        features: [words, ...], the features of all words, sentences end to end.
        lengths: int64 [sentences], number of words of each sentence.
    """
    tags = np.zeros(len(features), dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    for batch in np.array_split(order, max(1, len(order) // _TOGETHER)):
        by_time = PackedWords.of(lengths, batch)
        if len(by_time.rows):
            scores = tagger.emissions(torch.from_numpy(features[by_time.rows]), by_time)
            tags[by_time.rows] = tagger.decode(scores, by_time).numpy()
    return split_by(lengths, tags)
