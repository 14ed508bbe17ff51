"""The Matryoshka loss: applies a loss to prefixes of the vectors too, so that vectors can be cut to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from wordworth.training.sentences.losses.base import ComparedTexts, SentenceLoss


class MatryoshkaLoss(nn.Module):
    """The sum of a loss over prefixes of the vectors, with equal weights; each prefix has a loss module of its own.

    Kusupati et al. 2022 (arXiv 2205.13147), equation 1.

    Args:
        make: function width -> loss for vectors of that width.
        widths: widths of the prefixes, the whole vector among them.
    """

    def __init__(self, make: Callable[[int], SentenceLoss], widths: Sequence[int]) -> None:
        super().__init__()
        self.widths = tuple(widths)
        self.losses = nn.ModuleList(make(width) for width in widths)

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the sum over the prefixes of the mean loss of the rows.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts, with their targets.

        Returns:
            float32 [], a single number.
        """
        losses = zip(self.losses, self.widths, strict=True)
        return torch.stack([loss(vectors[:, :width], texts) for loss, width in losses]).sum()
