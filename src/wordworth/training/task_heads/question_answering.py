"""Extractive question answering: predicts an answer's first and last token in a context, read in windows.

A question without an answer has the first token of each window as its answer. Devlin et al. 2019, sections 4.2 and 4.3,
and `run_squad.py`: the loss of a window is the mean of two cross-entropies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Self, overload

import numpy as np
import torch
from scipy.special import expit
from torch import Tensor
from torch.nn import functional

from wordworth.models.devices import on_device
from wordworth.tasks.question_answering.decode_spans import Decoded, decode, tuned_threshold
from wordworth.tasks.question_answering.windows import SpanWindows, WindowSettings, span_windows
from wordworth.tasks.task import Answers, Examples, Labels, Rows
from wordworth.tasks.task_types import TaskType
from wordworth.text.tokens import Tokens
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Loss
from wordworth.training.task_heads.base import Floats, HeadOptions, InputReader, TaskHead

_STRIDE = 128
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class WindowTokens(Sequence[Tokens]):
    """The token sequences of the windows over contexts.

    A sequence is built when it is indexed, since all sequences together may take gigabytes.
    """

    windows: SpanWindows

    def __len__(self) -> int:
        return len(self.windows)

    @overload
    def __getitem__(self, index: int) -> Tokens: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tokens]: ...
    def __getitem__(self, index: int | slice) -> Tokens | list[Tokens]:
        if isinstance(index, slice):
            return [self.windows.tokens(row) for row in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.windows.tokens(index)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanInputs(TokenizedExamples):
    """Tokenized questions; the sequences of a question are the windows over its context."""

    windows: SpanWindows

    def take(self, example_indices: Rows) -> Self:
        """Return some of the questions, in the order of the indices.

        Args:
            example_indices: int64 [n], the indices of the questions.
        """
        whole = self.windows
        bounds = np.concatenate([[0], np.cumsum(np.diff(self.offsets)[example_indices])]).astype(np.int64)
        indices = [
            index for example in example_indices for index in range(self.offsets[example], self.offsets[example + 1])
        ]
        windows = replace(
            whole,
            questions=np.repeat(np.arange(len(example_indices)), np.diff(bounds)),
            spans=whole.spans[np.array(indices, dtype=np.int64)],
            question_ids=tuple(whole.question_ids[example] for example in example_indices),
            context_of=whole.context_of[example_indices],
        )
        return replace(
            self,
            tokens=WindowTokens(windows),
            offsets=bounds,
            truncated=self.truncated[example_indices],
            windows=windows,
        )

    @property
    def sizes(self) -> Rows:
        """The number of tokens of each window, int64 [windows]."""
        return self.windows.lengths


class SpanHead(TaskHead):
    """The head of question answering, which scores every token as the start and as the end of an answer.

    Args:
        nulls: whether a question may have no answer (SQuAD 2.0).
    """

    pooled = False

    def __init__(self, *, nulls: bool) -> None:
        super().__init__(num_scores=2)
        self.tuned = {"threshold": 0.0} if nulls else {}

    @property
    def threshold(self) -> float | None:
        """The threshold for giving no answer, tuned on a dev part; None if it was not tuned.

        A question gets no answer if the score of no answer exceeds the score of the best answer by more than the
        threshold.
        """
        return self.tuned.get("threshold")

    def encode(self, reader: InputReader, examples: Examples) -> SpanInputs:
        """Encode each window over a question's context as `[CLS] question [SEP] part of the context [SEP]`."""
        settings = WindowSettings(limit=reader.limit, stride=min(_STRIDE, max(1, reader.limit // 3)))
        windows = span_windows(examples, reader.tokenizer, settings)
        counts = np.bincount(windows.questions, minlength=len(examples))
        return SpanInputs(
            WindowTokens(windows),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            counts > 1,
            windows=windows,
        )

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:
        """Return the positions of the first and last token of the answer in each window, int64 [windows, 2].

        The positions are 0 for a window without the whole answer. They are -1 in all windows of a question whose
        answers have no known position in the context; these windows are left out of the loss.

        Args:
            labels: the gold answers of each question.
            inputs: the questions with their windows.
        """
        assert isinstance(inputs, SpanInputs)  # noqa: S101 - it made them
        return LabelTensors(torch.from_numpy(inputs.windows.gold(_answers(labels))), torch.zeros(2))

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:
        """Return the loss of a batch, summed over windows.

        The loss of a window is the mean of two cross-entropies over its tokens: of the answer's start and of its end.

        Args:
            scores: [tokens, 2], each token's score as the start and as the end of an answer.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [questions], the indices of the batch's questions among all training examples.
        """
        ranges = [range(inputs.offsets[example], inputs.offsets[example + 1]) for example in example_indices]
        windows = np.fromiter(chain.from_iterable(ranges), np.int64)
        table = _padded(scores.float(), inputs.sizes[windows])
        targets = gold.of_examples(windows, table.device)
        losses = [
            functional.cross_entropy(table[:, :, side], targets[:, side], reduction="sum", ignore_index=-1)
            for side in (0, 1)
        ]
        return Loss((losses[0] + losses[1]) / 2, int((gold.values.numpy()[windows, 0] >= 0).sum()))

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> tuple[str, ...]:  # noqa: ARG002 - a head
        """Return the answer to each question; "" for no answer.

        Args:
            scores: for each window float32 [tokens, 2], the scores of each token as start and as end.
            gold: the labels, which are not read.
            inputs: the questions with their windows.
        """
        return tuple(self.decoded(scores, inputs).answers(self.threshold))

    def predict_with_details(
        self,
        scores: Sequence[Floats],
        gold: LabelTensors,  # noqa: ARG002 - a head
        inputs: TokenizedExamples,
    ) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
        """Return the answer to each question, and a dict of details, with the answer's `start` in the context.

        If questions may have no answer, the dict also has the probability of no answer.

        Args:
            scores: for each window float32 [tokens, 2], the scores of each token as start and as end.
            gold: the labels, which are not read.
            inputs: the questions with their windows.
        """
        decoded = self.decoded(scores, inputs)
        answers, no_answer = decoded.answers(self.threshold), expit(decoded.no_answer_margin).tolist()
        details = [
            {"start": candidates[0].start if answer else None}
            | ({} if self.threshold is None else {"no_answer": round(share, _DIGITS)})
            for answer, candidates, share in zip(answers, decoded.candidates, no_answer, strict=True)
        ]
        return tuple(answers), details

    def decoded(self, scores: Sequence[Floats], inputs: TokenizedExamples) -> Decoded:
        """Return the possible answers to every question, and the question's score for giving no answer.

        Args:
            scores: for each window, [tokens, 2], each token's score as the start and as the end of an answer.
            inputs: the tokenized questions.
        """
        assert isinstance(inputs, SpanInputs)  # noqa: S101 - it made them
        return decode(inputs.windows, [window[:, 0] for window in scores], [window[:, 1] for window in scores])

    def tune(self, scores: Sequence[Floats], labels: Labels, inputs: TokenizedExamples) -> dict[str, float]:
        """Set the threshold for giving no answer that is best on questions of a dev part; return it by name.

        Args:
            scores: for each window float32 [tokens, 2], the scores of each token as start and as end.
            labels: the gold answers of each question.
            inputs: the questions with their windows.
        """
        if self.tuned:
            self.tuned["threshold"] = tuned_threshold(self.decoded(scores, inputs), _answers(labels))[1]
        return dict(self.tuned)


def make_head(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions) -> SpanHead:  # noqa: ARG001 - a head's factory
    """Return the head of question answering, which may predict no answer if `options.nulls` is True.

    Args:
        task_type: the kind of task.
        classes: not used.
        options: whether a question may have no answer.
    """
    return SpanHead(nulls=options.nulls)


def _answers(labels: Labels) -> Answers:
    return tuple(tuple(answers) for answers in labels)


def _padded(scores: Tensor, lengths: Rows) -> Tensor:
    """Return the scores of all windows as a table [windows, most tokens, 2], with very small scores for padding.

    Args:
        scores: [tokens, 2], the scores of the tokens of all windows, end to end.
        lengths: int64 [windows], number of tokens of each window.
    """
    filled = np.arange(lengths.max(initial=0)) < lengths[:, None]
    table = scores.new_full((filled.size, 2), torch.finfo(scores.dtype).min)
    table[on_device(np.flatnonzero(filled), scores.device)] = scores
    return table.view(*filled.shape, 2)
