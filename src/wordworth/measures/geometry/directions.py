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
    """float64 [n, d]: rows minus their mean and minus their `top` principal directions (Mu and Viswanath 2018)."""
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    return without(centred, floats(np.linalg.svd(centred, full_matrices=False)[2][:top]))


def common_direction(vectors: Vectors) -> Floats:
    """float64 [1, d]: the direction that SIF removes (Arora et al. 2017, algorithm 1); the mean is not subtracted.

    Fit it on training texts, and take it out of any text by `without`.
    """
    return floats(np.linalg.svd(floats(vectors), full_matrices=False)[2][:1])


def sif_weights(probabilities: Floats, a: float = 1e-3) -> Floats:
    """float64 [words]: a / (a + p(word)) (Arora et al. 2017, equation 3)."""
    return floats(a / (a + probabilities))


def whitened(vectors: Vectors, width: int | None = None) -> Floats:
    """float64 [n, width]: rows with covariance I, along their first `width` principal directions (Su et al. 2021).

    Raises:
        ValueError: the rows do not vary in so many directions; noise would be blown up to length 1.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    kept = centred.shape[1] if width is None else width
    if kept > int((sizes > sizes[0] * 1e-9).sum()):
        raise ValueError(f"{len(centred)} vectors do not vary in {kept} directions")
    return floats(left[:, :kept] * np.sqrt(len(centred) - 1))
