"""Count vectors of zeros, and notify the caller of them, whichever function made them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.caller_warnings import notify
from wordworth.errors import ZeroVectorWarning
from wordworth.progress import SILENT, Progress
from wordworth.sentence_formatting import count_of


def count_zeros(vectors: NDArray[np.floating]) -> int:
    """Return the number of vectors, [n, width], whose components are all zero."""
    return int((~vectors.any(axis=1)).sum())


def notify_of_zeros(name: str, zeros: int, texts: int, progress: Progress = SILENT) -> None:
    """Tell the user how many texts have a vector of zeros; do nothing if no text has a vector of zeros.

    Args:
        name: the model's name.
        zeros: number of texts whose vectors are zeros.
        texts: number of all texts of the call.
        progress: shows the note; without it, the note is a `ZeroVectorWarning` at the caller's line.
    """
    if zeros:
        message = (
            f"{zeros:,} of {count_of(texts, 'text')} {'has' if zeros == 1 else 'have'} a vector of zeros: empty, or "
            f"without a word that {name} knows; the cosine of such a vector with another means nothing, so leave "
            "these texts out where vectors are compared"
        )
        notify(message, ZeroVectorWarning, progress)
