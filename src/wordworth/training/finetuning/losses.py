"""The training loss of a task's scores, by its kind."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from wordworth.tasks.task import Kind


def loss(kind: Kind, scores: Tensor, gold: Tensor) -> Tensor:
    """Return the summed loss of scores [n, outputs], in float32.

    Squared error for `regression`, a logistic loss for each label of `multilabel`, else softmax cross-entropy.

    Args:
        kind: of the task.
        scores: one row per example, or per word for tags.
        gold: int64 [n]; float32 [n] for regression; bool [n, outputs] for multilabel.
    """
    scores = scores.float()
    if kind == "regression":
        return functional.mse_loss(scores[:, 0], gold.float(), reduction="sum")
    if kind == "multilabel":
        return functional.binary_cross_entropy_with_logits(scores, gold.float(), reduction="sum")
    return functional.cross_entropy(scores, gold, reduction="sum")
