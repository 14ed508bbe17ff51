"""Attention maps in few bytes: a byte a weight, deflated, in base64; what does not fit is left out and counted.

A weight is stored as the whole number nearest to 255 times its root r, so that it is off by at most (2r + 1/510) / 510:
0.004 for weights near 1, less for small ones.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.attention_maps import Weights

Codes: TypeAlias = NDArray[np.uint8]
STEPS = 255
FLOORS = (0, 8, 12, 16, 20, 24)
"""Codes below which weights are left out: each is tried until the maps fit."""
_MOST_BYTES = 48_000_000
"""Most bytes of all unpacked maps of a page, so that a phone holds them."""


@dataclass(frozen=True, slots=True)
class PackedMaps:
    """The maps as a page holds them.

    Attributes:
        data: deflated uint8 [heads, tokens, tokens] in base64, for each layer that is kept.
        layers: the layers that are kept, from 0.
        floor: the code below which weights are left out.
        lost: share of the attention of the kept layers that is left out with them.
    """

    data: tuple[str, ...]
    layers: tuple[int, ...]
    floor: int
    lost: float

    @property
    def least(self) -> float:
        """The smallest weight that is kept; 0 where all are."""
        return (self.floor / STEPS) ** 2

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(map(len, self.data))


def pack_maps(weights: Weights, room: int, models: int = 1) -> PackedMaps:
    """Pack maps into at most so many characters.

    Small weights are left out first, up to 0.009; then layers, evenly, so that the last stays.

    Args:
        weights: float32 [layers, heads, tokens, tokens].
        room: most characters of the result.
        models: number of models that share the page's memory.
    """
    most = min(len(weights), _MOST_BYTES // models // weights[0].size)
    layers = _even(len(weights), max(1, most))
    for floor in FLOORS:
        data = _within(room, (_packed(weights[layer], floor) for layer in layers))
        if data is not None:
            return PackedMaps(data, layers, floor, _lost(weights, layers, floor))
    by_layer = {layer: _packed(weights[layer], FLOORS[-1]) for layer in layers}
    fewer = (tuple(layers[step] for step in _even(len(layers), number)) for number in range(len(layers), 0, -1))
    kept = next((each for each in fewer if sum(len(by_layer[layer]) for layer in each) <= room), layers[-1:])
    data = tuple(by_layer[layer] for layer in kept)
    return PackedMaps(data, kept, FLOORS[-1], _lost(weights, kept, FLOORS[-1]))


def deflated(values: np.ndarray) -> str:
    """Return the bytes of an array, deflated (zlib's format) and in base64."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 6)).decode("ascii")


def _within(room: int, blobs: Iterator[str]) -> tuple[str, ...] | None:
    """Return the blobs, or None once they have more characters than there is room for."""
    kept: list[str] = []
    for blob in blobs:
        room -= len(blob)
        if room < 0:
            return None
        kept.append(blob)
    return tuple(kept)


def _even(whole: int, number: int) -> tuple[int, ...]:
    """Return so many numbers below `whole` at even distances, the last one among them."""
    return tuple(sorted({whole - 1 - step * whole // number for step in range(number)}))


def _packed(weights: Weights, floor: int) -> str:
    codes = _codes(weights)
    return deflated(np.where(codes < floor, np.uint8(0), codes))


def _codes(weights: Weights) -> Codes:
    codes: Codes = np.rint(np.sqrt(np.clip(weights, 0, 1)) * STEPS).astype(np.uint8)
    return codes


def _lost(weights: Weights, layers: tuple[int, ...], floor: int) -> float:
    lost = total = 0.0
    for layer in layers if floor else ():
        total += float(weights[layer].sum(dtype=np.float64))
        lost += float(weights[layer][_codes(weights[layer]) < floor].sum(dtype=np.float64))
    return lost / total if total else 0.0
