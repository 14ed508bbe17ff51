"""`FrozenTeacher`: a finished model that an objective learns from; it is neither trained nor saved with the student."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor

from wordworth.files import sha256
from wordworth.models.batch import Batch
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.encoder_base import Encoder
from wordworth.models.weight_files import weight_files


class FrozenTeacher:
    """A finished model from which an objective learns, with fixed weights and without dropout.

    Copies of an objective share one teacher.

    Args:
        folder: folder of the model, which must have the student's vocabulary; it is loaded when first used.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    @cached_property
    def model(self) -> Encoder:
        """The model, in evaluation mode.

        Raises:
            BadInput: there is no model in the folder, or it is damaged.
        """
        return read_checkpoint(self.folder).model.requires_grad_(requires_grad=False)

    @torch.no_grad()
    def layers(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return the teacher's states in all layers for a batch, the input layer first, [tokens, width] each."""
        return tuple(self.model.to(batch.ids.device).states(batch))

    def identity(self) -> list[str]:
        """Return the SHA-256 of each file of weights, by which a run recognises its teacher when it resumes."""
        return [sha256(path) for path in weight_files(self.folder)]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
