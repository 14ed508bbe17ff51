"""Sampling weights that are calibrated, so that the sample has the same mean of known variables as the population.

Rows were drawn with known probabilities, and the mean of some variables over the whole population is known: it is 0. In
the sample the weighted mean of these variables differs from 0 by chance, and scores that depend on the variables then
err too. Calibrated weights bring the sample's mean to 0 (Deville and Särndal 1992, "Calibration estimators in survey
sampling"). With the chi-square distance, which is used here, each estimate is then the generalised regression estimate:
its error comes from the residuals of the regression alone. Estimates stay unbiased but for a term that falls as one
over the number of rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats

ROWS_PER_CONTROL = 20
"""Least number of rows for each control variable: with fewer, calibration adds more error than it removes."""


_LEAST = 1e-9
"""Least share of the largest mean square at which a direction of the control variables counts as varying."""


def usable_controls(controls: Floats) -> Floats:
    """Return the first control variables, at most one for every 20 rows, float64 [rows, controls kept].

    With fewer than 20 rows for each variable (`ROWS_PER_CONTROL`), calibration to a further variable adds more error to
    an estimate than it removes.

    Args:
        controls: float64 [rows, controls], the control variables.
    """
    return controls[:, : len(controls) // ROWS_PER_CONTROL]


def calibration_factors(weights: Floats, controls: Floats, means: Floats) -> Floats:
    """Return factors by which sampling weights are multiplied to calibrate them, float64 [draws, rows].

    With the multiplied weights, each control variable has the wanted weighted mean. Negative factors are replaced by 0,
    so that no row counts negatively. The mean of a variable that does not vary in the sample is not changed.

    Args:
        weights: float64 [draws, rows], sampling weights times how often each row occurs in each resample.
        controls: float64 [rows, controls], the control variables.
        means: float64 [draws, controls], the wanted weighted mean of each variable in each resample.
    """
    totals = weights.sum(axis=1, keepdims=True)
    centre = weights @ controls / totals
    products = _mean_products(weights / totals, controls)
    slopes = _solved(products - centre[:, :, None] * centre[:, None, :], means - centre, _LEAST * products.max())
    return floats(np.maximum(0.0, 1.0 + slopes @ controls.T - (slopes * centre).sum(axis=1, keepdims=True)))


def population_means(weights: Floats, controls: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw the means that the control variables would have in other populations of the same kind and size.

    The result is float64 [draws, controls]. The means are 0 in the population from which the rows were sampled; its
    size is the sum of the sampling weights. The means of another population are drawn from a normal distribution about
    0. Its covariance is the covariance of a mean over so many independent rows.

    Args:
        weights: float64 [rows], the sampling weights, each the inverse of a probability.
        controls: float64 [rows, controls], the control variables.
        draws: number of populations.
        rng: source of randomness.
    """
    covariance = _mean_products(weights[None] / weights.sum(), controls)[0]
    values, directions = np.linalg.eigh(covariance / weights.sum())
    scales = np.sqrt(np.maximum(values, 0.0))
    return floats(rng.standard_normal((draws, len(values))) * scales @ directions.T)


def _solved(covariances: NDArray[np.float64], differences: Floats, least: float) -> Floats:
    """Solve covariance @ x = difference for each draw, by a pseudo-inverse; return x, float64 [draws, controls].

    Args:
        covariances: float64 [draws, controls, controls].
        differences: float64 [draws, controls].
        least: the largest variance of an eigenvector that is treated as constant, so that x has no part along it.
    """
    values, directions = np.linalg.eigh(covariances)
    inverse = np.where(values > least, 1 / np.maximum(values, least), 0.0)
    along = np.einsum("dij,di->dj", directions, differences) * inverse
    return floats(np.einsum("dij,dj->di", directions, along))


def _mean_products(shares: Floats, controls: Floats) -> NDArray[np.float64]:
    """Return the weighted mean product of each pair of control variables, float64 [draws, controls, controls].

    Args:
        shares: float64 [draws, rows], the weight of each row; the weights of a draw sum to 1.
        controls: float64 [rows, controls], the control variables.
    """
    rows, count = controls.shape
    products = (controls[:, :, None] * controls[:, None, :]).reshape(rows, -1)
    return (shares @ products).reshape(-1, count, count)
