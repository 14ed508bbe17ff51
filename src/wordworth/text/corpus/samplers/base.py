"""`Sampler`: the interface of samplers, which plan passes over a token store as slices of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.corpus.token_store import TokenStore


@dataclass(frozen=True, slots=True)
class Pass:
    """The sequences of one pass over a token store, in the order of training, as slices of the store's ids.

    Attributes:
        first: int64 [n, 2], the bounds of each sequence's first text in the store's ids: first token, token after the
            last.
        second: int64 [n, 2], likewise for the second text; an empty slice for a sequence without one.
        labels: int64 [n], the label of each sequence, as in `Instances.labels`.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def texts(self) -> NDArray[np.int64]:
        """The bounds of both texts of each sequence in the store's ids, int64 [n, 2 texts, 2 bounds]."""
        return np.stack([self.first, self.second], axis=1)

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segment of each text, int64 [n, 2]: 0 for first texts, 1 for second texts."""
        return np.tile(np.arange(2), (len(self), 1))

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[np.integer] | slice) -> Pass:
        """Return the sequences with these indices, in this order.

        Args:
            rows: int64 [k], the indices, or a slice.
        """
        return Pass(self.first[rows], self.second[rows], self.labels[rows])


class PlannedSequences(Protocol):
    """An interface: the sequences of one pass over a token store, each with one or more texts."""

    @property
    def texts(self) -> NDArray[np.int64]:
        """The bounds of each sequence's texts in the store's ids, int64 [n, texts, 2].

        The bounds are the index of a text's first token and the index after its last token; a text that a sequence
        lacks has an empty slice.
        """
        ...

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segment of each text of each sequence, int64 [n, texts], as an index into the segment embedding."""
        ...

    @property
    def labels(self) -> NDArray[np.int64]:
        """The label of each sequence, as in `Instances.labels`, int64 [n]."""
        ...

    def __len__(self) -> int:
        """Return the number of sequences."""
        ...

    def take(self, rows: NDArray[np.integer] | slice) -> PlannedSequences:
        """Return the sequences with these indices, in this order.

        Args:
            rows: int64 [k], the indices, or a slice.
        """
        ...


class Sampler(Protocol):
    """An interface: a sampler cuts a token store into pretraining sequences, anew in each pass over the store."""

    @property
    def store(self) -> TokenStore:
        """The token store that the sampler cuts into sequences."""
        ...

    def plan(self, number: int) -> PlannedSequences:
        """Return the sequences of one pass over the store, which depend only on the sampler's seed and on `number`.

        Args:
            number: the number of the pass, from 0.
        """
        ...


def check_room(room: int, least: int) -> None:
    """Check that sequences are long enough for a sampler.

    Args:
        room: number of tokens that fit into a sequence besides its special tokens.
        least: the smallest room that the sampler can use.

    Raises:
        BadInput: `room` is less than `least`.
    """
    if room < least:
        what = f"sequences have room for {max(room, 0)} tokens beside their special tokens, {least} are needed"
        raise BadInput(what, mend="give a greater length")
