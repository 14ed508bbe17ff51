"""The word table in fine-tuning: only the rows that the training texts show are learned, and nothing is lost by it.

A row that no training text shows has no gradient: Adam's moments stay 0 and decoupled decay alone shrinks it, by the
same factor as every other such row. A few thousand rows are learned instead of thirty thousand, which is half of what
the optimiser does in a small encoder; the others are multiplied by that one factor when they are read.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.devices import on_device
from wordworth.training.shared_reference import SharedReference


class TrainableRows(nn.Module):
    """Stands where a word table stood.

    Args:
        table: [vocabulary, width], shared with the encoder and never changed; all of this stands where it does.
        used: int64, the rows that training texts show; ascending.

    Attributes:
        kept: what decay has left of the other rows, 1 before training; whoever decays the learned ones sets it.
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
        """[tokens, width]; while training, every id must be one of those used."""
        places = self.places[ids]
        if self.training:
            return functional.embedding(places, self.rows)
        known = (places >= 0)[:, None]
        others = (self._table.value[ids] * self.kept).to(self.rows.dtype)
        return torch.where(known, self.rows[places.clamp(min=0)], others)

    def whole(self) -> Tensor:
        """The table as a whole, float32 [vocabulary, width]: what plain fine-tuning would have made of it."""
        table = self._table.value * self.kept
        table[self.used] = self.rows.detach().float()
        return table
