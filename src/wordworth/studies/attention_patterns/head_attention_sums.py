"""Statistics of each head's attention, summed over the tokens of each segment, so that no attention map is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import activations
from wordworth.models.encoder_base import Encoder
from wordworth.models.parallel_map import parallel_map
from wordworth.models.pruning import heads_of
from wordworth.progress import Step
from wordworth.studies.attention_patterns.attention_statistics import (
    entropy,
    largest_at_offset,
    offset_mass,
    tokens_with_offset,
)
from wordworth.studies.attention_patterns.head_distances import LayerContrast, contrast_layers, js_divergences
from wordworth.studies.attention_patterns.token_segments import Kinds, TokenKinds
from wordworth.text.tokens import Tokens

MEASURES = ("entropy", "entropy_first", "first", "separator", "special", "punctuation", "self", "previous", "next",
            "positional_previous", "positional_next")  # fmt: skip
"""Names of the statistics that are summed for each head; `special` is the first token and all other special tokens."""
REACH = 10
"""Largest offset between two tokens at which attention is summed, in tokens."""


@dataclass(frozen=True, slots=True)
class HeadSums:
    """Statistics of the attention of every head, summed over the tokens of each segment of text.

    Attributes:
        heads: (layer, head) of each attention head, from 0, layer by layer, without heads that were pruned.
        sums: float64 [segments, measures, heads], each of `MEASURES` summed over the segment's tokens.
        counts: float64 [segments, measures], the number of tokens that each sum is over.
        uniform: float64 [segments], the entropy that uniform attention would have, in nats, summed over tokens.
        offsets: float64 [heads, offsets], the mean attention at each offset from -`REACH` to `REACH`.
        divergences: float64 [heads, heads], the Jensen-Shannon divergence of each two heads, mean over tokens, in nats.
        contrasts: float64 [segments, 2], the mean divergence of heads of the same layer and of different layers, summed
            over tokens.
    """

    heads: tuple[tuple[int, int], ...]
    sums: Floats
    counts: Floats
    uniform: Floats
    offsets: Floats
    divergences: Floats
    contrasts: Floats

    @property
    def means(self) -> dict[str, Floats]:
        """Name of each measure of attention -> its mean over all tokens, float64 [heads]."""
        values = ratio(self.sums.sum(0), self.counts.sum(0)[:, None], otherwise=np.nan)
        return dict(zip(MEASURES, values, strict=True))

    @property
    def layers(self) -> Integers:
        """The layer of each head, from 0, int64 [heads]."""
        return np.array([layer for layer, _ in self.heads], dtype=np.int64)


def head_sums(
    model: Encoder, segments: Sequence[Tokens], kinds: TokenKinds, step: Step, *, compares: bool = True
) -> HeadSums:
    """Compute the attention in each segment of text, and sum statistics of each head over the segment's tokens.

    Args:
        model: an encoder with attention.
        segments: the tokens of each segment.
        kinds: classifier of tokens into separators, special tokens and punctuation.
        step: progress step, advanced after each segment.
        compares: whether heads are compared with each other, which takes most of the time; if False, the divergences
            are 0 and there are no contrasts.
    """
    heads, is_causal = heads_of(model), bool(getattr(model.config, "causal", False))
    layers = np.array([layer for layer, _ in heads])
    # Filled, not appended: small arrays that stay among large ones that go would keep memory from being used again.
    sums = np.empty((len(segments), len(MEASURES), len(heads)))
    counts, uniform = np.empty(sums.shape[:2]), np.empty(len(segments))
    contrasts = np.empty((len(segments) if compares else 0, 2))
    offsets, divergences, with_offset = (torch.zeros(()), np.zeros(()), torch.zeros(()))

    work = parallel_map(lambda tokens: _read(model, tokens, kinds.of(tokens), compares=compares), segments)
    for number, (tokens, own) in enumerate(zip(segments, work, strict=True)):
        sums[number], counts[number] = own.sums, _counts(kinds.of(tokens))
        uniform[number] = _uniform(len(tokens), is_causal=is_causal)
        offsets = offsets + own.offsets
        with_offset = with_offset + tokens_with_offset(len(tokens), REACH)
        if own.divergences is not None:
            divergences = divergences + own.divergences
            contrasts[number] = contrast_layers(own.divergences, layers)
        step.advance(1)
    means = ratio(offsets.numpy(), with_offset.numpy(), otherwise=0.0)
    tokens_read = sum(map(len, segments))
    return HeadSums(heads, sums, counts, uniform, means, floats(divergences / tokens_read), contrasts)


class _SegmentSums(NamedTuple):
    """The sums over the tokens of one segment.

    Attributes:
        sums: float64 [measures, heads], the sum of each of `MEASURES`.
        offsets: float64 [heads, offsets], the sum of attention at each offset from -`REACH` to `REACH`.
        divergences: float64 [heads, heads], the sum of Jensen-Shannon divergences; None if heads are not compared.
    """

    sums: Floats
    offsets: Tensor
    divergences: Floats | None


def _read(model: Encoder, tokens: Tokens, kinds: Kinds, *, compares: bool) -> _SegmentSums:
    (read,) = activations(model, [tokens], Taps(read=(ATTENTION,)), batch_tokens=len(tokens))
    attention = torch.cat([torch.from_numpy(layer) for layer in by_layer(read.values, ATTENTION)])
    apart = js_divergences(attention) if compares else None
    return _SegmentSums(segment_sums(attention, kinds), offset_mass(attention, REACH), apart)


def segment_sums(attention: Tensor, kinds: Kinds) -> Floats:
    """Return the sum of each of `MEASURES` over the tokens of one segment, float64 [measures, heads].

    Args:
        attention: float32 [heads, tokens, tokens].
        kinds: the kinds of the segment's tokens.
    """
    spread = entropy(attention)
    received = attention.sum(1, dtype=torch.float64)
    is_word = torch.from_numpy(~kinds.special)
    rows = [spread.sum(1, dtype=torch.float64), spread[:, 0], received[:, 0]]
    rows += [received[:, mask].sum(1) for mask in (kinds.separator, kinds.special, kinds.punctuation)]
    rows += [attention.diagonal(offset, -2, -1).sum(1) for offset in (0, -1, 1)]
    rows += [largest_at_offset(attention, offset, is_word) for offset in (-1, 1)]
    return floats(torch.stack([row.double() for row in rows]).numpy())


def contrast_of(sums: HeadSums) -> LayerContrast:
    """Return the mean divergences over all segments: of two heads of the same layer, and of two of different layers."""
    return contrast_layers(sums.divergences, sums.layers)


def _counts(kinds: Kinds) -> Floats:
    tokens, kept = len(kinds.special), int((~kinds.special).sum())
    pairs = tokens - 1
    return floats([tokens, 1, tokens, tokens, tokens, tokens, tokens, pairs, pairs, max(kept - 1, 0), max(kept - 1, 0)])


def _uniform(tokens: int, *, is_causal: bool) -> float:
    return float(np.log(np.arange(1, tokens + 1)).sum()) if is_causal else tokens * log(tokens)


def layer_means(values: Floats, layers: Integers) -> Floats:
    """Return the mean of a value over the heads of each layer, float64 [..., layers].

    Args:
        values: float64 [..., heads], the value of each head.
        layers: int64 [heads], the layer of each head, from 0.
    """
    return floats(np.stack([values[..., layers == layer].mean(-1) for layer in np.unique(layers)], axis=-1))
