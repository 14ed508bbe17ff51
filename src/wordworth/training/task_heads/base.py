"""`TaskHead`: what one kind of task is to a network: how examples are read, what scores are trained to say, and say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.length_batching import cut_pair
from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.head_tail_truncation import keep_head_and_tail
from wordworth.training.loop import Loss

Floats = NDArray[np.float32]
TaskPredictions: TypeAlias = NDArray[np.float64] | tuple[NDArray[np.int64], ...] | tuple[str, ...]
"""Predictions, by kind: as `wordworth.measures.metrics.Metric.score` takes them."""
Cut = Literal["middle", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputReader:
    """A tokenizer and how much is read at once.

    Attributes:
        limit: tokens of a sequence at most, special ones included.
        cut: what a longer text loses: its `middle` (Sun et al. 2019, arXiv 1905.05583, 5.3.1, found its beginning and
            end best), or its `end`, as in the paper's code; of a pair, the longer text gives way first.
        most: tokens that the encoder can read.
    """

    tokenizer: TokenizerProtocol
    limit: int
    cut: Cut = "middle"
    most: int = 512

    def texts(
        self, first: Sequence[str], second: Sequence[str] | None = None
    ) -> tuple[list[Tokens], NDArray[np.bool_]]:
        """A sequence for each text or pair, cut to the limit, and bool [n] which ones were longer."""
        whole = self.tokenizer.encode(list(first), None if second is None else list(second)) if len(first) else []
        return [self.within(one) for one in whole], np.array([len(one) > self.limit for one in whole], dtype=bool)

    def within(self, tokens: Tokens) -> Tokens:
        """At most `limit` tokens of a sequence."""
        return keep_head_and_tail(tokens, self.limit) if self.cut == "middle" else cut_pair(tokens, self.limit)


class TaskHead(Protocol):
    """One kind of task on an encoder."""

    @property
    def outputs(self) -> int:
        """Scores of a vector."""
        ...

    @property
    def pooled(self) -> bool:
        """Whether a sequence has one vector; else each of its tokens has."""
        ...

    @property
    def extra(self) -> nn.Module | None:
        """Weights of its own beside the output layer (a CRF)."""
        ...

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """The token sequences of examples."""
        ...

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:
        """Labels as the network is trained on them, one entry a unit of the inputs (or a word of it)."""
        ...

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, units: Rows) -> Loss:
        """The summed loss of the scores of a batch of units."""
        ...

    def tune(self, scores: Sequence[Floats], labels: Labels, inputs: TokenizedExamples) -> dict[str, float]:
        """Set what is set on a dev part (the threshold of no answer); what was chosen, by name."""
        ...

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> TaskPredictions:
        """Predictions from the scores of every sequence: [1, outputs] of a pooled one, else [tokens, outputs]."""
        ...
