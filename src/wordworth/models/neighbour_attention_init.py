"""Initialise the first layer's heads to attend to neighbours, which avoids the plateau of a mere bag of words.

A randomly initialised masked language model first learns how often words occur, and stays at that plateau. To read the
word next to a gap, queries and keys must first agree on positions, and nothing tells them that position 17 is next to
18. Here the position table starts as sinusoids (Vaswani et al. 2017, section 3.5), for which a shift of position is a
rotation. The maps of queries and keys in the first layer start as that rotation, with one distance per head. The method
is similar to the method of Trockman and Kolter (2023, arXiv 2305.09828), who initialise attention to look like trained
attention. Only initial weights are set: all weights are trained, and the checkpoint has the usual format.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.encoder_base import Encoder
from wordworth.models.transformer import Layer, TransformerStack

PEAK = 6.0
"""Attention score of the neighbour minus the scores of far positions, before the softmax."""
_BASE = 10_000.0
_LOUDNESS = 2.0
"""Ratio of the variances of initial position vectors and word vectors; a head sees the position beside any word."""


def init_neighbour_attention(encoder: Encoder) -> None:
    """Initialise the heads of the first layer, in place, to attend to tokens at distances -1, +1, -2, +2 and so on.

    The position table becomes sinusoids; in the first layer only the maps of queries and keys change.

    Args:
        encoder: a transformer with learned positions.

    Raises:
        BadInput: the encoder has no learned positions, or no attention.
    """
    position: Any = getattr(encoder.embedding, "position", None)
    body = getattr(encoder, "body", None)
    first = body.layers[0] if isinstance(body, TransformerStack) else None
    attention = first.attention if isinstance(first, Layer) else None
    if attention is None or position is None or position.embedding_dim != encoder.width:
        message = "neighbour heads need a transformer with learned positions"
        raise BadInput(message, mend="leave out neighbours=yes for this architecture")
    deviation = float(encoder.config.initializer_range)
    head_size, width = attention.config.head_size, encoder.width
    with torch.no_grad():
        position.weight.copy_(sinusoids(len(position.weight), width) * deviation * (2 * _LOUDNESS) ** 0.5)
        for head in range(attention.config.num_heads):
            query, key = rotation(width, head_size, _distance(head), PEAK)
            rows = slice(head * head_size, (head + 1) * head_size)
            attention.qkv.weight[:width][rows] = query
            attention.qkv.weight[width : 2 * width][rows] = key


def sinusoids(rows: int, width: int) -> Tensor:
    """Return sinusoidal vectors of positions, [rows, width]: sines in the first half, cosines in the second.

    Frequencies fall from left to right in each half. The highest is half a turn per position: its sine is always 0, and
    its cosine alternates between 1 and -1, so that neighbours differ.

    Args:
        rows: number of positions.
        width: width of a vector.
    """
    angles = torch.arange(rows)[:, None] * _rates(width)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def rotation(width: int, head_size: int, distance: int, peak: float) -> tuple[Tensor, Tensor]:
    """Return (query map, key map), each [head_size, width], whose score peaks for keys `distance` after the query.

    The score is a sum of cosines with frequencies from half a turn per position to a tenth of that. Divided by the root
    of `head_size`, it is `peak` at that distance and far less at others.

    Args:
        width: width of the position vectors.
        head_size: width of the head.
        distance: position of the key minus the position of the query.
        peak: attention score at that distance.
    """
    half, pairs = width // 2, head_size // 2
    frequencies = torch.arange(pairs) * (half // 4) // pairs
    angles = distance * _rates(width)[frequencies]
    strength = (peak * head_size**0.5 / pairs) ** 0.5
    query, key = torch.zeros(head_size, width), torch.zeros(head_size, width)
    sines, cosines = 2 * torch.arange(pairs), 2 * torch.arange(pairs) + 1
    query[sines, frequencies] = query[cosines, half + frequencies] = strength
    key[sines, frequencies] = key[cosines, half + frequencies] = strength * angles.cos()
    key[sines, half + frequencies] = -strength * angles.sin()
    key[cosines, frequencies] = strength * angles.sin()
    return query, key


def _rates(width: int) -> Tensor:
    return torch.pi * _BASE ** (-torch.arange(0, width, 2) / width)


def _distance(head: int) -> int:
    """Return the distance to which a head attends: -1, 1, -2, 2, ... for heads 0, 1, 2, 3, ...

    >>> [_distance(head) for head in range(4)]
    [-1, 1, -2, 2]
    """
    return (head // 2 + 1) * (1 if head % 2 else -1)
