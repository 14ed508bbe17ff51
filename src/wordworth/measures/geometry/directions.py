"""Directions of a set of vectors, found and taken out: principal direction, all-but-the-top, SIF, whitening."""

from __future__ import annotations

import numpy as np

from wordworth.measures.geometry.cosine import Vectors
from wordworth.measures.sums import Floats, floats


def principal_direction(vectors: Vectors) -> Floats:
    """float64 [d], length 1: the first right singular vector of rows as they are, pointing to the side of their mean.

    A word's one static vector in Ethayarajh 2019, section 4.3. A singular vector's own sign is arbitrary, and cosines
    between words would be too.
    """
    wide = floats(vectors)
    direction = floats(np.linalg.svd(wide, full_matrices=False)[2][0])
    return -direction if direction @ wide.mean(axis=0) < 0 else direction


def without(vectors: Vectors, directions: Floats) -> Floats:
    """float64 [n, d]: rows without their part along orthonormal `directions` [k, d]."""
    wide = floats(vectors)
    return floats(wide - (wide @ directions.T) @ directions)


def all_but_the_top(vectors: Vectors, top: int) -> Floats:
    """float64 [n, d]: rows minus their mean and their `top` principal directions (Mu and Viswanath 2018, alg. 1)."""
    centred = _centred(vectors)
    return without(centred, _components(centred)[1][:, :top].T)


def common_direction(vectors: Vectors) -> Floats:
    """float64 [1, d]: the direction that SIF removes (Arora et al. 2017, algorithm 1); the mean is not subtracted.

    Fit it on training texts, and take it out of any text by `without`.
    """
    return floats(np.linalg.svd(floats(vectors), full_matrices=False)[2][:1])


def sif_weights(probabilities: Floats, a: float = 1e-3) -> Floats:
    """float64 [words]: a / (a + p(word)) (Arora et al. 2017, equation 3)."""
    return floats(a / (a + probabilities))


def principal(vectors: Vectors, width: int, *, whiten: bool = False) -> Floats:
    """float64 [n, width]: centred rows along their principal directions, each with its sign by its largest entry.

    Args:
        vectors: [n, d].
        width: how many directions, d at most.
        whiten: bring each to variance 1 (ddof 1; Su et al. 2021); one without variance stays 0.
    """
    centred = _centred(vectors)
    variances, directions = _components(centred)
    chosen = directions[:, :width]
    largest = chosen[np.abs(chosen).argmax(axis=0), np.arange(width)]
    turned = floats(centred @ (chosen * np.where(largest < 0, -1.0, 1.0)))
    if not whiten:
        return turned
    spread = np.sqrt(variances[:width])
    return floats(turned / np.where(spread > spread[0] * np.sqrt(np.finfo(np.float64).eps), spread, np.inf))


def whitened(vectors: Vectors, width: int | None = None) -> Floats:
    """float64 [n, width]: rows with covariance I, along their first `width` principal directions (Su et al. 2021).

    Raises:
        ValueError: the rows do not vary in so many directions; noise would be blown up to length 1.
    """
    found = principal(vectors, vectors.shape[1] if width is None else width, whiten=True)
    if not found.any(axis=0).all():
        raise ValueError(f"{len(found)} vectors do not vary in {found.shape[1]} directions")
    return found


def _centred(vectors: Vectors) -> Floats:
    wide = floats(vectors)
    return floats(wide - wide.mean(axis=0))


def _components(centred: Floats) -> tuple[Floats, Floats]:
    """Variances (ddof 1), falling, and principal directions as columns [d, d], by the gram: rows may be many."""
    variances, directions = np.linalg.eigh(centred.T @ centred / max(len(centred) - 1, 1))
    return floats(np.maximum(variances[::-1], 0)), floats(directions[:, ::-1])
