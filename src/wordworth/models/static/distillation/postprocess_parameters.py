"""Compute what postprocessing of a distilled table needs: its final width, warnings, and word frequencies by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.distillation.settings import DistilSettings

Exact = NDArray[np.float64]
_USUAL, _FAR_MORE = 256, 10


def finished_width(settings: DistilSettings, encoder_width: int, vectors: int | None = None) -> int:
    """Return the final width of a table's vectors.

    Args:
        settings: the settings of the table.
        encoder_width: the encoder's width.
        vectors: number of vectors in the table; None while it is unknown.

    Raises:
        BadInput: the requested width exceeds the number of possible components, or all directions are to be removed.
    """
    largest = encoder_width if vectors is None else min(encoder_width, vectors)
    directions = encoder_width if vectors is None else min(encoder_width, vectors - 1)
    if settings.remove_top and settings.remove_top >= directions:
        what = f"without {settings.remove_top} directions nothing is left of vectors that have {directions}"
        raise BadInput(what, where="--remove-top", mend="give less, usually 1 to 3")
    if settings.width == "auto":
        return min(_USUAL, largest)
    width = settings.width or encoder_width
    if width > largest and (settings.width or settings.whiten):
        count = "" if vectors is None else f"{vectors:,} "
        what = f"{width} components are too many for {count}vectors of width {encoder_width}"
        raise BadInput(what, where="--width", mend=f"give {largest} or less")
    return width


def table_warnings(
    settings: DistilSettings, encoder_width: int, vectors: int, words: int | None = None
) -> tuple[str, ...]:
    """Return warnings about a table: few words, a width limited by few vectors, too few vectors for whitening.

    Args:
        settings: the settings of the table.
        encoder_width: the encoder's width.
        vectors: number of vectors.
        words: number of vectors made from words of the corpus; None if no corpus was read.
    """
    width, warnings = finished_width(settings, encoder_width, vectors), []
    if words is not None and words * _FAR_MORE < settings.words:
        warnings.append(
            f"{words:,} words instead of {settings.words:,}: no more occur at least {settings.least} times. More text "
            "gives more words, fewer times (the option least) rarer ones."
        )
    if settings.width == "auto" and width < min(_USUAL, encoder_width):
        warnings.append(
            f"Width {width} instead of {_USUAL}, since there are only {vectors:,} vectors: more text gives more."
        )
    if settings.whiten and vectors < _FAR_MORE * width:
        fewer = f"a width of {vectors // _FAR_MORE}" if vectors >= _FAR_MORE else "no whitening"
        warnings.append(
            f"{vectors:,} vectors are few for {width} whitened components: the last are noise, scaled as large as the "
            f"first; give {fewer}, or more text."
        )
    return tuple(warnings)


def zipf_shares(count: int) -> Exact:
    """Return relative frequencies of words by rank, for a table that is made without a corpus, float64 [count].

    The frequencies are 1 / (rank + 1), rank 1 being the most frequent word, scaled to the sum 1, as in model2vec.
    """
    raw = 1 / np.arange(2, count + 2)
    shares: Exact = raw / raw.sum()
    return shares
