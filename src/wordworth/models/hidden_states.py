"""`States`: a model's hidden states, aligned to the words of the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.models.length_batching import LengthReport


@dataclass(frozen=True, slots=True)
class States:
    """Hidden states of w words in some layers of one model.

    Attributes:
        values: float32 [layers, w, d]; a word without pieces (a control character) is all zeros.
        layers: the layers, 0 for the input layer.
        words: the words as written.
        spans: int32 [w, 2], start and end character of each word in its sentence.
        sentences: int64 [w], the sentence each word belongs to.
        pieces: int64 [w], number of pieces each word was pooled from.
        lengths: how texts longer than the model reads at once were handled.
    """

    values: NDArray[np.float32]
    layers: tuple[int, ...]
    words: tuple[str, ...]
    spans: NDArray[np.int32]
    sentences: NDArray[np.int64]
    pieces: NDArray[np.int64]
    lengths: LengthReport

    def __len__(self) -> int:
        return len(self.words)

    def layer(self, number: int) -> NDArray[np.float32]:
        """float32 [w, d]: the states of one layer.

        Raises:
            LookupError: the layer is not among `layers`.
        """
        if number not in self.layers:
            raise LookupError(f"layer {number} is not among {self.layers}")
        values: NDArray[np.float32] = self.values[self.layers.index(number)]
        return values
