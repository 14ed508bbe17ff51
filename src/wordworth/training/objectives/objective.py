"""`Objective`: what a language model is trained to predict, and `Targets`, the positions and the right answers."""

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
    """Where an objective predicts, and the right answers.

    Attributes:
        places: int64 [m], ascending: token positions in the packed batch, or indices of its sequences.
        labels: int64 [m].
        of: what `places` index; with `states` they are tokens too, whose states are used but for which nothing is
            predicted.
    """

    places: Numbers
    labels: Numbers
    of: Literal["tokens", "sequences", "states"] = "tokens"

    def __len__(self) -> int:
        return len(self.places)

    def take(self, rows: Numbers, starts: NDArray[np.integer[Any]]) -> Targets:
        """Return the targets of some sequences, as positions in a batch of those alone, in the order of `rows`.

        Masks are drawn for a whole step; a process or micro-batch then takes its sequences and their targets.

        Args:
            rows: int64 [k], sequence indices, each at most once.
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
    """The loss of a model on some targets.

    Attributes:
        total: the sum of cross-entropies in nats, a scalar with gradient; 0 where there are no targets.
        counted: number of targets. The mean of a step divides by the count over the whole step, so that micro-batches
            and processes add up to what one pass over the step would give.
        correct: number of targets predicted right, a scalar tensor without gradient.
    """

    total: Tensor
    counted: int
    correct: Tensor


class Objective(Protocol):
    """One training objective on text. Several are trained together by adding their mean losses."""

    @property
    def name(self) -> str:
        """The name in logs: `mlm`, `nsp`, `sop`, `clm`, `bilm` or `anisotropy`."""

    @property
    def head_name(self) -> str:
        """The head's name in checkpoints (`heads.<head_name>.…`); objectives with the same name share one."""

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return what the model reads and the targets, from the instances of a whole step; numpy only."""

    def head(self, model: EncoderModule) -> nn.Module:
        """Return a head for this encoder, its weights still to be initialised (`init_weights`) or loaded.

        Raises:
            BadInput: the encoder lacks what the head needs.
        """

    def loss(self, head: nn.Module, states: Tensor, model: EncoderModule, batch: Batch, targets: Targets) -> Loss:
        """Return the head's loss on the targets of a batch.

        Args:
            head: what `head` made.
            states: last states of the encoder, [tokens, width].
            model: the encoder.
            batch: the token sequences.
            targets: what to predict in this batch.
        """


def cross_entropy(logits: Tensor, labels: Tensor) -> Loss:
    """Return the summed cross-entropy of logits [m, classes], in float32, and how often the label has the highest one.

    Rows beyond the labels are padding. If gradients are computed, the logits are overwritten.
    """
    total, correct = summed(logits, labels)
    return Loss(total, len(labels), correct)


def gather_targets(states: Tensor, places: Numbers) -> Tensor:
    """Return the states at `places`, [m or a few more, width]; the rows beyond m are padding for `cross_entropy`.

    A number of rows that recurs spares the CPU's library from compiling new kernels for their products.
    """
    rows = np.resize(places, round_up(len(places))) if len(places) else places
    return states[on_device(rows, states)]


def round_up(number: int) -> int:
    """Round a number up, by at most an eighth, so that numbers near each other become the same.

    >>> [round_up(number) for number in (3, 100, 530, 560, 7300)]
    [3, 100, 544, 576, 7424]
    """
    grain = 1 << max((number >> 4).bit_length() - 1, 0)
    return -(-number // grain) * grain
