"""Fine-tuning only those rows of the word table that occur in the training texts, without losing anything.

A row that no training text uses has no gradient: Adam's moments stay 0 and decoupled decay alone shrinks it, by the
same factor as every other such row. A few thousand rows are trained instead of thirty thousand, which saves half of the
optimiser's work in a small encoder; the others are multiplied by that one factor when they are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.devices import on_device


class TrainableRows(nn.Module):
    """Replaces a word table; only the used rows are trained.

    Args:
        table: [vocabulary, width], shared with the encoder and never changed; everything here is on its device.
        used: int64, the rows that occur in the training texts, ascending.

    Attributes:
        kept: factor that decay has left of the other rows, 1 before training; set by the code that decays the trained
            ones.
    """

    def __init__(self, table: Tensor, used: NDArray[np.int64]) -> None:
        super().__init__()
        self._table = SharedReference(table.detach().float())
        self.used = on_device(used, table)
        self.rows = nn.Parameter(self._table.value[self.used])
        self.places = torch.full((len(table),), -1, device=table.device)
        self.places[self.used] = torch.arange(len(used), device=table.device)
        self.kept = 1.0

    def forward(self, ids: Tensor) -> Tensor:
        """Return the rows of `ids`, [tokens, width]; while training every id must be a used one."""
        positions = self.places[ids]
        if self.training:
            return functional.embedding(positions, self.rows)
        known = (positions >= 0)[:, None]
        others = (self._table.value[ids] * self.kept).to(self.rows.dtype)
        return torch.where(known, self.rows[positions.clamp(min=0)], others)

    def whole(self) -> Tensor:
        """Return the whole table, float32 [vocabulary, width], as plain fine-tuning would have made it."""
        table = self._table.value * self.kept
        table[self.used] = self.rows.detach().float()
        return table


_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SharedReference(Generic[_Value]):
    """A tensor or module that nobody changes; torch does not look inside for weights."""

    value: _Value

    def __deepcopy__(self, memo: dict[int, Any]) -> SharedReference[_Value]:
        """Return itself: a second float32 word table for the bfloat16 copy would cost more than the encoder."""
        return self
