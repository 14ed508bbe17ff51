"""From raw vectors to a table: how wide it becomes, what `measures.geometry.directions` does, and weights by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.distillation.settings import DistilSettings

Exact = NDArray[np.float64]
_USUAL, _FAR_MORE = 256, 10


def finished_width(settings: DistilSettings, own: int, vectors: int | None = None) -> int:
    """Numbers that a vector has in the end.

    Args:
        settings: what was asked.
        own: the encoder's width.
        vectors: how many there are; None while that is not known.

    Raises:
        BadInput: more components were asked for than there can be.
    """
    most = own if vectors is None else min(own, vectors)
    if settings.width == "auto":
        return min(_USUAL, most)
    width = settings.width or own
    if width > most and (settings.width or settings.whiten):
        what = f"{width} components of {'' if vectors is None else f'{vectors:,} '}vectors {own} wide"
        raise BadInput(what, where="--width", mend=f"give {most} or less")
    return width


def doubts(settings: DistilSettings, own: int, vectors: int, words: int | None = None) -> tuple[str, ...]:
    """What is to be said of a table: that few words were met, that it is narrow for it, that whitening has too few.

    Args:
        settings: what was asked.
        own: the encoder's width.
        vectors: how many there are.
        words: how many of them are words of the corpus; None where no corpus was read.
    """
    width, told = finished_width(settings, own, vectors), []
    if words is not None and words * _FAR_MORE < settings.words:
        told.append(
            f"{words:,} words, where {settings.words:,} had room: no more occur at least {settings.least} times. More "
            "text gives more, a lower --least rarer ones."
        )
    if settings.width == "auto" and width < min(_USUAL, own):
        told.append(f"{width} wide and not {_USUAL}, for there are only {vectors:,} vectors: more text gives more.")
    if settings.whiten and vectors < _FAR_MORE * width:
        fewer = f"--width {vectors // _FAR_MORE}" if vectors >= _FAR_MORE else "no --whiten"
        told.append(
            f"{vectors:,} vectors are few for {width} whitened components: the last are chance, made as large as the "
            f"first; give {fewer}, or more text."
        )
    return tuple(told)


def zipf_shares(count: int) -> Exact:
    """Shares of ranked tokens where no text tells them: 1 / (rank + 1), made to sum to 1 (as model2vec has them)."""
    raw = 1 / np.arange(2, count + 2)
    shares: Exact = raw / raw.sum()
    return shares
