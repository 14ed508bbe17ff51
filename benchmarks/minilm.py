"""The sentence encoder that most comparisons are of."""

from __future__ import annotations

from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder


def minilm(dtype: DtypeOption) -> TextEncoder:
    """Load MiniLM in a number type."""
    encoder = load("minilm", dtype=dtype)
    assert isinstance(encoder, TextEncoder)
    return encoder
