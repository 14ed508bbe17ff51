"""`Objective`: what a language model learns to say of text, and `Targets`, the places where it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.devices import on_device
from wordworth.models.encoder_module import EncoderModule
from wordworth.training.fused_cross_entropy import cross_entropy as summed

if TYPE_CHECKING:
    from wordworth.text.corpus.instances import Instances

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Targets:
    """Where an objective asks, and the right answers.

    Attributes:
        places: int64 [m], rising: tokens of the packed batch, or numbers of its sequences.
        labels: int64 [m].
        of: what `places` count; `states` are tokens too, whose states are looked at and nothing is asked.
    """

    places: Numbers
    labels: Numbers
    of: Literal["tokens", "sequences", "states"] = "tokens"

    def __len__(self) -> int:
        return len(self.places)

    def take(self, rows: Numbers, starts: NDArray[np.integer[Any]]) -> Targets:
        """The targets of some sequences, as they stand once those are packed alone, in the order of `rows`.

        Masks are drawn for a whole step; a process or micro-batch then takes its sequences and their targets.

        Args:
            rows: int64 [k], sequence numbers, each at most once.
            starts: [n + 1], where the sequences of the whole step start.
        """
        starts, rows = np.asarray(starts, dtype=np.int64), np.asarray(rows, dtype=np.int64)
        bounds = np.arange(len(starts), dtype=np.int64) if self.of == "sequences" else starts
        first = np.searchsorted(self.places, bounds[rows])
        counts = np.searchsorted(self.places, bounds[rows + 1]) - first
        lengths = bounds[rows + 1] - bounds[rows]
        moved = np.cumsum(lengths) - lengths - bounds[rows]
        index = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
        return Targets(self.places[index] + np.repeat(moved, counts), self.labels[index], self.of)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a model's answers to some targets cost.

    Attributes:
        total: the sum of cross-entropies in nats, a scalar that gradients flow from; 0 where there are no targets.
        counted: targets asked. The mean of a step divides by the count over the whole step, so that micro-batches and
            processes add up to what one pass over the step would give.
        correct: targets answered right, a scalar tensor without gradient.
    """

    total: Tensor
    counted: int
    correct: Tensor


class Objective(Protocol):
    """One thing to learn from text. Several are trained together by adding their mean losses."""

    @property
    def name(self) -> str:
        """`mlm`, `nsp`, `sop`, `clm`, `bilm` or `anisotropy`: what logs call it."""

    @property
    def head_name(self) -> str:
        """What checkpoints call its head (`heads.<head_name>.…`); two objectives of one head name share the head."""

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """What the model reads and where it is asked, from the instances of a whole step; numpy alone."""

    def head(self, model: EncoderModule) -> nn.Module:
        """A head for this encoder, its weights still to be drawn (`body.initialise`) or read.

        Raises:
            BadInput: the encoder lacks what the head stands on.
        """

    def loss(self, head: nn.Module, states: Tensor, model: EncoderModule, batch: Batch, targets: Targets) -> Loss:
        """What the head's answers cost, from the encoder's last states [tokens, width] of the batch."""


def cross_entropy(logits: Tensor, labels: Tensor) -> Loss:
    """The summed cross-entropy of logits [m, classes], in float32, and how often the label has the highest one.

    Rows beyond the labels are filler. With a gradient to come, the logits are overwritten.
    """
    total, correct = summed(logits, labels)
    return Loss(total, len(labels), correct)


def gather_targets(states: Tensor, places: Numbers) -> Tensor:
    """The states at the places, [m or a few more, width]; the rows beyond are filler, as `cross_entropy` takes them.

    A number of rows that comes again spares the processor from writing new machine code for their products.
    """
    rows = np.resize(places, round_up(len(places))) if len(places) else places
    return states[on_device(rows, states)]


def round_up(number: int) -> int:
    """A number rounded up, by at most an eighth, so that numbers near each other become the same.

    >>> [rounded(number) for number in (3, 100, 530, 560, 7300)]
    [3, 100, 544, 576, 7424]
    """
    grain = 1 << max((number >> 4).bit_length() - 1, 0)
    return -(-number // grain) * grain
