"""Gradients of a loss with respect to attention weights, by kind of attended token (Clark et al. 2019, section 3.3).

The gradient shows how much attention to special tokens matters. For a model with a masked-LM head the loss is that of
masked tokens, as in the paper. A sentence encoder has no such head. As it is trained for the cosine of two texts, the
loss is 1 minus the cosine of the mean states of a segment's two halves; all heads contribute to this loss, and the loss
needs no further text or weights.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Floats, floats, ratio
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import Score, activations
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.encoder_base import Encoder
from wordworth.models.language_model import language_model_head
from wordworth.models.lm_heads import word_table
from wordworth.models.parallel_map import parallel_map
from wordworth.models.transformer import init_weights
from wordworth.progress import Step
from wordworth.studies.attention_patterns.token_segments import TokenKinds
from wordworth.text.tokens import Tokens

TARGETS = ("first", "separator", "punctuation", "other")
"""Kinds of attended tokens; `other` is neither special nor punctuation."""
_MASKED = 0.15


@dataclass(frozen=True, slots=True)
class Losses:
    """The loss whose gradients are computed, with the segments for which it is computed.

    Attributes:
        name: `masked-LM loss`, or `cosine of halves`: 1 minus the cosine of the mean states of a segment's two halves.
        segments: the tokens of each segment; some are masked for the masked-LM loss.
        head: the masked-LM head; None for the cosine of halves.
        masked: for each segment int64 [masked], the positions of masked tokens, and int64 [masked], their ids before
            masking; empty for the cosine.
    """

    name: str
    segments: list[Tokens]
    head: nn.Module | None
    masked: list[tuple[Tensor, Tensor]]

    def with_random_head(self, model: Encoder, seed: int) -> Losses:
        """Return the same loss with a randomly initialised head, for an encoder with random weights.

        Args:
            model: the encoder with random weights.
            seed: seed of the head's weights.
        """
        if self.head is None:
            return self
        head = copy.deepcopy(self.head)
        with torch.no_grad():
            init_weights(head, model.config.initializer_range, torch.Generator().manual_seed(seed))
        return replace(self, head=head)

    def score(self, model: Encoder) -> Score:
        """Return a function that computes the loss of a segment from its index and the states of the last layer."""
        head = self.head

        def masked_lm(text: int, states: Tensor) -> Tensor:
            positions, ids = self.masked[text]
            assert head is not None  # noqa: S101 - this loss is the head's
            return functional.cross_entropy(head(states[positions], word_table(model)), ids)

        return cosine_of_halves if head is None else masked_lm


def cosine_of_halves(text: int, states: Tensor) -> Tensor:  # noqa: ARG001 - a Score
    """Return 1 minus the cosine of the mean states of the first and of the second half of a segment's tokens.

    Args:
        text: index of the segment; it is ignored.
        states: float [tokens, width], the states of the last layer.
    """
    middle = len(states) // 2
    return 1 - functional.cosine_similarity(states[:middle].mean(0), states[middle:].mean(0), dim=0)


def losses(
    checkpoint: Checkpoint, segments: Sequence[Tokens], mask: int | None, special: set[int], seed: int
) -> Losses:
    """Return the loss of which gradients are computed: masked-LM loss if the model has a masked-LM head.

    Without such a head, the loss is 1 minus the cosine of the mean states of the two halves of a segment.

    Args:
        checkpoint: the model with its heads.
        segments: the tokens of each segment.
        mask: id of the mask token; None if the tokenizer has no mask token.
        special: ids that are never masked.
        seed: seed of the choice of the 15 % of tokens that are masked.
    """
    cosine = Losses("cosine of halves", list(segments), None, [])
    try:
        reads, head = language_model_head(checkpoint)
    except BadInput:
        return cosine
    if reads != "masked" or mask is None:
        return cosine
    rng, read, masked = seeds.child(seed, "patterns", "masks"), [], []
    for tokens in segments:
        allowed = np.flatnonzero(~np.isin(tokens.ids, list(special)))
        chosen = np.sort(rng.permutation(allowed)[: max(1, round(_MASKED * len(allowed)))])
        ids = tokens.ids.copy()
        ids[chosen] = mask
        read.append(replace(tokens, ids=ids))
        masked.append((torch.from_numpy(chosen), torch.from_numpy(tokens.ids[chosen])))
    return Losses("masked-LM loss", read, head, masked)


def gradient_means(model: Encoder, loss: Losses, kinds: TokenKinds, step: Step) -> Floats:
    """Return the mean absolute gradient of a loss with respect to attention to each kind of token.

    The result is float64 [kinds, heads]. The kinds, in the order of `TARGETS`, are the first token, separators,
    punctuation and others.

    Args:
        model: an encoder with attention.
        loss: the loss, with the segments of text for which it is computed.
        kinds: classifier of tokens into separators, special tokens and punctuation.
        step: progress step, advanced after each segment.
    """
    sums, counts = np.zeros(()), np.zeros(())
    numbers = range(len(loss.segments))
    for of_segment, weights in parallel_map(lambda number: _gradients(model, loss, number, kinds), numbers):
        sums, counts = sums + of_segment, counts + weights
        step.advance(1)
    return floats(ratio(sums, np.broadcast_to(counts, sums.shape), otherwise=np.nan))


def _gradients(model: Encoder, loss: Losses, number: int, kinds: TokenKinds) -> tuple[Floats, Floats]:
    """Return two sums over a segment, by kind of attended token: of absolute gradients, and of the gradients' number.

    Args:
        model: an encoder with attention.
        loss: the loss.
        number: index of the segment.
        kinds: classifier of tokens.

    Returns:
        float64 [kinds, heads], the absolute gradients with respect to attention, summed; and float64 [kinds, 1], the
        number of attention weights that each sum is over.
    """
    tokens, score = loss.segments[number], loss.score(model)
    taps, of_segment = Taps(read=(ATTENTION,)), lambda _, states: score(number, states)
    (read,) = activations(model, [tokens], taps, gradient_of=of_segment, batch_tokens=len(tokens))
    kind, first = kinds.of(tokens), np.arange(len(tokens)) == 0
    masks = np.stack([first, kind.separator, kind.punctuation, ~(kind.special | kind.punctuation)]).astype(np.float64)
    layers = by_layer(read.gradients, ATTENTION)
    received = np.concatenate([np.abs(layer).sum(1, dtype=np.float64) for layer in layers])
    return floats(masks @ received.T), floats(len(tokens) * masks.sum(1, keepdims=True))
