"""`SentenceLoss`: a loss of the vectors of texts that are compared in rows; and `ComparedTexts`, a batch of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

Target = Literal["none", "class", "score", "vector"]
"""What a row needs besides its texts."""


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """The rows of a batch, each of two or three texts, as indices into the distinct texts of the batch.

    Attributes:
        columns: int64 [rows, 3], the first, second and third text of each row; -1 for a text that the row lacks.
        targets: what the rows are trained towards: int64 [rows] classes, float32 [rows] scores from -1 to 1, or float32
            [rows, width] vectors of a teacher; None if the loss needs no targets.
        text_ids: int64 [texts], a number that identifies each text: entries that are one text with different prompts
            have the same number. None if every entry has a text of its own.
    """

    columns: Tensor
    targets: Tensor | None = None
    text_ids: Tensor | None = None

    @property
    def numbered_columns(self) -> Tensor:
        """The texts of each row, int64 [rows, 3], as `columns` has them, but with one number for all copies of a text.

        Copies are entries of one text with different prompts, which have different indices in `columns`.
        """
        return self.columns if self.text_ids is None else torch.where(self.columns < 0, -1, self.text_ids[self.columns])


@dataclass(frozen=True, slots=True)
class LossOptions:
    """The options by which a loss of sentence vectors is built.

    Attributes:
        width: width of a vector.
        classes: number of classes of the rows; 0 if rows have no classes.
        concatenation: what the softmax loss concatenates of the vectors u and v of two texts: `u`, `v`, `difference`
            and the like.
        generator: source of the initial weights, for a loss with weights of its own.
    """

    width: int
    classes: int = 0
    concatenation: tuple[str, ...] = ("u", "v", "difference")
    generator: torch.Generator | None = None


class SentenceLoss(nn.Module):
    """A loss of sentence vectors; if it has weights of its own, they are trained with the encoder.

    Args:
        options: the options of the loss.

    Attributes:
        target: the kind of target that the loss needs of each row besides the texts.
        third: whether every row must have a third text.
        batch_size: the default number of rows in a batch.
        least_rows: the fewest rows in a batch from which the loss learns.
    """

    target: ClassVar[Target] = "none"
    third: ClassVar[bool] = False
    batch_size: ClassVar[int] = 16
    least_rows: ClassVar[int] = 1

    def __init__(self, options: LossOptions) -> None:  # noqa: ARG002 - most losses need none
        super().__init__()

    def forward(self, vectors: Tensor, texts: ComparedTexts) -> Tensor:
        """Return the mean loss of the rows, a scalar.

        Args:
            vectors: float32 [texts, width], the vector of each distinct text of the batch.
            texts: the rows, as indices into `vectors`.
        """
        raise NotImplementedError
