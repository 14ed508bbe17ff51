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
        first: int64 [n, 2], the bounds of the first text in the store's ids.
        second: int64 [n, 2], the bounds of the second text; an empty slice where there is none.
        labels: int64 [n], the labels of `Instances`.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def texts(self) -> NDArray[np.int64]:
        """The bounds of both texts of each sequence in the store's ids, int64 [n, 2, 2]."""
        return np.stack([self.first, self.second], axis=1)

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segment of each text, int64 [n, 2]: 0 for first texts, 1 for second texts."""
        return np.tile(np.arange(2), (len(self), 1))

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[np.integer] | slice) -> Pass:
        """Return the sequences with these indices, in this order."""
        return Pass(self.first[rows], self.second[rows], self.labels[rows])


class PlannedSequences(Protocol):
    """The sequences of one pass over a store; each has one or more texts."""

    @property
    def texts(self) -> NDArray[np.int64]:
        """The bounds of each sequence's texts in the store's ids, int64 [n, texts, 2]; empty for missing texts."""
        ...

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segment (row of the segment table) of each text, int64 [n, texts]."""
        ...

    @property
    def labels(self) -> NDArray[np.int64]:
        """The labels of `Instances`, int64 [n]."""
        ...

    def __len__(self) -> int:
        """Return the number of sequences."""
        ...

    def take(self, rows: NDArray[np.integer] | slice) -> PlannedSequences:
        """Return the sequences with these indices, in this order."""
        ...


class Sampler(Protocol):
    """A sampler cuts a token store into pretraining sequences, one pass at a time."""

    @property
    def store(self) -> TokenStore:
        """The store that is cut into sequences."""
        ...

    def plan(self, number: int) -> PlannedSequences:
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
