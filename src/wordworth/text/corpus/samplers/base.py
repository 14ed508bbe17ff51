"""`Sampler`: the interface of samplers, which plan passes over a store as slices of it; and draws that they share."""

from __future__ import annotations

from collections.abc import Iterator
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
        labels: int64 [n], as in `Instances`.
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
    """Cuts a store into sequences, one pass at a time."""

    @property
    def store(self) -> TokenStore:
        """The store that is cut."""
        ...

    def plan(self, number: int) -> Pass:
        """Plan pass `number`, from 0, as a function of the sampler's seed and this number only."""
        ...


_BLOCK = 1 << 16


def document_targets(documents: int, room: int, short_share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the target length of each document's sequences, int64 [documents], as the original does.

    It is `room`, or with probability `short_share` uniform in [2, room].

    Args:
        documents: number of documents.
        room: tokens that fit into a sequence beside its special tokens.
        short_share: probability of a shorter target.
        rng: source of randomness.

    Raises:
        BadInput: `room` is too small for a pair.
    """
    check_room(room, least=2)
    short = rng.random(documents) < short_share
    return np.where(short, rng.integers(2, room + 1, size=documents), room)


def check_room(room: int, least: int) -> None:
    """Refuse sequences that are too short.

    Raises:
        BadInput: fewer than `least` tokens fit beside the special tokens.
    """
    if room < least:
        what = f"sequences have room for {max(room, 0)} tokens beside their special tokens, {least} are needed"
        raise BadInput(what, mend="give a greater length")


def uniform_numbers(rng: np.random.Generator) -> Iterator[float]:
    """Yield uniform random numbers in [0, 1) without end, drawn in blocks, which is faster."""
    while True:
        yield from rng.random(_BLOCK).tolist()
