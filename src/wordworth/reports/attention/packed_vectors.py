"""Queries and keys in few bytes: a byte a value and a scale for each head, of as many tokens as fit on the page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.attention_maps import Vectors, Weights
from wordworth.reports.attention.packed_maps import deflated

_LARGEST = 127
_CHARACTERS = 1.4
"""Characters of base64 a value, at most: deflate saves little of numbers like these."""
_FEWEST = 2
"""Fewest tokens that are kept: one alone has nothing to attend to."""


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """Queries and keys as a page holds them, a byte a value.

    Attributes:
        query: deflated int8 [layers, heads, tokens, size] in base64.
        key: likewise.
        query_scale: for each layer and head, by what a byte of a query is multiplied.
        key_scale: likewise.
        tokens: number of tokens, from the first, whose vectors are kept.
        size: length of a vector.
        error: for each layer and head, the largest error of a dot product over the root of the length.
    """

    query: str
    key: str
    query_scale: list[list[float]]
    key_scale: list[list[float]]
    tokens: int
    size: int
    error: list[list[float]]

    @property
    def characters(self) -> int:
        """The number of characters."""
        return len(self.query) + len(self.key)


def pack_vectors(vectors: Vectors, room: int) -> PackedVectors | None:
    """Pack the queries and keys of as many tokens as fit, from the first; None where not even two do.

    Args:
        vectors: queries and keys of the layers to keep.
        room: most characters of the result.
    """
    layers, heads, tokens, size = vectors.query.shape
    kept = min(tokens, int(room / (2 * _CHARACTERS * layers * heads * size)))
    if kept < min(_FEWEST, tokens):
        return None
    query, key = (part[:, :, :kept] for part in (vectors.query, vectors.key))
    rounded = [_rounded(part) for part in (query, key)]
    near_query, near_key = (whole * scale[..., None, None] for whole, scale in rounded)
    difference = query @ key.swapaxes(-1, -2) - near_query @ near_key.swapaxes(-1, -2)
    data = [deflated(whole) for whole, _ in rounded]
    scales = [scale.astype(float).tolist() for _, scale in rounded]
    error = (np.abs(difference).max((-2, -1)) / size**0.5).astype(float).tolist()
    return PackedVectors(data[0], data[1], scales[0], scales[1], kept, size, error)


def _rounded(values: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Return the values as whole numbers from -127 to 127, and the scale of each head, float32 [layers, heads]."""
    scale = np.abs(values).max((-2, -1)) / _LARGEST
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.rint(values / scale[..., None, None]).astype(np.int8), scale
