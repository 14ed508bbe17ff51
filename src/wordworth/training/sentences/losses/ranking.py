"""The ranking loss with in-batch negatives: trains each row's first text to be nearest to its own second text."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, SentenceLoss

SCALE = 20.0
"""The cosines are multiplied by this: a temperature of 0.05."""
BLOCK = 1 << 20
"""Most cosines in memory at a time: 4 MB in float32, several of which a gradient takes."""


class RankingLoss(SentenceLoss):
    """The ranking loss: a row's own second text should be nearest to its first among all texts of the batch.

    The loss is the cross-entropy of softmax(20 cos(a_i, c_j)) over the candidates c_j, of which p_i is the right one
    for a_i, in rows (a_i, p_i) or (a_i, p_i, hard negative). In-batch negatives come from Henderson et al. 2017 (arXiv
    1705.00652, equation 4), scaled cosines from van den Oord et al. 2018 (arXiv 1807.03748, equation 4). The candidates
    are the second texts of all rows and all third texts. A candidate other than p_i is left out of a row's sum if it
    equals the row's first or second text, or the second text of another row with the same first text.
    """

    batch_size: ClassVar[int] = 64
    least_rows: ClassVar[int] = 2

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean loss of the rows, computed in blocks of rows with at most `BLOCK` cosines each.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts.

        Returns:
            float32 [], a single number.
        """
        anchors, positives, negatives = texts.columns.T
        candidates = torch.cat([positives, negatives[negatives >= 0]])
        unit = functional.normalize(vectors, dim=-1)
        sides = unit[anchors], unit[candidates]
        numbered = candidates if texts.text_ids is None else texts.text_ids[candidates]
        size = max(1, BLOCK // len(candidates))
        if size >= len(anchors):
            return _block(*sides, texts.numbered_columns, numbered, 0) / len(anchors)
        total: Tensor = _InBlocks.apply(*sides, texts.numbered_columns, numbered, size)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        return total / len(anchors)


class _InBlocks(torch.autograd.Function):
    """The sum of `_block` over blocks of rows; the forward pass computes the gradients too, so no block is kept."""

    @staticmethod
    def forward(
        ctx: Any,  # noqa: ANN401 - torch's context
        first: Tensor,
        others: Tensor,
        columns: Tensor,
        candidates: Tensor,
        size: int,
    ) -> Tensor:
        """Return the sum of the losses of all rows.

        Args:
            ctx: keeps the gradients for `backward`.
            first: [rows, width], the vectors of the rows' first texts, of length 1.
            others: [candidates, width], the vectors of the candidates, of length 1.
            columns: int64 [rows, 3], as `ComparedTexts.numbered_columns`.
            candidates: int64 [candidates], the number of each candidate's text, as in `columns`.
            size: number of rows of a block.
        """
        whole = others.detach().requires_grad_()
        gradients, total = (torch.empty_like(first), torch.zeros_like(others)), first.new_zeros(())
        for start in range(0, len(first), size):
            with torch.enable_grad():
                rows = first[start : start + size].detach().requires_grad_()
                value = _block(rows, whole, columns, candidates, start)
            own, shared = torch.autograd.grad(value, (rows, whole))
            gradients[0][start : start + size] = own
            gradients[1].add_(shared)
            total += value.detach()
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401 - torch's context
        """Return the gradients of `first` and `others`; None for the other arguments of `forward`."""
        first, others = ctx.saved_tensors
        return gradient * first, gradient * others, None, None, None


def _block(first: Tensor, others: Tensor, columns: Tensor, candidates: Tensor, start: int) -> Tensor:
    """Return the sum of the losses of the rows of one block.

    Args:
        first: [rows, width], the vectors of these rows' first texts, of length 1.
        others: [candidates, width], the vectors of the candidates, of length 1.
        columns: int64 [all rows, 3], as `ComparedTexts.numbered_columns`.
        candidates: int64 [candidates], the number of each candidate's text, as in `columns`.
        start: index of the block's first row among all rows.
    """
    logits = SCALE * first @ others.T
    excluded = excluded_candidates(columns, candidates, slice(start, start + len(first)))
    masked = logits.masked_fill(excluded, -torch.inf)
    own = torch.arange(start, start + len(first), device=columns.device)
    loss: Tensor = functional.cross_entropy(masked, own, reduction="sum")
    return loss


def excluded_candidates(columns: Tensor, candidates: Tensor, rows: slice = slice(None)) -> Tensor:
    """Return for each row which candidates are left out of its softmax, bool [rows, candidates].

    The softmax of a row is over all candidates. The row's own second text is the right candidate; it is never left out.

    Args:
        columns: int64 [all rows, 3], as `ComparedTexts.numbered_columns`.
        candidates: int64 [candidates], the number of each candidate's text, as in `columns`. The second texts of all
            rows come first, in the order of the rows.
        rows: slice of the rows for which the result is computed; by default all rows.
    """
    anchors, positives, _ = columns.T
    distinct, group = torch.unique(anchors[rows], return_inverse=True)
    group_of_all = torch.searchsorted(distinct, anchors.contiguous()).clamp(max=len(distinct) - 1)
    shared = distinct[group_of_all] == anchors
    is_positive = torch.zeros(len(distinct), int(columns.max()) + 1, dtype=torch.bool, device=columns.device)
    is_positive[group_of_all[shared], positives[shared]] = True
    excluded: Tensor = is_positive[group][:, candidates] | (candidates[None] == anchors[rows, None])
    own = torch.arange(len(columns), device=columns.device)[rows]
    excluded[torch.arange(len(own), device=columns.device), own] = False
    return excluded
