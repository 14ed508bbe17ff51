"""Compression of attention maps for a page: one byte per weight, deflated, in base64, within a limit of characters.

A weight w is stored as the integer nearest to 255 · √w. Its error is at most (2√w + 1/510) / 510, which is 0.004 for
weights near 1 and less for small ones. Where the maps do not fit, small weights and then whole layers are left out.
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
THRESHOLDS = (0, 8, 12, 16, 20, 24)
"""Thresholds of the stored integers below which weights are set to 0, tried in this order until the maps fit."""
_MOST_BYTES = 48_000_000
"""Most bytes of all maps of a page after unpacking, which a phone's memory must hold."""


@dataclass(frozen=True, slots=True)
class PackedMaps:
    """The compressed attention maps of a model, as a page embeds them.

    Attributes:
        data: for each layer of `layers` its weights, uint8 [heads, tokens, tokens], compressed by zlib, in base64.
        layers: indices of the layers whose maps are on the page, from 0.
        threshold: the threshold below which weights are set to 0, in the unit of `data`: 255 · √w for a weight w.
        lost: sum of the weights that were set to 0, as a share of the sum of all weights in these layers.
    """

    data: tuple[str, ...]
    layers: tuple[int, ...]
    threshold: int
    lost: float

    @property
    def smallest_kept(self) -> float:
        """The attention weight below which weights were set to 0; 0 if all weights are kept."""
        return (self.threshold / STEPS) ** 2

    @property
    def characters(self) -> int:
        """The number of base64 characters of all layers."""
        return sum(map(len, self.data))


def pack_maps(weights: Weights, room: int, models: int = 1) -> PackedMaps:
    """Compress attention maps into a limited number of characters.

    If the result is too long, weights below a threshold of at most 0.009 are set to 0. If it is still too long, layers
    are left out at even distances, but never the last one.

    Args:
        weights: attention weights, float32 [layers, heads, tokens, tokens].
        room: largest number of characters of the result.
        models: number of models on the page. The unpacked maps of a page have a limit in bytes; each model gets an
            equal part of it.
    """
    most = min(len(weights), _MOST_BYTES // models // weights[0].size)
    layers = _even(len(weights), max(1, most))
    for threshold in THRESHOLDS:
        data = _within(room, (_packed(weights[layer], threshold) for layer in layers))
        if data is not None:
            return PackedMaps(data, layers, threshold, _lost(weights, layers, threshold))
    by_layer = {layer: _packed(weights[layer], THRESHOLDS[-1]) for layer in layers}
    fewer = (tuple(layers[step] for step in _even(len(layers), number)) for number in range(len(layers), 0, -1))
    kept = next((each for each in fewer if sum(len(by_layer[layer]) for layer in each) <= room), layers[-1:])
    data = tuple(by_layer[layer] for layer in kept)
    return PackedMaps(data, kept, THRESHOLDS[-1], _lost(weights, kept, THRESHOLDS[-1]))


def deflated(values: np.ndarray) -> str:
    """Return the bytes of an array, compressed in zlib's format, in base64.

    Args:
        values: an array of any shape.
    """
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 6)).decode("ascii")


def _within(room: int, blobs: Iterator[str]) -> tuple[str, ...] | None:
    """Return the blobs; None as soon as they have more than `room` characters together."""
    kept: list[str] = []
    for blob in blobs:
        room -= len(blob)
        if room < 0:
            return None
        kept.append(blob)
    return tuple(kept)


def _even(whole: int, number: int) -> tuple[int, ...]:
    """Return `number` integers from 0 to `whole` - 1 at even distances, ending with the largest."""
    return tuple(sorted({whole - 1 - step * whole // number for step in range(number)}))


def _packed(weights: Weights, threshold: int) -> str:
    codes = _codes(weights)
    return deflated(np.where(codes < threshold, np.uint8(0), codes))


def _codes(weights: Weights) -> Codes:
    codes: Codes = np.rint(np.sqrt(np.clip(weights, 0, 1)) * STEPS).astype(np.uint8)
    return codes


def _lost(weights: Weights, layers: tuple[int, ...], threshold: int) -> float:
    lost = total = 0.0
    for layer in layers if threshold else ():
        total += float(weights[layer].sum(dtype=np.float64))
        lost += float(weights[layer][_codes(weights[layer]) < threshold].sum(dtype=np.float64))
    return lost / total if total else 0.0
