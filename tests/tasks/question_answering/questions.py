"""Questions made for a purpose: so many pieces in the question, so many in the context."""

from collections.abc import Sequence

import numpy as np

from wordworth.tasks.task import Examples


def sized(question: int, context: int) -> Examples:
    """One question of single-letter words, each of which is one piece."""
    return Examples((" ".join("q" * question),), (" ".join("abcdefgh"[n % 8] for n in range(context)),))


def one_question(question: str, context: str) -> Examples:
    return Examples((question,), (context,))


def flat(lengths: Sequence[int], fill: float = 0.0) -> list[np.ndarray]:
    return [np.full(length, fill, dtype=np.float32) for length in lengths]
