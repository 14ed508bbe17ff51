"""Compression of query and key vectors for a page: int8 with a scale for each head, for as many tokens as fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.attention_maps import Vectors, Weights
from wordworth.reports.attention.packed_maps import deflated

_LARGEST = 127
_CHARACTERS = 1.4
"""Most characters of base64 per value; deflate compresses such numbers little."""
_FEWEST = 2
"""Least number of tokens for vectors to be useful, as a single token has nothing to attend to."""


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """The compressed query and key vectors of a model, as a page embeds them.

    Attributes:
        query: queries, int8 [layers, heads, tokens, width], compressed by zlib, in base64.
        key: keys, in the same form.
        query_scale: for each layer and head the factor by which the stored integers of queries are multiplied.
        key_scale: the same factors for keys.
        tokens: number of tokens with vectors, from the first on.
        width: number of components of a vector.
        error: for each layer and head the largest error of an attention logit, the query-key product divided by √width.
    """

    query: str
    key: str
    query_scale: list[list[float]]
    key_scale: list[list[float]]
    tokens: int
    width: int
    error: list[list[float]]

    @property
    def characters(self) -> int:
        """The number of base64 characters of all vectors."""
        return len(self.query) + len(self.key)


def pack_vectors(vectors: Vectors, room: int) -> PackedVectors | None:
    """Compress the queries and keys of as many tokens as fit, from the first on.

    Args:
        vectors: queries and keys, [layers, heads, tokens, width] each, of the layers that the page shows.
        room: largest number of characters of the result.

    Returns:
        The compressed vectors; None if fewer than two tokens fit.
    """
    layers, heads, tokens, width = vectors.query.shape
    kept = min(tokens, int(room / (2 * _CHARACTERS * layers * heads * width)))
    if kept < min(_FEWEST, tokens):
        return None
    query, key = (part[:, :, :kept] for part in (vectors.query, vectors.key))
    rounded = [_rounded(part) for part in (query, key)]
    near_query, near_key = (whole * scale[..., None, None] for whole, scale in rounded)
    difference = query @ key.swapaxes(-1, -2) - near_query @ near_key.swapaxes(-1, -2)
    data = [deflated(whole) for whole, _ in rounded]
    scales = [scale.astype(float).tolist() for _, scale in rounded]
    error = (np.abs(difference).max((-2, -1)) / width**0.5).astype(float).tolist()
    return PackedVectors(data[0], data[1], scales[0], scales[1], kept, width, error)


def _rounded(values: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Return the values as integers from -127 to 127, and the scale of each head, float32 [layers, heads]."""
    scale = np.abs(values).max((-2, -1)) / _LARGEST
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.rint(values / scale[..., None, None]).astype(np.int8), scale
