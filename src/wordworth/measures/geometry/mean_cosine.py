"""Mean cosine over all pairs from one sum of unit vectors, in linear instead of quadratic time; and isotropy.

For unit vectors u_1 ... u_n with sum S, the squared length of S is n plus the cosines of all ordered pairs i != j, so

    mean cosine of the pairs = (|S|^2 - n) / (n^2 - n).

Self-similarity (Ethayarajh 2019, section 3.2) is this mean over the occurrences of one word; the anisotropy baseline
(section 3.3) is this mean over occurrences of any words. Isotropy is whether a space uses its directions evenly
(`iso_score`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats, ratio

Vectors = NDArray[np.floating]
"""[n, d], one vector per row."""


def unit(vectors: Vectors) -> Floats:
    """Return each vector divided by its length, float64 [..., d].

    Raises:
        ValueError: a vector is zero, which has no direction.
    """
    rows = floats(vectors)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    if not lengths.all():
        raise ValueError(f"{int((lengths == 0).sum())} of {lengths.size} vectors are zero and have no direction")
    return floats(rows / lengths)


def unit_or_zero(vectors: Vectors) -> Vectors:
    """Return each vector divided by its length, in its own dtype and shape; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def mean_cosine(vectors: Vectors) -> float:
    """Return the mean cosine over all pairs of different rows of `vectors` [n, d]; NaN for fewer than two rows."""
    return float(from_sums(unit(vectors).sum(axis=0), np.array(len(vectors))))


def from_sums(sums: Floats, counts: NDArray[np.number]) -> Floats:
    """Return the mean cosine over all pairs of vectors of a set, computed from the sum of its unit vectors.

    Args:
        sums: [..., d], sums of unit vectors.
        counts: [...], number of vectors in each sum.

    Returns:
        float64 [...]; NaN for sets of fewer than two vectors. It is the self-similarity of Ethayarajh 2019, section
        3.2, without the pairs of a vector with itself.
    """
    n = floats(counts)
    return ratio(floats(np.einsum("...d,...d->...", sums, sums)) - n, n * n - n, otherwise=np.nan)


def resampled(vectors: Vectors, weights: Floats) -> Floats:
    """Return the mean cosine over all pairs of rows in each resampled set of rows, float64 [draws].

    Pairs of two copies of the same row are left out, as they say nothing about different rows.

    Args:
        vectors: [n, d], the rows.
        weights: float64 [draws, n], how often each row is in each draw (`bootstrap.item_weights`).
    """
    sums = weights @ unit(vectors)
    copies = (weights**2).sum(axis=1)
    return floats(((sums**2).sum(axis=1) - copies) / (weights.sum(axis=1) ** 2 - copies))


def error_of_mean(vectors: NDArray[np.floating]) -> Floats:
    """Return the jackknife standard error of the mean cosine over all pairs of vectors, float64 [...].

    The jackknife leaves out one vector at a time (Efron and Stein 1981). The mean cosine without vector i has a closed
    form: mean - 2 / (n - 2) * (mean cosine of vector i with the other vectors - mean). Therefore no mean is computed
    anew. The error is NaN for fewer than three vectors.

    Args:
        vectors: [..., n, d], sets of n vectors.
    """
    units, n = unit(vectors), vectors.shape[-2]
    if n < 3:  # noqa: PLR2004 - of two, one is left, which has no pair
        return np.full(vectors.shape[:-2], np.nan)
    others = (np.einsum("...nd,...d->...n", units, units.sum(axis=-2)) - 1) / (n - 1)
    return floats(2 / (n - 2) * np.sqrt((n - 1) * others.var(axis=-1)))


def iso_score(vectors: Vectors) -> float:
    """Return the IsoScore of points (Rudman et al. 2022, section 4): 1 for equal variances, 0 for one direction.

    The score is (PR - 1) / (d - 1). PR = (sum v)^2 / sum v^2 is the participation ratio of the principal components'
    variances v; this is the algebra of the five steps of Rudman et al. Shift, scale and rotation of the points do not
    change the score. It is biased low unless there are many times more points than dimensions: compare scores at equal
    n, and with the score of as many isotropic points. The score is NaN if all points are equal.

    Args:
        vectors: [n, d], the points.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    gram = centred.T @ centred if len(centred) > centred.shape[1] else centred @ centred.T
    total, squares, dimensions = float(np.trace(gram)), float((gram**2).sum()), centred.shape[1]
    if squares == 0 or dimensions == 1:
        return np.nan
    return float((total * total / squares - 1) / (dimensions - 1))


def contributions(vectors: Vectors) -> Floats:
    """Return the part that each dimension adds to the mean cosine over all pairs of rows, float64 [d].

    The part is the contribution of Timkey and van Schijndel 2021, section 3. The parts sum to the result of
    `mean_cosine`. Some may be negative, so that one part may exceed the sum.

    Args:
        vectors: [n, d], the rows.
    """
    units = unit(vectors)
    n = len(units)
    return floats((units.sum(axis=0) ** 2 - (units**2).sum(axis=0)) / (n * n - n))


def top_share(vectors: Vectors, top: int = 3) -> float:
    """Return the share of the mean cosine over all pairs of rows that comes from a few dimensions.

    The dimensions are the `top` ones that add most to the mean cosine. The share is NaN if the mean cosine is 0.

    Args:
        vectors: [n, d], the rows.
        top: number of dimensions.
    """
    parts = np.sort(contributions(vectors))[::-1]
    total = float(parts.sum())
    return float(parts[:top].sum()) / total if total else np.nan
