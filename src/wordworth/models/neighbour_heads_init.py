"""A start from which the first layer already looks at neighbours: no plateau where a model is a mere bag of words.

A masked language model drawn at random first learns how often words occur, and stays there: to read the word beside a
gap, queries and keys must first agree on positions, of which nothing tells them that 17 stands beside 18. Here the
position table starts as sinusoids (Vaswani et al. 2017, section 3.5), under which a step sideways is a rotation, and
the first layer's queries and keys as that rotation, a distance for each head. In the spirit of Trockman and Kolter
(2023, arXiv 2305.09828), who start attention as what trained models show. All of it is weights: they learn on like
any other, and the checkpoint is an ordinary one.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.encoder_module import EncoderModule
from wordworth.models.transformer_layers import Layer, TransformerStack

PEAK = 6.0
"""Attention score of the neighbour above what far positions have, before the softmax."""
_BASE = 10_000.0
_LOUDNESS = 2.0
"""Variance of a started position, in that of a drawn word: a head must hear where, whatever stands there."""


def init_neighbour_heads(encoder: EncoderModule, peak: float = PEAK) -> None:
    """Start positions as sinusoids, and the first layer's heads at distances -1, +1, -2, +2 and so on, in place.

    Values, outputs and all other layers stay as they were drawn.

    Args:
        encoder: a transformer with a learned table of positions.
        peak: how much sharper than evenly a head looks at its place.

    Raises:
        BadInput: the encoder has no table of positions, or no attention.
    """
    position: Any = getattr(encoder.embedding, "position", None)
    body = getattr(encoder, "body", None)
    first = body.layers[0] if isinstance(body, TransformerStack) else None
    attention = first.attention if isinstance(first, Layer) else None
    if attention is None or position is None or position.embedding_dim != encoder.width:
        said = "heads can start at neighbours only in a transformer with learned positions"
        raise BadInput(said, mend="leave out neighbours=yes for this architecture")
    spread = float(encoder.config.initializer_range)
    head_size, width = attention.config.head_size, encoder.width
    with torch.no_grad():
        position.weight.copy_(sinusoids(len(position.weight), width) * spread * (2 * _LOUDNESS) ** 0.5)
        for head in range(attention.config.num_heads):
            query, key = rotation(width, head_size, _distance(head), peak)
            rows = slice(head * head_size, (head + 1) * head_size)
            attention.qkv.weight[:width][rows] = query
            attention.qkv.weight[width : 2 * width][rows] = key


def sinusoids(rows: int, width: int) -> Tensor:
    """[rows, width]: sines of each position in the first half, cosines in the second, the quickest first.

    The quickest turns by half a circle a position (its sine is 0 throughout), so that neighbours differ.
    """
    angles = torch.arange(rows)[:, None] * _rates(width)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def rotation(width: int, head_size: int, distance: int, peak: float) -> tuple[Tensor, Tensor]:
    """Query and key maps [head_size, width] that meet where the key stands `distance` after the query.

    Their product is a sum of cosines over rates from half a circle a position to a tenth of that: `peak` at that
    distance, divided by the root of `head_size` as scores are, and far less elsewhere.
    """
    half, pairs = width // 2, head_size // 2
    chosen = torch.arange(pairs) * (half // 4) // pairs
    turns = distance * _rates(width)[chosen]
    strength = (peak * head_size**0.5 / pairs) ** 0.5
    query, key = torch.zeros(head_size, width), torch.zeros(head_size, width)
    sines, cosines = 2 * torch.arange(pairs), 2 * torch.arange(pairs) + 1
    query[sines, chosen] = query[cosines, half + chosen] = strength
    key[sines, chosen] = key[cosines, half + chosen] = strength * turns.cos()
    key[sines, half + chosen] = -strength * turns.sin()
    key[cosines, chosen] = strength * turns.sin()
    return query, key


def _rates(width: int) -> Tensor:
    return torch.pi * _BASE ** (-torch.arange(0, width, 2) / width)


def _distance(head: int) -> int:
    """-1, 1, -2, 2, ...

    >>> [_distance(head) for head in range(4)]
    [-1, 1, -2, 2]
    """
    return (head // 2 + 1) * (1 if head % 2 else -1)
