"""`EncoderModule`: what every encoder is to those who train it or put heads on it, whatever its body is made of."""

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
    """The numbers that every encoder has."""

    @property
    def vocab_size(self) -> int:
        """Rows of the embedding's table."""

    @property
    def hidden_size(self) -> int:
        """Numbers in a hidden state."""

    @property
    def num_layers(self) -> int:
        """Layers above the input layer."""

    @property
    def max_length(self) -> int:
        """The longest sequence, special tokens included."""

    @property
    def initializer_range(self) -> float:
        """Standard deviation of fresh matrices."""


class EncoderBody(nn.Module, ABC):
    """Layers over packed vectors of any origin."""

    @abstractmethod
    def states(self, x: Tensor, starts: Tensor, taps: Taps | None = None) -> Iterator[Tensor]:
        """Every hidden state in turn, [tokens, hidden_size] each: the input layer, then each layer's.

        Lazily, so that whoever wants one layer holds one.
        """

    @abstractmethod
    def tap_names(self) -> list[str]:
        """The names of all values inside."""

    def forward(self, x: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """The last hidden state, [tokens, hidden_size]."""
        return deque(self.states(x, starts, taps), maxlen=1)[0]


class EncoderModule(Protocol):
    """A torch module from a packed batch to states: an embedding and a body."""

    embedding: nn.Module

    @property
    def config(self) -> EncoderConfig:
        """What it looks like."""

    @property
    def depth(self) -> int:
        """Layers above the input layer."""

    @property
    def width(self) -> int:
        """Numbers in a hidden state."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""

    def states(self, batch: Batch, taps: Taps | None = None) -> Iterator[Tensor]:
        """Every hidden state in turn, [tokens, width] each: the input layer, then layers 1 to depth."""

    def __call__(self, batch: Batch, taps: Taps | None = None) -> Tensor:
        """The last hidden state, [tokens, width]."""

    def pool(self, hidden: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """One vector a sequence, [sequences, width]."""
