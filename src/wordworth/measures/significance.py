"""Significance tests of a difference, and corrections for many tests at once."""

from __future__ import annotations

import numpy as np
from scipy.special import bdtr

from wordworth.measures.weighted_sums import Floats, floats

_EXACT_TASKS = 16


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar (1947): under the null, which system alone gets an item right is a fair coin.

    For two systems of one run each, as published results are compared; a study of several runs resamples runs and
    items instead.

    Args:
        only_first: number of items that only the first system gets right.
        only_second: number of items that only the second system gets right.

    Returns:
        p; 1 where the systems never disagree.
    """
    return sign_test(only_first, only_first + only_second)


def sign_test(wins: int, trials: int) -> float:
    """Exact two-sided p of a fair coin, ties left out beforehand; 1 without trials. Assumes independent trials."""
    return min(1.0, 2 * float(bdtr(min(wins, trials - wins), trials, 0.5))) if trials else 1.0


def holm(p: Floats) -> Floats:
    """Adjusted p-values that bound the chance of any false claim (Holm 1979): for all claims that are printed."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _back(np.minimum(stepped, 1), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p-values that bound the share of false claims (Benjamini and Hochberg 1995).

    For screening many cells for those worth a second look; claims use `holm`.
    """
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return _back(np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1), order)


def cluster_permutation(cells: Floats, permutations: int, rng: np.random.Generator) -> float:
    """Two-sided p that the mean cell is 0, where the cells of one task are dependent.

    Under the null a whole task's signs may flip (cells share its test items and models; counting cells as independent
    overstates the evidence). Exact over all flips up to 16 tasks, else over random flips, the observed one counted.

    Args:
        cells: float64 [tasks, cells], signed differences, or -1, 0, 1 to count directions; NaN where there is none.
        permutations: number of random flips where there are more than 16 tasks.
        rng: source of randomness.

    Raises:
        ValueError: there are no cells.
    """
    sums = np.nansum(cells, axis=1)
    if sums.size == 0:
        raise ValueError("no cells to test")
    flips = _every_flip(len(sums)) if len(sums) <= _EXACT_TASKS else rng.choice([-1.0, 1.0], (permutations, len(sums)))
    as_large = np.count_nonzero(np.abs(flips @ sums) >= abs(sums.sum()) - 1e-12)
    extra = 0 if len(sums) <= _EXACT_TASKS else 1
    return (as_large + extra) / (len(flips) + extra)


def _every_flip(tasks: int) -> Floats:
    """float64 [2 ** tasks, tasks]: every combination of -1 and 1."""
    return floats(1 - 2 * ((np.arange(2**tasks)[:, None] >> np.arange(tasks)) & 1))


def _back(adjusted: Floats, order: np.ndarray) -> Floats:
    """Put sorted values back in their original order."""
    out = np.empty_like(adjusted)
    out[order] = adjusted
    return floats(out)
