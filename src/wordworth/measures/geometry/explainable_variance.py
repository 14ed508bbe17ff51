"""Maximum explainable variance: the share of the variance of a word's occurrences that one fixed vector explains.

Three different quantities have this name:

    literal    sigma_1^2 / sum sigma_i^2 of the occurrences, not centred (Ethayarajh 2019, section 3.2, the formula):
               the share of the squared lengths along the best direction, mostly the mean's direction
    centred    the same after subtracting the mean: a principal component's share of the variance
    published  the variance of the coordinates on the uncentred first direction over the whole centred variance: what
               scikit-learn's TruncatedSVD calls explained variance, and what Ethayarajh 2019 reports

All depend on n (literal >= 1 / min(n, d), centred >= 1 / min(n - 1, d)), so they may be compared at equal n only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import Vectors
from wordworth.measures.weighted_sums import Floats, floats, ratio

_NOTHING = 1e-12
"""Variance below this share of the squared lengths is rounding: the occurrences are equal."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Three estimators of the maximum explainable variance of sets of a word's occurrences, float64 [sets] each.

    All are NaN for a set whose vectors are equal.

    Attributes:
        literal: share of the sum of squared lengths along the first right singular vector of the vectors, which are not
            centred (Ethayarajh 2019, section 3.2).
        centred: share of the variance along the first principal component.
        published: variance of the vectors' coordinates along the same singular vector, divided by their whole variance;
            the values in Ethayarajh 2019 were computed in this way.
    """

    literal: Floats
    centred: Floats
    published: Floats


def explained(sets: Vectors) -> Explained:
    """Compute three estimators of the maximum explainable variance for sets of vectors of equal size.

    The estimators are computed from the n x n Gram matrix of each set.

    Args:
        sets: [sets, n, d], n vectors of the occurrences of a word in each set; or a single set [n, d].
    """
    vectors = floats(sets)[None] if sets.ndim == 2 else floats(sets)  # noqa: PLR2004 - a single set
    gram = vectors @ vectors.transpose(0, 2, 1)
    n = gram.shape[1]
    values, directions = np.linalg.eigh(gram)
    total = floats(np.trace(gram, axis1=1, axis2=2))
    centring = np.eye(n) - 1 / n
    centred = centring @ gram @ centring
    variance = floats(np.trace(centred, axis1=1, axis2=2))
    variance = np.where(variance > _NOTHING * total, variance, 0.0)
    coordinates = directions[:, :, -1] * np.sqrt(np.maximum(values[:, -1:], 0))
    variance_along = floats(((coordinates - coordinates.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    return Explained(
        ratio(floats(values[:, -1]), total, otherwise=np.nan),
        ratio(floats(np.linalg.eigvalsh(centred)[:, -1]), variance, otherwise=np.nan),
        ratio(variance_along, variance, otherwise=np.nan),
    )


def group_share(sums: Floats, counts: NDArray[np.integer], squares: float) -> float:
    """Return the share of the variance of words' occurrences that is between words (Kelley's epsilon squared).

    The share is 1 where all occurrences of a word have the same vector. As sums of squares are divided by their degrees
    of freedom, the share is 0 on average if word labels are permuted, however few occurrences a word has.

    Args:
        sums: [words, d], the sum of the vectors of each word's occurrences.
        counts: [words], number of occurrences of each word; words without occurrences are ignored.
        squares: sum of the squared lengths of the vectors of all occurrences.

    Returns:
        The share; NaN if no word has two occurrences, or all occurrences are equal.
    """
    present = counts > 0
    occurrences, words = int(counts.sum()), int(present.sum())
    between = float((np.square(sums[present]).sum(axis=1) / counts[present]).sum())
    total = squares - float(np.square(sums.sum(axis=0)).sum()) / max(occurrences, 1)
    if occurrences <= words or words < 2 or total <= _NOTHING * squares:  # noqa: PLR2004 - one word explains nothing
        return float("nan")
    return 1 - (squares - between) / (occurrences - words) / (total / (occurrences - 1))
