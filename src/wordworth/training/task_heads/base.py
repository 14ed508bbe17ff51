"""`TaskHead`: how examples of one kind of task become inputs, targets, a loss and predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.truncation import keep_head_and_tail, truncate_pair
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.loop import Loss

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder

Floats = NDArray[np.float32]
TaskPredictions: TypeAlias = NDArray[np.float64] | tuple[NDArray[np.int64], ...] | tuple[str, ...]
"""Predictions, in the form that `wordworth.measures.metrics.Metric.score` takes for the kind of task."""
Cut = Literal["middle", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputReader:
    """A tokenizer with a limit on the length of sequences.

    Attributes:
        limit: most tokens of a sequence, special ones included.
        cut: what a longer text loses: its `middle` (Sun et al. 2019, arXiv 1905.05583, 5.3.1, found keeping beginning
            and end best), or its `end`, as in the paper's code; of a pair, the longer text is cut first.
        most: tokens that the encoder can read.
    """

    tokenizer: TokenizerProtocol
    limit: int
    cut: Cut = "middle"
    most: int = 512

    def texts(
        self, first: Sequence[str], second: Sequence[str] | None = None
    ) -> tuple[list[Tokens], NDArray[np.bool_]]:
        """Return a sequence for each text or pair, cut to the limit, and bool [n] which ones were longer."""
        whole = self.tokenizer.encode(list(first), None if second is None else list(second)) if len(first) else []
        return [self.within(tokens) for tokens in whole], np.array(
            [len(tokens) > self.limit for tokens in whole], dtype=bool
        )

    def within(self, tokens: Tokens) -> Tokens:
        """Cut a sequence to at most `limit` tokens."""
        return keep_head_and_tail(tokens, self.limit) if self.cut == "middle" else truncate_pair(tokens, self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadOptions:
    """Options of a head, beside the kind of task and its classes; each head uses those that concern it.

    Attributes:
        nulls: for questions, whether some have no answer.
        context: for tags, the window in tokens that neighbouring sentences of the document fill up; 0 reads each alone.
        crf: for tags, whether a CRF reads the scores.
    """

    nulls: bool = False
    context: int = 0
    crf: bool = False


class TaskHead:
    """The head of a kind of task: encodes examples, computes the loss, and turns scores into predictions.

    A head of another package derives from this class.

    Attributes:
        outputs: number of scores per vector.
        pooled: whether a sequence has one vector; else each of its tokens has one.
        output: the layer that scores tokens, where it is the model's own (its head over the vocabulary), in place of a
            new linear one; else None.
        extra: trainable weights beside the output layer (a CRF), or None.
        context: for tags, the tokens that a sentence and its neighbours in the document fill; 0: no neighbours.
        tuned: values that `tune` chose on a dev part, by name; they are saved with the model.
    """

    pooled = True
    context = 0

    def __init__(self, outputs: int) -> None:
        self.outputs = outputs
        self.output: nn.Module | None = None
        self.extra: nn.Module | None = None
        self.tuned: dict[str, float] = {}

    def attach(self, encoder: TextEncoder) -> None:
        """Take from a model what the head needs of it beside its states; here nothing.

        Args:
            encoder: the model that is to be fine-tuned, or was.

        Raises:
            BadInput: the model lacks it.
        """

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """Tokenize examples, cut to the reader's limit."""
        raise NotImplementedError

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:  # noqa: ARG002 - heads of windows need them
        """Return labels as tensors for training, one entry per unit of the inputs (or per word of it)."""
        return LabelTensors.of(labels, self.outputs)

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, units: Rows) -> Loss:
        """Return the summed loss of a batch.

        Args:
            scores: of the batch, [sequences, outputs], or [tokens, outputs] where tokens are scored.
            gold: the targets of all units.
            inputs: all inputs.
            units: int64, which units of the inputs the batch holds.
        """
        raise NotImplementedError

    def tune(self, scores: Sequence[Floats], labels: Labels, inputs: TokenizedExamples) -> dict[str, float]:  # noqa: ARG002 - most choose nothing
        """Choose thresholds (such as that of no answer) on a dev part, and return them by name."""
        return {}

    def restore(self, tuned: Mapping[str, Any]) -> None:
        """Restore the values that an earlier `tune` chose; other names are ignored."""
        self.tuned |= {name: tuned[name] for name in self.tuned.keys() & tuned.keys()}

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> TaskPredictions:
        """Return predictions from the scores of every sequence: [1, outputs] if pooled, else [tokens, outputs]."""
        raise NotImplementedError

    def predict_with_details(
        self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples
    ) -> tuple[TaskPredictions, Sequence[Mapping[str, Any]]]:
        """Return predictions, and for each further values by name (such as where an answer starts)."""
        return self.predict(scores, gold, inputs), [{}] * len(inputs)
