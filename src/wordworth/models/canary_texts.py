"""Canaries: fixed texts whose vectors tell whether a server computes in the same vector space as a known model.

The texts vary the properties that servers often handle differently: length, case, accents, scripts, white space,
numbers, word order, and a prompt at the beginning.
"""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

CANARIES = (
    "a",
    "The cat sat on the mat.",
    "the cat sat on the mat",
    "The mat sat on the cat.",
    "query: how do I reset my password?",
    "how do I reset my password?",
    "The invoice of 1,249.50 euros was paid on 3 March 2021.",
    "It was not a good film.",
    "It was a good film, was it not?",
    "Un café crème, s'il vous plaît!",
    "东京是日本的首都。",
    "Москва слезам не верит.",
    "def f(x): return x ** 2",
    "  spaces   and\ttabs\nand lines  ",
    "bank " * 40,
    "The committee, which had met every week since the spring, could not agree on who should write the report. " * 8,
)
"""Sixteen texts; the last is longer than a short window, and shorter than the window of any encoder served here."""


def as_base64(vector: NDArray[np.float32]) -> str:
    """Return a vector, float32 [width], as little-endian bytes in base64, the format of OpenAI's API."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def from_base64(text: str) -> NDArray[np.float32]:
    """Decode the base64 text of a vector's little-endian float32 numbers, as `as_base64` writes it: float32 [width].

    Raises:
        ValueError: the text is not valid base64, or its bytes are not a whole number of float32 values.
    """
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4")
