"""The regression loss: trains the cosine of two sentence vectors to be their gold score."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, SentenceLoss, Target


class CosineLoss(SentenceLoss):
    """The mean squared error between the cosine of a row's two texts and the row's gold score from -1 to 1.

    Reimers and Gurevych 2019 (arXiv 1908.10084), section 3, regression objective; scores from 0 to 5 are divided by 5.
    """

    target: ClassVar[Target] = "score"

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean over rows of the squared difference between cosine and gold score.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts, with their gold scores.

        Returns:
            float32 [], a single number.
        """
        assert texts.targets is not None  # noqa: S101 - rows have been read for this loss
        cosine = functional.cosine_similarity(vectors[texts.columns[:, 0]], vectors[texts.columns[:, 1]])
        return functional.mse_loss(cosine, texts.targets)
