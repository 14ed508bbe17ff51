"""From raw vectors to a table: what `measures.geometry.directions` does, with the user's width, and weights by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.geometry import directions

Exact = NDArray[np.float64]


def principal(vectors: Exact, width: int, *, whiten: bool = False) -> Exact:
    """As `directions.principal`: float64 [n, width].

    Raises:
        BadInput: there are fewer dimensions or vectors than components.
    """
    if width > min(vectors.shape):
        what = f"{width} components of {len(vectors)} vectors {vectors.shape[1]} wide"
        raise BadInput(what, where="--width", mend=f"give {min(vectors.shape)} or less")
    return directions.principal(vectors, width, whiten=whiten)


def zipf_shares(count: int) -> Exact:
    """Shares of ranked tokens where no text tells them: 1 / (rank + 1), made to sum to 1 (as model2vec has them)."""
    raw = 1 / np.arange(2, count + 2)
    shares: Exact = raw / raw.sum()
    return shares
