"""Linear centred kernel alignment of two representations of the same items, debiased.

The measure is CKA (Kornblith et al. 2019, arXiv 1905.00414) with the unbiased HSIC of Song et al. 2012, as in Nguyen et
al. 2021 (arXiv 2010.15327, equation 3). Without this correction, two random representations of few items have a high
CKA.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats

_LEAST = 4
"""The unbiased estimator divides by n - 3."""


def linear_cka(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Return the debiased linear CKA (centred kernel alignment) of two representations of the same items.

    CKA is 1 for representations that are equal up to rotation and scale, and about 0 for unrelated ones.

    Args:
        first: [n, d], the vectors of n items.
        second: [n, e], the vectors of the same items in the other representation.

    Returns:
        The similarity; NaN for fewer than four items, or if one representation has no variance.
    """
    if len(first) < _LEAST:
        return float("nan")
    x, y = (_centred(each) for each in (first, second))
    own = _hsic(x, x), _hsic(y, y)
    if min(own) <= 0:
        return float("nan")
    return float(_hsic(x, y) / np.sqrt(own[0] * own[1]))


def _centred(vectors: NDArray[np.floating]) -> Floats:
    return floats(floats(vectors) - floats(vectors).mean(0))


def _hsic(first: Floats, second: Floats) -> float:
    """Return n (n - 3) times the unbiased HSIC of two linear kernels, with n the number of items.

    Args:
        first: float64 [n, d], the centred vectors of n items in one representation.
        second: float64 [n, e], the centred vectors of the same items in the other representation.
    """
    number = len(first)
    squares = [(each**2).sum(1) for each in (first, second)]
    rows = [each @ each.sum(0) - square for each, square in zip((first, second), squares, strict=True)]
    trace = ((first.T @ second) ** 2).sum() - squares[0] @ squares[1]
    sums = rows[0].sum() * rows[1].sum() / ((number - 1) * (number - 2))
    return float(trace + sums - 2 / (number - 2) * (rows[0] @ rows[1]))
