"""Mean cosine over all pairs from one sum of unit vectors, in linear instead of quadratic time; and isotropy.

For unit vectors u_1 ... u_n with sum S, the squared length of S is n plus the cosines of all ordered pairs i != j, so

    mean cosine of the pairs = (|S|^2 - n) / (n^2 - n).

Self-similarity (Ethayarajh 2019, section 3.2) is this over the occurrences of one word, the anisotropy baseline
(section 3.3) over occurrences of any words. Isotropy is whether a space uses its directions evenly (`iso_score`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats, ratio

Vectors = NDArray[np.floating]
"""[n, d], one vector per row."""


def unit(vectors: Vectors) -> Floats:
    """Return each vector scaled to length 1, float64 [..., d].

    Raises:
        ValueError: a vector is zero, which has no direction.
    """
    rows = floats(vectors)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    if not lengths.all():
        raise ValueError(f"{int((lengths == 0).sum())} of {lengths.size} vectors are zero and have no direction")
    return floats(rows / lengths)


def unit_or_zero(vectors: Vectors) -> Vectors:
    """Return each vector scaled to length 1 in its own dtype, [..., d]; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def mean_cosine(vectors: Vectors) -> float:
    """Return the mean cosine over all pairs of different rows; NaN for fewer than two rows."""
    return float(from_sums(unit(vectors).sum(axis=0), np.array(len(vectors))))


def from_sums(sums: Floats, counts: NDArray[np.number]) -> Floats:
    """Return the mean cosine over pairs from sums of unit vectors.

    Args:
        sums: [..., d], sums of unit vectors.
        counts: [...], number of vectors in each sum.

    Returns:
        float64 [...]; NaN where a count is below 2. Ethayarajh 2019, section 3.2, without the pairs j = k.
    """
    n = floats(counts)
    return ratio(floats(np.einsum("...d,...d->...", sums, sums)) - n, n * n - n, otherwise=np.nan)


def resampled(vectors: Vectors, weights: Floats) -> Floats:
    """Return the mean cosine over pairs of each resampled set of rows, float64 [draws].

    Pairs of a row with its own copy are left out, as they have no information on different occurrences.

    Args:
        vectors: [n, d].
        weights: float64 [draws, n], how often each row is in each draw (`bootstrap.item_weights`).
    """
    sums = weights @ unit(vectors)
    copies = (weights**2).sum(axis=1)
    return floats(((sums**2).sum(axis=1) - copies) / (weights.sum(axis=1) ** 2 - copies))


def error_of_mean(vectors: NDArray[np.floating]) -> Floats:
    """Return the jackknife standard error of the mean cosine of vectors [..., n, d], float64 [...]; NaN for n < 3.

    Leaving vector i out changes the mean by 2 / (n - 2) times the difference between the mean cosine of i with the
    other vectors and the overall mean, so that nothing is computed n times (Efron and Stein 1981).
    """
    units, n = unit(vectors), vectors.shape[-2]
    if n < 3:  # noqa: PLR2004 - of two, one is left, which has no pair
        return np.full(vectors.shape[:-2], np.nan)
    others = (np.einsum("...nd,...d->...n", units, units.sum(axis=-2)) - 1) / (n - 1)
    return floats(2 / (n - 2) * np.sqrt((n - 1) * others.var(axis=-1)))


def iso_score(vectors: Vectors) -> float:
    """Return the IsoScore of points [n, d] (Rudman et al. 2022, section 4): 1 for equal variances, 0 for one direction.

    It is (PR - 1) / (d - 1), with PR = (sum v)^2 / sum v^2 the participation ratio of the principal components'
    variances v, which is the algebra of the five steps of Rudman et al. Shift, scale and rotation do not change it. It
    is biased low unless there are many times more points than dimensions: compare at equal n, and with `iso_score` of
    as many isotropic points. NaN where the points do not vary.
    """
    centred = floats(vectors) - floats(vectors).mean(axis=0)
    gram = centred.T @ centred if len(centred) > centred.shape[1] else centred @ centred.T
    total, squares, dimensions = float(np.trace(gram)), float((gram**2).sum()), centred.shape[1]
    if squares == 0 or dimensions == 1:
        return np.nan
    return float((total * total / squares - 1) / (dimensions - 1))


def contributions(vectors: Vectors) -> Floats:
    """Return each dimension's part of the mean cosine over pairs, float64 [d].

    Timkey and van Schijndel 2021, section 3. The parts sum to `cosine.mean_cosine`. Some may be negative, so that a
    share of the sum may exceed 1.
    """
    units = unit(vectors)
    n = len(units)
    return floats((units.sum(axis=0) ** 2 - (units**2).sum(axis=0)) / (n * n - n))


def top_share(vectors: Vectors, top: int = 3) -> float:
    """Return the share of the mean cosine from its `top` largest contributions; NaN where the mean cosine is 0."""
    parts = np.sort(contributions(vectors))[::-1]
    total = float(parts.sum())
    return float(parts[:top].sum()) / total if total else np.nan
