"""Labels as tensors for training, and scores as the predictions that metrics expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wordworth.tasks.task import Labels, Rows

_SMOOTHING = 0.5


@dataclass(frozen=True, slots=True)
class LabelTensors:
    """The labels of n examples, or of all words of tagged sentences, as tensors for training.

    Attributes:
        values: int64 [n] classes or tags; float32 [n] for regression, standardised to mean 0 and deviation 1; bool [n,
            classes] for multilabel.
        bias: float32 [outputs], an initial bias that expresses the labels' base rates: log frequency of each class,
            log-odds of each label, 0 for regression. One half is added to every count.
        mean: mean of regression values before they are standardised.
        std: standard deviation of regression values before they are standardised.
    """

    values: Tensor
    bias: Tensor
    mean: float = 0.0
    std: float = 1.0

    @classmethod
    def of(cls, task_labels: Labels, classes: int) -> Self:
        """Make tensors of the labels of training rows.

        Args:
            task_labels: the labels, as in `Task.labels`.
            classes: number of classes or tags.
        """
        flat = np.concatenate([np.zeros(0, np.int64), *task_labels]) if isinstance(task_labels, tuple) else task_labels
        labels = np.array(flat)  # a copy: torch wants to be able to write
        if np.issubdtype(labels.dtype, np.floating):
            mean, std = (float(labels.mean()), float(labels.std()) or 1.0) if len(labels) else (0.0, 1.0)
            return cls(torch.from_numpy((labels - mean) / std).float(), torch.zeros(1), mean, std)
        if labels.dtype == np.bool_:
            seen = labels.sum(0) + _SMOOTHING
            odds = seen / (len(labels) + 2 * _SMOOTHING - seen)
            return cls(torch.from_numpy(labels), torch.from_numpy(np.log(odds)).float())
        counts = np.bincount(labels, minlength=classes) + _SMOOTHING
        return cls(torch.from_numpy(labels), torch.from_numpy(np.log(counts / counts.sum())).float())

    def of_examples(self, example_indices: Rows, device: torch.device) -> Tensor:
        """Return the labels of some examples (or, in tagging, of some words).

        Args:
            example_indices: int64 [k], the indices.
            device: the device of the result.

        Returns:
            The labels, of the dtype of `values`: [k, classes] for multilabel, else [k].
        """
        return self.values[torch.from_numpy(example_indices)].to(device, non_blocking=True)

    def predictions(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return a network's scores, [n, num_scores], as predictions in the form that metrics take, float64.

        For regression the result is the values on their original scale, [n]; otherwise it is the scores themselves.
        """
        wide = scores.astype(np.float64)
        return wide[:, 0] * self.std + self.mean if self.values.is_floating_point() else wide


def label_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """Return the loss of a network's scores against the labels, summed over examples in float32.

    The loss is squared error for regression, logistic loss for multilabel, and softmax cross-entropy for classes.

    Args:
        scores: [n, num_scores], the scores of each example or, in tagging, of each word.
        gold: int64 [n] classes; float32 [n] regression values; bool [n, num_scores], True for each label that applies.
    """
    scores = scores.float()
    if gold.is_floating_point():
        return functional.mse_loss(scores[:, 0], gold.float(), reduction="sum")
    if gold.dtype == torch.bool:
        return functional.binary_cross_entropy_with_logits(scores, gold.float(), reduction="sum")
    return functional.cross_entropy(scores, gold, reduction="sum")
