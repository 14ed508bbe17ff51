"""Fine-tune only the rows of the word table that occur in the training texts; the result equals training all rows.

A row that no training text uses has no gradient. Its Adam moments stay 0, and only decoupled weight decay shrinks it,
by one factor for all unused rows. A few thousand rows are trained instead of thirty thousand, which saves half of the
optimiser's work in a small encoder; unused rows are multiplied by that factor when they are read.
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
    """A token embedding matrix of which only the rows that occur in the training texts are trained.

    Args:
        table: [vocabulary, width], the matrix, which is shared with the encoder and not changed.
        used: int64 [rows], the indices of the rows that occur in the training texts, ascending.

    Attributes:
        decay: the factor by which weight decay would have shrunk the untrained rows so far; the training code updates
            it.
    """

    def __init__(self, table: Tensor, used: NDArray[np.int64]) -> None:
        super().__init__()
        self._table = SharedReference(table.detach().float())
        self.used = on_device(used, table.device)
        self.rows = nn.Parameter(self._table.value[self.used])
        self.row_of_id = torch.full((len(table),), -1, device=table.device)
        self.row_of_id[self.used] = torch.arange(len(used), device=table.device)
        self.decay = 1.0

    def forward(self, ids: Tensor) -> Tensor:
        """Return the embedding of each token, [tokens, width].

        Args:
            ids: int64 [tokens], the token ids; in training mode each must be the index of a trained row.
        """
        positions = self.row_of_id[ids]
        if self.training:
            return functional.embedding(positions, self.rows)
        known = (positions >= 0)[:, None]
        others = (self._table.value[ids] * self.decay).to(self.rows.dtype)
        return torch.where(known, self.rows[positions.clamp(min=0)], others)

    def full_table(self) -> Tensor:
        """Return the whole matrix, float32 [vocabulary, width], with its untrained rows multiplied by `decay`."""
        table = self._table.value * self.decay
        table[self.used] = self.rows.detach().float()
        return table


_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SharedReference(Generic[_Value]):
    """A reference to a tensor or module, which a deep copy of the object that holds the reference does not copy.

    Torch does not count the tensor or module among the weights of the object that holds the reference.
    """

    value: _Value

    def __deepcopy__(self, memo: dict[int, Any]) -> SharedReference[_Value]:
        """Return itself: a second float32 word table for the bfloat16 copy would cost more than the encoder."""
        return self
