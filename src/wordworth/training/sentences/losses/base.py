"""`SentenceLoss`: a loss of vectors of texts that are compared in rows, and `ComparedTexts`, one batch of such rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

Target = Literal["none", "class", "score", "vector"]
"""What a row needs beside its texts."""


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """The rows of a batch, as numbers of its different texts; equal texts have one number.

    Attributes:
        columns: int64 [rows, 3], the first, second and third text of each row; -1 where a row has no such text.
        targets: [rows], int64 classes or float32 scores from -1 to 1, or [rows, width], float32 vectors of a teacher;
            None where the loss needs none of them.
    """

    columns: Tensor
    targets: Tensor | None = None


@dataclass(frozen=True, slots=True)
class LossOptions:
    """What a loss is made of.

    Attributes:
        width: width of a vector.
        classes: number of classes of the rows; 0 without any.
        concatenation: what the softmax loss reads of two vectors.
        generator: draws the first weights of a loss that has some.
    """

    width: int
    classes: int = 0
    concatenation: tuple[str, ...] = ("u", "v", "difference")
    generator: torch.Generator | None = None


class SentenceLoss(nn.Module):
    """A loss of sentence vectors; its own weights, if it has some, are trained with the encoder.

    Args:
        options: what the loss is made of.

    Attributes:
        target: what it needs of a row beside the texts.
        third: whether it needs a third text in every row.
        batch_size: the usual number of rows in a batch.
    """

    target: ClassVar[Target] = "none"
    third: ClassVar[bool] = False
    batch_size: ClassVar[int] = 16

    def __init__(self, options: LossOptions) -> None:  # noqa: ARG002 - most losses need none
        super().__init__()

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean loss of the rows, a scalar.

        Args:
            vectors: float32 [texts, width], the vector of each of the batch's different texts.
            texts: the rows.
        """
        raise NotImplementedError
