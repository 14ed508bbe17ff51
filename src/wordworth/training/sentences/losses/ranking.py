"""The ranking loss with in-batch negatives: trains each row's first text to be nearest to its own second text."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, SentenceLoss

SCALE = 20.0
"""The cosines are multiplied by this: a temperature of 0.05."""


class RankingLoss(SentenceLoss):
    """The cross-entropy of softmax(20 cos(a_i, c_j)) over the batch's candidates c, of which p_i is the right one.

    In-batch negatives: Henderson et al. 2017 (arXiv 1705.00652), equation 4, with scaled cosines (van den Oord et al.
    2018, arXiv 1807.03748, equation 4). Candidates are the second texts of all rows and the third texts of those that
    have one. A candidate is left out of a row's sum if it equals the row's own first or second text, or the second text
    of another row with the same first text.
    """

    batch_size: ClassVar[int] = 64

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean loss of the rows."""
        anchors, positives, negatives = texts.columns.T
        candidates = torch.cat([positives, negatives[negatives >= 0]])
        unit = functional.normalize(vectors, dim=-1)
        logits = SCALE * unit[anchors] @ unit[candidates].T
        masked = logits.masked_fill(excluded_candidates(texts.columns, candidates), -torch.inf)
        loss: Tensor = functional.cross_entropy(masked, torch.arange(len(anchors), device=anchors.device))
        return loss


def excluded_candidates(columns: Tensor, candidates: Tensor) -> Tensor:
    """Return the candidates to leave out of each row's sum, bool [rows, candidates]; its own positive is False.

    Args:
        columns: int64 [rows, 3], as in `ComparedTexts`.
        candidates: int64 [candidates], indices of texts; the first are the rows' second texts in order.
    """
    anchors, positives, _ = columns.T
    pairs = torch.stack([anchors, positives], dim=1)
    size = int(columns.max()) + 1
    is_positive: Tensor = torch.zeros(size, size, dtype=torch.bool, device=columns.device)
    is_positive[pairs[:, 0], pairs[:, 1]] = True
    excluded: Tensor = is_positive[anchors][:, candidates] | (candidates[None] == anchors[:, None])
    own = torch.arange(len(anchors), device=columns.device)
    excluded[own, own] = False
    return excluded
