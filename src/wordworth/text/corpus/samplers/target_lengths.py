"""Draw the length that each document is cut for; and random numbers in a form that is fast for plain Python loops."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput

_BLOCK = 1 << 16


def document_targets(documents: int, room: int, short_share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the target length of each document, int64 [documents].

    It is `room`, or with probability `short_share` uniform in [2, room]. It is drawn for a document, not for a
    sequence, as in the original.

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


def drawn(rng: np.random.Generator) -> Iterator[float]:
    """Endless uniform numbers in [0, 1), drawn in blocks: one call for each number would be slow."""
    while True:
        yield from rng.random(_BLOCK).tolist()
