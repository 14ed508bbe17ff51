"""The length each document is cut for, and chance in a form that plain Python loops take quickly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput

_BLOCK = 1 << 16


def document_targets(documents: int, room: int, short_share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """int64 [documents]: `room`, or with probability `short_share` uniform from 2 to `room`.

    Drawn for a document, not for a sequence, as the original does.

    Raises:
        BadInput: there is no room for a pair.
    """
    check_room(room, least=2)
    short = rng.random(documents) < short_share
    return np.where(short, rng.integers(2, room + 1, size=documents), room)


def check_room(room: int, least: int) -> None:
    """Refuse sequences that are too short.

    Raises:
        BadInput: less than `least` tokens fit beside the special tokens.
    """
    if room < least:
        what = f"sequences have room for {max(room, 0)} tokens beside their special tokens, {least} are needed"
        raise BadInput(what, mend="give a greater length")


def drawn(rng: np.random.Generator) -> Iterator[float]:
    """Uniform numbers from [0, 1) without end, drawn many at a time: one at a time a call costs most."""
    while True:
        yield from rng.random(_BLOCK).tolist()
