"""Regression metrics: Pearson's and Spearman's correlation, R squared; and partial rank correlations."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Gold, Integers, Predicted, floats, ratio, weighted

_BLOCK = 32
"""Draws ranked at a time, so that they fit in the processor's cache."""
_SINGULAR = 1e-10
_STILL = 1e-9
"""A standard deviation below this, of ranks scaled to [-1, 1], is rounding."""
_ROUNDING = 1e-12
"""A variance below this share of the mean square is rounding: the values are equal."""


def values(predicted: Predicted) -> Floats:
    """Return predicted numbers as float64 [n], after checking that they are finite.

    Raises:
        ValueError: a number is not finite, as after a training that diverged.
    """
    array = np.asarray(predicted, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{int((~np.isfinite(array)).sum())} of {array.size} predicted values are not finite")
    return array


def pearson(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return Pearson's correlation of predictions with gold values, float64 [draws].

    The correlation is 0 if the predictions or the gold values are constant (scipy `pearsonr` gives NaN there).

    Args:
        gold: float64 [n], the true values.
        predicted: float64 [n], the predicted values.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    x, y = _centred(np.asarray(gold, dtype=np.float64)), _centred(values(predicted))
    means = weighted(np.stack([x, y, x * x, y * y, x * y]), weights) / weights.sum(axis=1)
    spread = _variance(means[0], means[2]) * _variance(means[1], means[3])
    return np.clip(ratio(means[4] - means[0] * means[1], np.sqrt(spread)), -1, 1)


def spearman(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return Spearman's rank correlation of predictions with gold values, float64 [draws].

    Spearman's correlation is Pearson's correlation of the ranks (scipy `spearmanr`). Equal values share their mean
    rank. The result is 0 if the predictions or the gold values are constant. Ranks are doubled and centred to whole
    numbers, so that every sum is exact.

    Args:
        gold: float64 [n], the true values.
        predicted: float64 [n], the predicted values.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    x, y = (np.unique(side, return_inverse=True)[1] for side in (np.asarray(gold), values(predicted)))
    blocks = (weights[start : start + _BLOCK] for start in range(0, len(weights), _BLOCK))
    return np.concatenate([_rank_correlation(x, y, np.ascontiguousarray(block.T)) for block in blocks])


def r2(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the coefficient of determination, 1 - squared error / variance of the gold values, float64 [draws].

    The coefficient is 1 for perfect predictions, 0 for predictions as good as the mean, and has no lower bound. If the
    gold values are constant, it is 1 for predictions equal to them, else 0, as in scikit-learn's `r2_score`.

    Args:
        gold: float64 [n], the true values.
        predicted: float64 [n], the predicted values.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    truth = np.asarray(gold, dtype=np.float64)
    x, wrong = _centred(truth), (truth - values(predicted)) ** 2
    mean, square, error = weighted(np.stack([x, x * x, wrong]), weights) / weights.sum(axis=1)
    variance = _variance(mean, square)
    return np.where(variance > 0, 1 - ratio(error, variance), np.where(error > 0, 0.0, 1.0))


def _centred(x: Floats) -> Floats:
    """Return values without their mean, so that moments computed from them lose no digits."""
    return floats(x - x.mean())


def _variance(mean: Floats, square: Floats) -> Floats:
    spread = square - mean**2
    return np.where(spread > _ROUNDING * square, spread, 0.0)


def _rank_correlation(x: Integers, y: Integers, counts: Floats) -> Floats:
    """Return the correlation of the ranks of two variables in each draw, float64 [draws].

    Args:
        x: int64 [items], the index of each item's value among the sorted distinct values of one variable.
        y: int64 [items], the same for the other variable.
        counts: float64 [items, draws], how often each item is in each draw.
    """
    x_ranks, y_ranks = _ranks(x, counts), _ranks(y, counts)
    spread = _dot(x_ranks, x_ranks, counts) * _dot(y_ranks, y_ranks, counts)
    return np.clip(ratio(_dot(x_ranks, y_ranks, counts), np.sqrt(spread)), -1, 1)


def _ranks(group: Integers, counts: Floats) -> Floats:
    """Return twice the rank of each item in each draw, minus its mean over the draw, float64 [items, draws].

    Equal values share their mean rank.

    Args:
        group: int64 [items], the index of each item's value among the sorted distinct values.
        counts: float64 [items, draws], how often each item is in each draw.
    """
    order = np.argsort(group, kind="stable")
    size = np.add.reduceat(counts[order], _firsts(group[order]), axis=0)
    upto = np.cumsum(size, axis=0)
    ranks: Floats = (2 * upto - size - upto[-1])[group]
    return ranks


def _firsts(ordered: Integers) -> Integers:
    """Return the index of the first item of each distinct value of a sorted array, int64 [values]."""
    return np.flatnonzero(np.diff(ordered, prepend=-1))


def _dot(x: Floats, y: Floats, counts: Floats) -> Floats:
    product: Floats = np.einsum("id,id,id->d", x, y, counts)
    return product


def partial_rank(values: Floats, other: Floats, controls: Floats, weights: Floats) -> Floats:
    """Return Spearman's partial rank correlation of two variables given control variables, float64 [draws].

    The correlation is computed from the inverse of the correlation matrix of the ranks (Whittaker 1990, section 5.8). A
    draw reweights items; ranks stay the ranks in the whole sample.

    Args:
        values: float64 [n], one variable.
        other: float64 [n], the variable to correlate it with.
        controls: float64 [n, k], the variables held fixed; k may be 0. Class indicators are ranked like the rest.
        weights: float64 [draws, n], how often each item is in each draw; a row of ones gives the value on the whole
            sample.

    Returns:
        The correlations; NaN where a variable does not vary, or the other variables determine it completely.
    """
    from scipy.stats import rankdata  # takes long to load, in every process of a fine-tuning

    ranks = np.column_stack([rankdata(column) for column in (values, other, *controls.T)])
    ranks -= ranks.mean(axis=0)
    ranks /= np.abs(ranks).max(axis=0, initial=1.0)
    return floats([_partial(ranks, weight) for weight in weights])


def _partial(ranks: Floats, weight: Floats) -> float:
    share = weight / weight.sum()
    centred = ranks - share @ ranks
    spread = centred.T @ (share[:, None] * centred)
    deviation = np.sqrt(np.maximum(np.diagonal(spread), 0))
    varies = deviation > _STILL
    if not varies[:2].all():
        return float("nan")
    matrix = spread[varies][:, varies] / np.outer(deviation[varies], deviation[varies])
    if np.linalg.eigvalsh(matrix)[0] < _SINGULAR:
        return float("nan")
    inverse = np.linalg.inv(matrix)
    return float(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
