"""Mean cosine over all pairs, from one sum of unit vectors: linear in the vectors; a loop over pairs is quadratic.

For unit vectors u_1 ... u_n with sum S, the squared length of S is n plus the cosines of all ordered pairs i != j, so

    mean cosine of the pairs = (|S|^2 - n) / (n^2 - n).

Self-similarity (Ethayarajh 2019, section 3.2) is this over the occurrences of one word, the anisotropy baseline
(section 3.3) over occurrences of any words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats, ratio

Vectors = NDArray[np.floating]
"""[n, d], one vector per row."""


def unit(vectors: Vectors) -> Floats:
    """float64 [..., d]: each vector scaled to length 1.

    Raises:
        ValueError: a vector is zero, which has no direction.
    """
    rows = floats(vectors)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    if not lengths.all():
        raise ValueError(f"{int((lengths == 0).sum())} of {lengths.size} vectors are zero and have no direction")
    return floats(rows / lengths)


def mean_cosine(vectors: Vectors) -> float:
    """The mean cosine over all pairs of different rows; NaN for fewer than two rows."""
    return float(from_sums(unit(vectors).sum(axis=0), np.array(len(vectors))))


def from_sums(sums: Floats, counts: NDArray[np.number]) -> Floats:
    """The mean cosine over pairs from sums of unit vectors.

    Args:
        sums: [..., d].
        counts: [...], number of vectors in each sum.

    Returns:
        float64 [...]; NaN where a count is below 2. Ethayarajh 2019, section 3.2, without the pairs j = k.
    """
    n = floats(counts)
    return ratio(floats(np.einsum("...d,...d->...", sums, sums)) - n, n * n - n, otherwise=np.nan)


def with_itself(mean: Floats, counts: NDArray[np.number]) -> Floats:
    """The mean over all n^2 pairs, each vector with itself included: what dividing by n^2 gives.

    For comparing our figures with those of code that divides so; no study of ours does.
    """
    n = floats(counts)
    return floats((1 + (n - 1) * mean) / n)


def resampled(vectors: Vectors, weights: Floats) -> Floats:
    """float64 [draws]: the mean cosine over pairs of each resampled set of rows.

    Pairs of a row with its own copy are left out, since they tell nothing about different occurrences.

    Args:
        vectors: [n, d].
        weights: float64 [draws, n], how often each row is in each draw (`bootstrap.item_weights`).
    """
    sums = weights @ unit(vectors)
    copies = (weights**2).sum(axis=1)
    return floats(((sums**2).sum(axis=1) - copies) / (weights.sum(axis=1) ** 2 - copies))


def error_of_mean(vectors: NDArray[np.floating]) -> Floats:
    """float64 [...]: the jackknife standard error of the mean cosine of vectors [..., n, d]; NaN for fewer than three.

    Leaving vector i out changes the mean by 2 / (n - 2) times how far the mean cosine of i with the others lies above
    it, so that nothing is computed n times (Efron and Stein 1981).
    """
    units, n = unit(vectors), vectors.shape[-2]
    if n < 3:  # noqa: PLR2004 - of two, one is left, which has no pair
        return np.full(vectors.shape[:-2], np.nan)
    others = (np.einsum("...nd,...d->...n", units, units.sum(axis=-2)) - 1) / (n - 1)
    return floats(2 / (n - 2) * np.sqrt((n - 1) * others.var(axis=-1)))


def cos_reg(vectors: Vectors) -> float:
    """The anisotropy penalty of Gao et al. 2019 as I-STAR computes it: the sum of cosines over n^2.

    A published measure, for comparison with published figures; the penalty of our pretraining is
    `training.objectives.anisotropy`, which takes pairs of different sequences only.
    """
    n = len(vectors)
    return mean_cosine(vectors) * (n * n - n) / (n * n)
