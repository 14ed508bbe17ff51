"""Cross-entropy over a large vocabulary, computed in the memory of the logits alone.

The usual implementation allocates a float32 copy of all logits, their log-softmax, and in the backward pass a gradient
of the same size. With a vocabulary of 16,000 subwords this moves more memory than all layers of a small model. Here
only as many rows of logits as fit the processor's cache are converted to float32 at a time, and their gradient
overwrites them at once (as in Hsu et al. 2024, arXiv 2410.10989, section 3.2).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.training.loop import Loss

_BLOCK = 1 << 18
"""Logits in one block: a megabyte in float32."""


def cross_entropy(logits: Tensor, labels: Tensor) -> Loss:
    """Return the cross-entropy of logits, summed over rows, and the number of rows whose label has the highest logit.

    The sum is in float32. On a CPU with gradients enabled, the logits are overwritten, so no other code may need them.
    A label then counts as predicted even if other classes have the same highest logit (one row in fifty in bfloat16);
    this saves a pass over the logits. Otherwise only the first class with the highest logit counts as predicted.

    Args:
        logits: [m or more, classes]; rows beyond the number of labels are padding, with loss 0 and gradient 0.
        labels: int64 [m], the right class of each row.
    """
    if not (torch.is_grad_enabled() and logits.requires_grad) or logits.is_cuda:
        return cross_entropy_reference(logits, labels)
    total, correct = _Fused.apply(logits, labels)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
    return Loss(total, len(labels), correct)


def cross_entropy_reference(logits: Tensor, labels: Tensor) -> Loss:
    """Return what `cross_entropy` returns, computed in plain steps as its specification.

    Args:
        logits: [m or more, classes]; rows beyond the number of labels are padding.
        labels: int64 [m], the right class of each row.
    """
    logits = logits[: len(labels)].float()
    total = functional.cross_entropy(logits, labels, reduction="sum")
    with torch.no_grad():
        correct = (logits.argmax(1) == labels).sum()
    return Loss(total, len(labels), correct)


class _Fused(torch.autograd.Function):
    """Loss and gradient in one pass over the logits."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ANN401 - torch's context
        rows = max(1, _BLOCK // max(logits.shape[1], 1))
        total = logits.new_zeros((), dtype=torch.float32)
        correct = labels.new_zeros(())
        block = logits.new_empty(rows, logits.shape[1], dtype=torch.float32)
        logits[len(labels) :].zero_()
        for part, targets in zip(torch.split(logits[: len(labels)], rows), torch.split(labels, rows), strict=True):
            values = block[: len(part)].copy_(part)
            highest = values.amax(1, keepdim=True)
            chosen = values.gather(1, targets[:, None])
            correct += (chosen >= highest).sum()
            values.sub_(highest).exp_()
            sums = values.sum(1, keepdim=True)
            total += (highest + sums.log() - chosen).sum()
            values.div_(sums).scatter_add_(1, targets[:, None], torch.full_like(chosen, -1.0))
            part.copy_(values)
        ctx.save_for_backward(logits)
        ctx.mark_non_differentiable(correct)
        return total, correct

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor, None]:  # noqa: ANN401 - torch's context
        (logits,) = ctx.saved_tensors
        return logits.mul_(grad), None
