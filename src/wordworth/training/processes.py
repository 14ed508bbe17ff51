"""The processes that share one run: which one this is, and how their sums are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


class Processes(Protocol):
    """What a training loop needs to know of those that work beside it."""

    @property
    def number(self) -> int:
        """This process, from 0."""

    @property
    def count(self) -> int:
        """How many there are."""

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes, in place."""


class Alone:
    """One process."""

    number = 0
    count = 1

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Nothing: the sum over one process is its own."""


ALONE: Processes = Alone()
