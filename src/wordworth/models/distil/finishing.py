"""From raw vectors to a table: all-but-the-top, principal components, whitening, weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput

Exact = NDArray[np.float64]


def all_but_the_top(vectors: Exact, directions: int) -> Exact:
    """The vectors [n, d], centred, without their first directions (Mu and Viswanath 2018, algorithm 1)."""
    centred = vectors - vectors.mean(axis=0)
    top = _components(centred)[1][:, :directions]
    left: Exact = centred - centred @ top @ top.T
    return left


def principal(vectors: Exact, width: int, *, whiten: bool = False) -> Exact:
    """float64 [n, width]: centred, along their principal components, each with its sign fixed by its largest entry.

    Args:
        vectors: float64 [n, d].
        width: how many components.
        whiten: bring each to variance 1 (ddof 1; Su et al. 2021); components without variance stay 0.

    Raises:
        BadInput: there are fewer dimensions or vectors than components.
    """
    if width > min(vectors.shape):
        what = f"{width} components of {len(vectors)} vectors {vectors.shape[1]} wide"
        raise BadInput(what, where="--width", mend=f"give {min(vectors.shape)} or less")
    centred = vectors - vectors.mean(axis=0)
    variances, directions = _components(centred)
    chosen = directions[:, :width]
    largest = chosen[np.abs(chosen).argmax(axis=0), np.arange(width)]
    turned: Exact = centred @ (chosen * np.where(largest < 0, -1.0, 1.0))
    if whiten:
        spread = np.sqrt(variances[:width])
        turned = turned / np.where(spread > spread[0] * np.sqrt(np.finfo(np.float64).eps), spread, np.inf)
    return turned


def discount(share: Exact, a: float) -> Exact:
    """The weight of a word that is `share` of all words: a / (a + p) (Arora et al. 2017, section 3)."""
    weight: Exact = a / (a + share)
    return weight


def zipf_shares(count: int) -> Exact:
    """Shares of ranked tokens where no text tells them: 1 / (rank + 1), made to sum to 1 (as model2vec has them)."""
    raw = 1 / np.arange(2, count + 2)
    shares: Exact = raw / raw.sum()
    return shares


def _components(centred: Exact) -> tuple[Exact, Exact]:
    """Variances (ddof 1), falling, and directions as columns [d, d]."""
    variances, directions = np.linalg.eigh(centred.T @ centred / max(len(centred) - 1, 1))
    return np.maximum(variances[::-1], 0), directions[:, ::-1]
