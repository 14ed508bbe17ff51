"""The loss of distillation: trains a text's vector to equal a teacher's vector of the text."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions, SentenceLoss, Target


class VectorLoss(SentenceLoss):
    """The mean squared error between the vector of a row's text and the teacher's vector of it.

    The loss is the first of the two terms of Reimers and Gurevych 2020 (arXiv 2004.09813), section 2, with one
    language.

    Args:
        options: the options; if `width` is smaller than the teacher's, only the first numbers of the teacher's vectors
            are compared.
    """

    target: ClassVar[Target] = "vector"
    batch_size: ClassVar[int] = 64

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        self.width = options.width

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the squared difference from the teacher's vectors, averaged over rows and dimensions.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts, with the teacher's vectors.

        Returns:
            float32 [], a single number.
        """
        assert texts.targets is not None  # noqa: S101 - the teacher has answered for this loss
        return functional.mse_loss(vectors[texts.columns[:, 0]], texts.targets[:, : self.width])
