"""`Batch`: sequences concatenated, never padded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from wordworth.text.tokens import Tokens, joined_features


@dataclass(frozen=True, slots=True)
class Batch:
    """Sequences packed end to end: every linear map sees `[tokens, width]` and no padding.

    Attributes:
        ids: int64 [tokens]; int64 [tokens, 50] for a model that reads words by their characters.
        segments: int64 [tokens], all zero if the model has no segments.
        starts: int32 [sequences + 1]; sequence i is `ids[starts[i]:starts[i + 1]]`.
        features: name -> further values of each token, [tokens, ...]. The embedding or body of a model has an attribute
            `features` with the names of the features that it reads.
    """

    ids: Tensor
    segments: Tensor
    starts: Tensor
    features: Mapping[str, Tensor] = field(default_factory=dict, kw_only=True)

    @property
    def positions(self) -> Tensor:
        """Position of each token in its own sequence, from 0: int64 [tokens]."""
        lengths, tokens = (self.starts[1:] - self.starts[:-1]).long(), len(self.ids)
        # `output_size` spares waiting for a GPU
        begins = self.starts[:-1].long().repeat_interleave(lengths, output_size=tokens)
        return torch.arange(tokens, device=self.ids.device) - begins

    def to(self, device: torch.device) -> Batch:
        """Return the same batch on another device."""
        features = {name: values.to(device) for name, values in self.features.items()}
        return Batch(self.ids.to(device), self.segments.to(device), self.starts.to(device), features=features)


def pack(sequences: Sequence[Tokens]) -> Batch:
    """Concatenate sequences of tokens into one batch, in order; all sequences must have the same features."""
    starts = np.cumsum([0, *(len(sequence) for sequence in sequences)], dtype=np.int32)
    empty = np.zeros(0, dtype=np.int64)
    return Batch(
        ids=torch.from_numpy(np.concatenate([sequence.ids for sequence in sequences] or [empty])),
        segments=torch.from_numpy(np.concatenate([empty, *(sequence.segments for sequence in sequences)])),
        starts=torch.from_numpy(starts),
        features={name: torch.from_numpy(values) for name, values in joined_features(sequences).items()},
    )
