"""The sentence encoder that most comparisons are of."""

from __future__ import annotations

from wordworth.models.load import Wanted, load
from wordworth.models.text_encoder import TextEncoder


def minilm(dtype: Wanted) -> TextEncoder:
    """MiniLM, as Wordworth computes it in that type."""
    encoder = load("minilm", dtype=dtype)
    assert isinstance(encoder, TextEncoder)
    return encoder
