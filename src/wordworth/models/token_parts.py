"""Each token's part of a sentence vector: the parts of a text add up to its vector, before it is scaled to a length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.batched_inference import BatchedReader
from wordworth.models.hidden_states import require_finite
from wordworth.models.text_encoder import TextEncoder
from wordworth.text.encoding import Tokens, require_texts
from wordworth.text.windows import plan_windows


@dataclass(frozen=True, slots=True)
class TokenParts:
    """A text's tokens, special ones included, and their parts of its vector, float64 [tokens, width]."""

    tokens: Tokens
    parts: NDArray[np.float64]


def require_linear_pooling(encoder: TextEncoder) -> None:
    """Raise an error if an encoder's sentence vectors are no sums over tokens.

    Raises:
        BadInput: the pooling takes maxima, or a dense layer after it has a bias or an activation.
    """
    if not encoder.head.is_linear:
        what = f"the sentence vectors of {encoder.name} are no sums over tokens (a maximum, a bias or an activation)"
        raise BadInput(what, mend="give an encoder with mean pooling, such as minilm")


def token_parts(encoder: TextEncoder, texts: Sequence[str]) -> list[TokenParts]:
    """Compute each token's part of the vectors of texts.

    A text longer than the encoder's window is read in overlapping windows, as `TextEncoder.encode` reads it.

    Args:
        encoder: an encoder whose pooling is linear.
        texts: texts of any length; the encoder's prompt is put before each.

    Raises:
        BadInput: `texts` is one string, the pooling is not linear, or a state is NaN or infinite.
    """
    require_linear_pooling(encoder)
    tokens = encoder.tokenizer.encode([encoder.prompt + text for text in require_texts(texts)])
    states = [np.zeros((len(each), encoder.model.width), np.float32) for each in tokens]
    windows = plan_windows([len(each) for each in tokens], encoder.frame)
    for text, positions, part in BatchedReader(encoder.last, encoder.model.device).parts(tokens, windows):
        rows = slice(None) if positions is None else positions.numpy(force=True)
        states[text][rows] = part.float().numpy(force=True)
    return [TokenParts(each, _parts(encoder, of_text)) for each, of_text in zip(tokens, states, strict=True)]


def _parts(encoder: TextEncoder, states: NDArray[np.float32]) -> NDArray[np.float64]:
    parts = encoder.head.token_parts(torch.from_numpy(require_finite(states, encoder.name)))
    return np.asarray(parts.numpy(force=True), dtype=np.float64)
