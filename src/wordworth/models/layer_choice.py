"""Which layers of a model are read: all of them, one or several, by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wordworth.errors import NotFound

Layers = Literal["all"] | int | Sequence[int]


def layer_numbers(layers: Layers, depth: int) -> tuple[int, ...]:
    """Return the numbers of the chosen layers, from 0 (the input layer) to `depth`; negative ones count from the last.

    >>> layer_numbers([0, -1], 4)
    (0, 4)

    Raises:
        NotFound: there is no such layer.
    """
    if isinstance(layers, str):
        if str(layers) != "all":
            raise NotFound(f"there are no layers {layers!r}", mend=f'give "all", or numbers of 0 to {depth}')
        return tuple(range(depth + 1))
    requested = (layers,) if isinstance(layers, int) else tuple(layers)
    for layer in requested:
        if not -depth - 1 <= layer <= depth:
            raise NotFound(f"there is no layer {layer}", mend=f"this model has layers 0 to {depth}")
    return tuple(layer % (depth + 1) for layer in requested)
