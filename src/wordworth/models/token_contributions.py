"""Split a text's vector into one part per token; the parts add up to the vector before it is scaled to length 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.models.batched_inference import BatchedReader
from wordworth.models.hidden_states import require_finite
from wordworth.models.text_encoder import TextEncoder
from wordworth.text.tokens import Tokens, require_texts
from wordworth.text.windows import plan_windows


@dataclass(frozen=True, slots=True)
class TokenParts:
    """The tokens of a text, special ones included, with the contribution of each to the text's vector.

    Attributes:
        tokens: the tokens.
        states: float32 [tokens, width of a state], the states of the tokens, from which the vector is pooled.
        vector: float64 [width], the text's vector before it is scaled to length 1; if `parts` is None, the vector as
            the encoder returns it, scaled or not.
        parts: float64 [tokens, width], the contribution of each token; the contributions add up to `vector`. None if a
            dense layer after the pooling has a bias or an activation.
    """

    tokens: Tokens
    states: NDArray[np.float32]
    vector: NDArray[np.float64]
    parts: NDArray[np.float64] | None


def token_parts(encoder: TextEncoder, texts: Sequence[str]) -> list[TokenParts]:
    """Compute the contribution of each token to the vector of its text.

    A text longer than the encoder's window is read in overlapping windows, as `TextEncoder.encode` reads it.

    Args:
        encoder: an encoder of any pooling.
        texts: texts of any length; the encoder's prompt is put before each.

    Raises:
        BadInput: `texts` is one string, or a state is NaN or infinite.
    """
    tokens = encoder.tokenizer.encode([encoder.prompt + text for text in require_texts(texts)])
    states = token_states(encoder, tokens)
    return [_parts(encoder, each, of_text) for each, of_text in zip(tokens, states, strict=True)]


def token_states(encoder: TextEncoder, tokens: Sequence[Tokens]) -> list[NDArray[np.float32]]:
    """Compute the states of the tokens of each text, from which the text's vector is pooled, float32 [tokens, width].

    Texts longer than the encoder's window are read in overlapping windows.

    Raises:
        BadInput: a state is NaN or infinite.
    """
    width = encoder.model.width * max(1, len(encoder.head.layers))
    states = [np.zeros((len(each), width), np.float32) for each in tokens]
    windows = plan_windows([len(each) for each in tokens], encoder.window)
    for text, positions, part in BatchedReader(encoder.state_reader, encoder.model.device).parts(tokens, windows):
        rows = slice(None) if positions is None else positions.numpy(force=True)
        states[text][rows] = part.float().numpy(force=True)
    return [require_finite(each, encoder.name) for each in states]


def _parts(encoder: TextEncoder, tokens: Tokens, states: NDArray[np.float32]) -> TokenParts:
    if not len(tokens):
        return TokenParts(tokens, states, np.zeros(encoder.width), np.zeros((0, encoder.width)))
    read_states = torch.from_numpy(states)
    if encoder.head.is_additive:
        parts = encoder.head.token_parts(read_states).numpy(force=True)
        return TokenParts(tokens, states, parts.sum(0), parts)
    vector = encoder.head(read_states.double(), torch.tensor([0, len(read_states)]))[0]
    return TokenParts(tokens, states, vector.numpy(force=True), None)
