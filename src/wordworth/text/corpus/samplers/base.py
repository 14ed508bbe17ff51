"""`Sampler`: the interface of samplers, which plan passes over a token store as slices of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.corpus.store import TokenStore


@dataclass(frozen=True, slots=True)
class Pass:
    """The sequences of one pass over a store, in the order of training.

    Attributes:
        first: int64 [n, 2], the slice of the store's ids that is the first text.
        second: int64 [n, 2], the second text; an empty slice where there is none.
        labels: int64 [n], the labels of `Instances`.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[np.integer] | slice) -> Pass:
        """Return the sequences with these indices, in this order."""
        return Pass(self.first[rows], self.second[rows], self.labels[rows])


class Sampler(Protocol):
    """A plan of how to cut a token store into pretraining sequences, one pass at a time."""

    @property
    def store(self) -> TokenStore:
        """The store that is cut into sequences."""
        ...

    def plan(self, number: int) -> Pass:
        """Plan pass `number`, from 0, as a function of the sampler's seed and this number only."""
        ...


def check_room(room: int, least: int) -> None:
    """Refuse sequences that are too short.

    Raises:
        BadInput: fewer than `least` tokens fit beside the special tokens.
    """
    if room < least:
        what = f"sequences have room for {max(room, 0)} tokens beside their special tokens, {least} are needed"
        raise BadInput(what, mend="give a greater length")
