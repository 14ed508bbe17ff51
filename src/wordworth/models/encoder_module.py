"""`EncoderModule`: the interface of every encoder for trainers and heads, whatever its body."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.taps import Taps


class EncoderConfig(Protocol):
    """The sizes that every encoder's config has."""

    @property
    def vocab_size(self) -> int:
        """Rows of the embedding's table."""

    @property
    def hidden_size(self) -> int:
        """Width of a hidden state."""

    @property
    def num_layers(self) -> int:
        """Number of layers above the input layer."""

    @property
    def max_length(self) -> int:
        """The longest sequence, special tokens included."""

    @property
    def initializer_range(self) -> float:
        """Standard deviation of newly initialised matrices."""


class EncoderBody(nn.Module, ABC):
    """Layers over packed vectors."""

    @abstractmethod
    def states(self, x: Tensor, starts: Tensor, taps: Taps | None = None) -> Iterator[Tensor]:
        """Yield every hidden state, [tokens, hidden_size] each: the input layer, then each layer's.

        States are computed lazily, so that a caller who wants one layer holds only one.
        """

    @abstractmethod
    def tap_names(self) -> list[str]:
        """Names of all inner values, for `Taps`."""

    def forward(self, x: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """The last hidden state, [tokens, hidden_size]."""
        return deque(self.states(x, starts, taps), maxlen=1)[0]


class EncoderModule(Protocol):
    """A torch module that maps a packed batch to states: an embedding and a body."""

    embedding: nn.Module

    @property
    def config(self) -> EncoderConfig:
        """Sizes of the model."""

    @property
    def depth(self) -> int:
        """Number of layers above the input layer."""

    @property
    def width(self) -> int:
        """Width of a hidden state."""

    @property
    def device(self) -> torch.device:
        """Device of the weights."""

    def states(self, batch: Batch, taps: Taps | None = None) -> Iterator[Tensor]:
        """Yield every hidden state, [tokens, width] each: the input layer, then layers 1 to depth."""

    def __call__(self, batch: Batch, taps: Taps | None = None) -> Tensor:
        """The last hidden state, [tokens, width]."""

    def pool(self, hidden: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """Pool to one vector per sequence, [sequences, width]."""
