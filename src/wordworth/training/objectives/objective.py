"""`Objective`: a training objective of a language model; and `Targets`, its positions and right answers in a batch."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, get_type_hints

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.errors import BadInput, nearest
from wordworth.models.batch import Batch
from wordworth.models.devices import on_device
from wordworth.models.encoder_base import Encoder
from wordworth.models.lm_heads import word_table
from wordworth.text.corpus.index_ranges import ranges
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.loop import Loss
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import parse_value

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Targets:
    """The positions at which an objective predicts, and the right answers.

    Attributes:
        positions: int64 [m], ascending: indices of tokens in the packed batch, or of its sequences.
        labels: int64 [m], the right answer at each of these positions.
        level: what is predicted: `tokens`; `sequences`, in which case `positions` are indices of sequences; `entities`
            (of the tokens at `positions`); or `states`, if the tokens' states are used and nothing is predicted.
        candidates: int64 [k], ascending, the labels to choose from; empty if these are all labels.
    """

    positions: Numbers
    labels: Numbers
    level: Literal["tokens", "sequences", "entities", "states"] = "tokens"
    candidates: Numbers = dataclasses.field(default_factory=lambda: np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.positions)

    def take(self, rows: Numbers, starts: NDArray[np.integer[Any]]) -> Targets:
        """Return the targets of some sequences, as positions in a batch of those sequences alone.

        Masks are drawn for a whole step; a process or micro-batch then takes its sequences and their targets.

        Args:
            rows: int64 [k], indices of sequences, each at most once, in the order of the new batch.
            starts: [n + 1], the index of the first token of each sequence of the whole step, and the number of the
                step's tokens.
        """
        starts, rows = np.asarray(starts, dtype=np.int64), np.asarray(rows, dtype=np.int64)
        bounds = np.arange(len(starts), dtype=np.int64) if self.level == "sequences" else starts
        first = np.searchsorted(self.positions, bounds[rows])
        counts = np.searchsorted(self.positions, bounds[rows + 1]) - first
        lengths = bounds[rows + 1] - bounds[rows]
        moved = np.cumsum(lengths) - lengths - bounds[rows]
        index = ranges(first, counts)
        moved_positions = self.positions[index] + np.repeat(moved, counts)
        return Targets(moved_positions, self.labels[index], self.level, self.candidates)


@dataclass(frozen=True, slots=True)
class ModelOutput:
    """The output of one forward pass of the encoder, from which each objective computes its loss.

    Attributes:
        encoder: the model; its token embedding matrix is `word_table(encoder)`.
        batch: the packed sequences that the encoder read.
        states: the states of the encoder's last layer, [tokens, width].
        layers: the states of all layers, the input layer first, [tokens, width] each; empty unless an objective of the
            run `reads_layers`.
    """

    encoder: Encoder
    batch: Batch
    states: Tensor
    layers: tuple[Tensor, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectiveContext:
    """The settings and the corpus of the run for which an objective is built.

    Attributes:
        name: the name under which the objective is registered.
        config: the settings of the run.
        store: the first corpus, with its vocabulary and tokenizer.
        options: the objective's own settings as text, which users give as `--override NAME.OPTION=VALUE`.
    """

    name: str
    config: PretrainingConfig
    store: TokenStore
    options: Mapping[str, str]

    def parse_options(self, kind: type, not_options: Collection[str] = ()) -> dict[str, Any]:
        """Parse the objective's options as values for the fields of a dataclass, each by the type of its field.

        Args:
            kind: the dataclass of the objective.
            not_options: fields that the run sets itself.

        Raises:
            BadInput: an option is unknown, invalid or missing.
        """
        hints, where = get_type_hints(kind), f"--override {self.name}.NAME=VALUE"
        not_fields = {"name", "head_name", *not_options}
        fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in not_fields}
        for name in self.options:
            if name not in fields:
                message = f"the objective {self.name} has no option {name!r}"
                raise BadInput(message, where=where, mend=nearest(name, fields) if fields else "leave it out")
        for name, field in fields.items():
            if name not in self.options and dataclasses.MISSING is field.default is field.default_factory:
                raise BadInput(f"the objective {self.name} needs the option {name!r}", where=where, mend="add it")
        return {name: parse_value(f"{self.name}.{name}", hints[name], text) for name, text in self.options.items()}


class Objective(ABC):
    """A training objective on text; several objectives are trained together by adding their mean losses.

    Attributes:
        name: the name in logs, such as `mlm`.
        head_name: the head's name in checkpoints (`heads.<head_name>.…`); objectives with equal head names share a
            head.
        reads_layers: whether the loss needs the states of all layers, `ModelOutput.layers`.
    """

    name: str
    head_name: str
    reads_layers: ClassVar[bool] = False

    @classmethod
    def build(cls, context: ObjectiveContext) -> Self:
        """Build the objective for a run.

        By default the dataclass fields, which are the objective's options, are set from the options in `context`.

        Raises:
            BadInput: an option is invalid.
        """
        return cls(**context.parse_options(cls))

    def require_corpora(self, stores: Sequence[TokenStore]) -> None:  # noqa: B027 - most objectives need only text
        """Check that the corpora have what the objective needs; by default nothing but text.

        Args:
            stores: all corpora of a run.

        Raises:
            BadInput: the corpora lack what the objective predicts.
        """

    @abstractmethod
    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances as the model reads them, with masks for example, and the targets to predict.

        The method uses numpy only, since it runs in another thread.

        Args:
            instances: the instances of a whole step.
            rng: source of randomness for masks and the like.
        """

    def head(self, encoder: Encoder) -> nn.Module:  # noqa: ARG002 - for objectives with a head
        """Return a new head for an encoder; the caller must initialise (`init_weights`) or load the head's weights.

        Raises:
            BadInput: the encoder lacks what the head needs.
        """
        return nn.Identity()

    @abstractmethod
    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the loss of this objective at the targets of one forward pass.

        Args:
            head: the head, as `Objective.head` made it.
            output: the output of the forward pass.
            targets: the positions at which the head predicts, and the right answers.
        """

    def identity(self) -> Mapping[str, Any]:
        """Return what decides the results of a run besides its recipe, as JSON values.

        A stopped run resumes only if these values are unchanged.
        """
        return {}


def gather_targets(states: Tensor, positions: Numbers) -> Tensor:
    """Return the states at some positions, followed by a few rows of padding, [m or more, width].

    The padding rounds up the number of rows (`round_up`), since CPU libraries compile a kernel for each new number of
    rows. `cross_entropy` ignores the padding.

    Args:
        states: [tokens, width].
        positions: int64 [m], indices of tokens.
    """
    rows = np.resize(positions, round_up(len(positions))) if len(positions) else positions
    return states[on_device(rows, states.device)]


def vocabulary_loss(head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
    """Return the cross-entropy over the vocabulary at the target tokens.

    Args:
        head: maps states and the token embedding matrix to logits over the vocabulary.
        output: the output of the forward pass.
        targets: the positions, and the right token at each.
    """
    logits = head(gather_targets(output.states, targets.positions), word_table(output.encoder))
    return cross_entropy(logits, on_device(targets.labels, output.states.device))


def round_up(number: int) -> int:
    """Return a number of rows rounded up by at most an eighth, so that only few different numbers of rows occur.

    >>> [round_up(number) for number in (3, 100, 530, 560, 7300)]
    [3, 100, 544, 576, 7424]
    """
    multiple = 1 << max((number >> 4).bit_length() - 1, 0)
    return -(-number // multiple) * multiple
