"""Sequence classification: one vector per text or pair, for classes, labels or a value (Devlin et al. 2019, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from wordworth.tasks.task import Examples, Rows
from wordworth.tasks.task_types import TaskType
from wordworth.training.finetuning.label_tensors import LabelTensors, label_loss
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Loss
from wordworth.training.task_heads.base import Floats, HeadOptions, InputReader, TaskHead


class TextHead(TaskHead):
    """The head for texts or pairs of texts, which scores classes, independent labels or a value.

    A pair is one sequence of two segments.
    """

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """Encode each text as `[CLS] a [SEP]`, or each pair of texts as `[CLS] a [SEP] b [SEP]`."""
        return TokenizedExamples.single(*reader.texts(examples.first, examples.second))

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:  # noqa: ARG002 - a head
        """Return the loss of a batch: softmax cross-entropy (classes), logistic loss (labels), squared error (values).

        Args:
            scores: [texts, num_scores], the scores of the batch.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [texts], the indices of the batch's examples among all training examples.
        """
        return Loss(label_loss(scores, gold.of_examples(example_indices, scores.device)), len(example_indices))

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> NDArray[np.float64]:  # noqa: ARG002 - a head
        """Return the scores of the classes, float64 [n, classes], or predicted values on their original scale, [n].

        Args:
            scores: for each sequence its scores, float32 [1, num_scores].
            gold: the labels, with the scale of values.
            inputs: the examples, which are not read.
        """
        return gold.predictions(np.concatenate([np.zeros((0, self.num_scores), np.float32), *scores]))


def make_head(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions) -> TextHead:  # noqa: ARG001 - a head's factory
    """Return the head for texts or pairs of texts, with an output for each class, or a single output for regression.

    Args:
        task_type: the kind of task.
        classes: the names of the classes.
        options: not used.
    """
    return TextHead(1 if task_type.numeric else len(classes))
