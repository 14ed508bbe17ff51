"""Multiple choice: each option is read with its context and gets one score; a softmax or a margin compares options.

Devlin et al. 2019, section 4.4 (SWAG); the score is the product of the pooled vector and one learned vector. The
multi-margin loss is one that Li et al. 2019 (TransBERT, arXiv 1905.07504) trained with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wordworth.models.devices import on_device
from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.tasks.task_types import TaskType
from wordworth.text.tokens import Tokens
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Loss
from wordworth.training.task_heads.base import Floats, HeadOptions, InputReader, TaskHead


class ChoiceHead(TaskHead):
    """The head of multiple choice, which scores each option of an example, in a sequence of its own.

    Args:
        margin: by how much the right option's score should exceed each wrong option's in the multi-margin loss; None
            for softmax cross-entropy.
        options_only: whether options are read without context and question, a baseline that shows how far the options
            alone give the answer away.
    """

    def __init__(self, margin: float | None = None, *, options_only: bool = False) -> None:
        super().__init__(num_scores=1)
        self.margin, self.options_only = margin, options_only

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """Encode each option of each example as `[CLS] context [SEP] option [SEP]`.

        A question, if any, stands before the option. With `options_only` the sequence is `[CLS] option [SEP]`.
        """
        options = examples.options or ((),) * len(examples)
        tokens, long = self._sequences(reader, examples, options)
        bounds = np.cumsum([0, *map(len, options)])
        truncated = [bool(long[start:end].any()) for start, end in pairwise(bounds)]
        return TokenizedExamples(tuple(tokens), bounds, np.array(truncated, dtype=bool))

    def _sequences(
        self, reader: InputReader, examples: Examples, options: Sequence[Sequence[str]]
    ) -> tuple[list[Tokens], NDArray[np.bool_]]:
        """Return the sequence of each option of each example, and whether it was cut."""
        if self.options_only:
            return reader.texts([option for several in options for option in several])
        questions = examples.second or ("",) * len(examples)
        first = [text for text, several in zip(examples.first, options, strict=True) for _ in several]
        second = [
            f"{question} {option}".strip()
            for question, several in zip(questions, options, strict=True)
            for option in several
        ]
        return reader.texts(first, second)

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:  # noqa: ARG002 - a head
        """Return the index of the right option of each example as a tensor.

        Args:
            labels: int64 [n], the index of the right option of each example.
            inputs: the examples, which are not read.
        """
        return LabelTensors(torch.from_numpy(np.asarray(labels, dtype=np.int64)), torch.zeros(1))

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:
        """Return the loss of a batch: cross-entropy of a softmax over each example's options, or multi-margin loss.

        Args:
            scores: [sequences, 1], the score of each option.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [examples], the indices of the batch's examples among all training examples.
        """
        table = padded(scores[:, 0].float(), np.diff(inputs.offsets)[example_indices])
        right = gold.of_examples(example_indices, table.device)
        if self.margin is not None:
            return Loss(multi_margin_loss(table, right, self.margin), len(example_indices))
        return Loss(functional.cross_entropy(table, right, reduction="sum"), len(example_indices))

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> NDArray[np.float64]:  # noqa: ARG002 - a head
        """Return the score of each option of each example, float64 [n, most options].

        If an example has fewer options than others, the options that it lacks have -inf.

        Args:
            scores: for each option its score, float32 [1, 1].
            gold: the labels, which are not read.
            inputs: the examples with their options.
        """
        flat = torch.from_numpy(np.concatenate([np.zeros((0, 1), np.float32), *scores])[:, 0])
        table: NDArray[np.float64] = padded(flat, np.diff(inputs.offsets)).double().numpy()
        return table


def make_head(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions) -> ChoiceHead:  # noqa: ARG001 - a head's factory
    """Return the head of multiple choice.

    Args:
        task_type: the kind of task.
        classes: not used.
        options: the margin, and whether options are read alone.
    """
    return ChoiceHead(options.margin, options_only=options.options_only)


def multi_margin_loss(table: Tensor, right: Tensor, margin: float) -> Tensor:
    """Return the multi-margin loss of multiple choice, summed over examples.

    For an example with n options it is the sum over wrong options of max(0, margin - s(right) + s(wrong)), divided by
    n.

    Args:
        table: [examples, most options], the score of each option; -inf for options that an example lacks.
        right: int64 [examples], the index of the right option.
        margin: the difference by which the right option should score above each other option.
    """
    violations = functional.relu(margin - table.gather(1, right[:, None]) + table).scatter(1, right[:, None], 0.0)
    return (violations.sum(1) / table.isfinite().sum(1)).sum()


def padded(scores: Tensor, counts: Rows) -> Tensor:
    """Return the scores of all options as a table with a row for each example, [examples, most options].

    If an example has fewer options than others, the options that it lacks have -inf.

    Args:
        scores: [options], the scores of all options of all examples, one example after the other.
        counts: int64 [examples], the number of options of each example.
    """
    filled = np.arange(counts.max(initial=1)) < counts[:, None]
    table = scores.new_full((filled.size,), -torch.inf)
    table[on_device(np.flatnonzero(filled), scores.device)] = scores
    return table.view(filled.shape)
