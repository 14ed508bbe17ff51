"""`TaskHead`: turns examples of a kind of task into token sequences, and scores into a loss and predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens
from wordworth.text.truncation import keep_head_and_tail, truncate_pair
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
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
        tokenizer: the tokenizer.
        limit: maximal number of tokens of a sequence, special ones included.
        cut: which part of a longer text is removed: its `middle`, the best choice in Sun et al. 2019 (arXiv 1905.05583,
            section 5.3.1), or its `end`, as in BERT's code. In a pair, the longer text is cut first.
        encoder_limit: number of tokens that the encoder can read; a window of document context may be longer than
            `limit`, but not longer than this.
    """

    tokenizer: TokenizerProtocol
    limit: int
    cut: Cut = "middle"
    encoder_limit: int = 512

    def texts(
        self, first: Sequence[str], second: Sequence[str] | None = None
    ) -> tuple[list[Tokens], NDArray[np.bool_]]:
        """Tokenize texts or pairs, and cut sequences to the limit.

        Args:
            first: the texts, or the first text of each pair.
            second: the second text of each pair; None for single texts.

        Returns:
            (sequences, cut): a sequence for each text or pair; and bool [n], whether it was cut.
        """
        whole = self.tokenizer.encode(list(first), None if second is None else list(second)) if len(first) else []
        return [self.within(tokens) for tokens in whole], np.array(
            [len(tokens) > self.limit for tokens in whole], dtype=bool
        )

    def within(self, tokens: Tokens) -> Tokens:
        """Return a token sequence cut to at most `limit` tokens."""
        return keep_head_and_tail(tokens, self.limit) if self.cut == "middle" else truncate_pair(tokens, self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadOptions:
    """Options of task heads; each head uses those that concern its kind of task.

    Attributes:
        nulls: for question answering, whether a question may have no answer.
        context: for tagging, size in tokens of the window that is filled up with neighbouring sentences of the
            document; 0 reads each sentence alone.
        crf: for tagging, whether a CRF decodes the scores.
        margin: for multiple choice, by how much the right option's score should exceed each wrong option's in the
            multi-margin loss; None for softmax cross-entropy.
        options_only: for multiple choice, whether options are read without their context and question.
    """

    nulls: bool = False
    context: int = 0
    crf: bool = False
    margin: float | None = None
    options_only: bool = False


class TaskHead:
    """The head of a kind of task, which encodes examples, computes the loss, and turns scores into predictions.

    Heads of other packages derive from this class.

    Attributes:
        num_scores: number of scores for each pooled vector or token.
        pooled: whether one pooled vector per sequence is scored; else every token is scored.
        vocabulary_head: the layer that computes the scores, if it is the model's pretrained head over the vocabulary;
            None for a new linear layer.
        extra: trainable weights besides the output layer (a CRF), or None.
        context: for tagging, size in tokens of the window that is filled up with neighbouring sentences of the
            document; 0 reads each sentence alone.
        tuned: the thresholds, by name, that `tune` chose on a dev part; they are saved with the model.
    """

    pooled = True
    context = 0

    def __init__(self, num_scores: int) -> None:
        self.num_scores = num_scores
        self.vocabulary_head: nn.Module | None = None
        self.extra: nn.Module | None = None
        self.tuned: dict[str, float] = {}

    def attach(self, encoder: TextEncoder) -> None:
        """Take the parts of a model that a task head uses, such as the output layer over the vocabulary.

        Most task heads use no such part, and do nothing here.

        Args:
            encoder: the model, before or after fine-tuning.

        Raises:
            BadInput: the model lacks a part.
        """

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """Tokenize examples as token sequences, cut to the limit of the reader."""
        raise NotImplementedError

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:  # noqa: ARG002 - heads of windows need them
        """Return labels as tensors for training, with an entry for each example (in tagging, for each word).

        Args:
            labels: the labels of the examples.
            inputs: the tokenized examples.
        """
        return LabelTensors.of(labels, self.num_scores)

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:
        """Return the loss of a batch, summed over its targets.

        Args:
            scores: the scores of the batch, [sequences, num_scores], or [tokens, num_scores] if every token is scored.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [examples], the indices of the batch's examples among all training examples.
        """
        raise NotImplementedError

    def tune(self, scores: Sequence[Floats], labels: Labels, inputs: TokenizedExamples) -> dict[str, float]:  # noqa: ARG002 - most choose nothing
        """Choose thresholds on a dev part, such as the threshold for giving no answer, and return them by name.

        Args:
            scores: for each sequence of the dev part float32 [1, num_scores], or [tokens, num_scores] if every token is
                scored.
            labels: the labels of the dev part.
            inputs: the examples of the dev part.
        """
        return {}

    def restore(self, tuned: Mapping[str, Any]) -> None:
        """Set the thresholds that an earlier call of `tune` chose; other names are ignored."""
        self.tuned |= {name: tuned[name] for name in self.tuned.keys() & tuned.keys()}

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> TaskPredictions:
        """Return predictions for examples in the form that metrics take, from the scores of all their sequences.

        Args:
            scores: for each sequence, [1, num_scores], or [tokens, num_scores] if every token is scored.
            gold: the training labels as tensors, for the mean and deviation of regression values.
            inputs: the tokenized examples.
        """
        raise NotImplementedError

    def predict_with_details(
        self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples
    ) -> tuple[TaskPredictions, Sequence[Mapping[str, Any]]]:
        """Return (predictions, details): for each prediction a dict of details, such as the start of an answer.

        Args:
            scores: for each sequence, [1, num_scores], or [tokens, num_scores] if every token is scored.
            gold: the training labels as tensors, for the mean and deviation of regression values.
            inputs: the tokenized examples.
        """
        return self.predict(scores, gold, inputs), [{}] * len(inputs)
