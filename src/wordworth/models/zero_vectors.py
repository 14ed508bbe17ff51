"""`tell_of_zeros`: say how many texts have vectors of zeros, whichever function made them."""

from __future__ import annotations

from wordworth.caller_warnings import tell
from wordworth.errors import ZeroVectorWarning
from wordworth.progress import SILENT, Progress
from wordworth.text_format import count_of


def tell_of_zeros(name: str, zeros: int, texts: int, progress: Progress = SILENT) -> None:
    """Say how many texts have a vector of zeros; nothing where none has.

    Args:
        name: the model's name.
        zeros: number of texts whose vectors are zeros.
        texts: number of all texts of the call.
        progress: notes it; without one it is a `ZeroVectorWarning` at the caller's line.
    """
    if zeros:
        message = (
            f"{zeros:,} of {count_of(texts, 'text')} {'has' if zeros == 1 else 'have'} a vector of zeros: empty, or "
            f"without a word that {name} knows; the cosine of such a vector with another means nothing, so leave "
            "these texts out where vectors are compared"
        )
        tell(message, ZeroVectorWarning, progress)
