"""The softmax loss: a classifier over two sentence vectors and their difference."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions, SentenceLoss, Target

PARTS = {
    "u": lambda u, v: u,  # noqa: ARG005 - each part is made of both vectors
    "v": lambda u, v: v,  # noqa: ARG005
    "difference": lambda u, v: (u - v).abs(),
    "product": lambda u, v: u * v,
}
"""What a classifier reads of two vectors u and v: themselves, |u - v|, or u * v."""


class SoftmaxLoss(SentenceLoss):
    """The cross-entropy of a linear classifier over the vectors u and v of a row's two texts and |u - v|.

    The classifier is softmax(W [u; v; |u - v|]) with W of shape [classes, 3 width], without a bias: the classification
    objective of Reimers and Gurevych 2019 (arXiv 1908.10084), section 3. Their table 6 has the other concatenations. W
    is not part of the final encoder.

    Args:
        options: width, classes and concatenation.
    """

    target: ClassVar[Target] = "class"

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        self.parts = options.concatenation
        inputs = options.width * len(self.parts)
        self.classifier = nn.Linear(inputs, options.classes, bias=False, device="meta").to_empty(device="cpu")
        bound = inputs**-0.5
        nn.init.uniform_(self.classifier.weight, -bound, bound, generator=options.generator)

    def logits(self, u: Tensor, v: Tensor) -> Tensor:
        """Return the scores of the classes from the vectors of pairs of texts, [rows, classes].

        Args:
            u: [rows, width], the vectors of the first texts.
            v: [rows, width], the vectors of the second texts.
        """
        scores: Tensor = self.classifier(torch.cat([PARTS[part](u, v) for part in self.parts], dim=-1))
        return scores

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean cross-entropy of the rows' classes.

        Args:
            vectors: float32 [texts, width], the vectors of all texts of the batch.
            texts: the rows, as indices of texts, with their classes.

        Returns:
            float32 [], a single number.
        """
        assert texts.targets is not None  # noqa: S101 - rows have been read for this loss
        logits = self.logits(vectors[texts.columns[:, 0]], vectors[texts.columns[:, 1]])
        return functional.cross_entropy(logits, texts.targets)
