"""The triplet loss: trains a text to be nearer to its positive than to its negative, by a margin."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, SentenceLoss

MARGIN = 1.0


class TripletLoss(SentenceLoss):
    """The triplet loss: a text should be nearer to its positive than to its negative, by a margin of 1.

    The loss is the mean of max(||a - p|| - ||a - n|| + 1, 0) with Euclidean norms, for an anchor a, a positive p and a
    negative n. This is the triplet objective of Reimers and Gurevych 2019 (arXiv 1908.10084), section 3.
    """

    third: ClassVar[bool] = True

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean triplet loss of the rows.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts: anchor, positive and negative.

        Returns:
            float32 [], a single number.
        """
        anchor, positive, negative = (vectors[column] for column in texts.columns.T)
        # not `norm`, whose gradient is not a number where two texts are equal
        near = functional.pairwise_distance(anchor, positive)
        far = functional.pairwise_distance(anchor, negative)
        return functional.relu(near - far + MARGIN).mean()
