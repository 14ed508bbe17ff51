"""The calibration error: how far the confidence of predictions is from the share of predictions that are right.

Items are sorted by their confidence, the probability of the most likely class, into bins of equal numbers of items. The
error is the root of the mean over items of

    (share right in the bin - mean confidence in the bin)²

so that it is in units of probability (the L2 form of the expected calibration error of Guo et al. 2017). Chance alone
makes that mean larger than 0; to correct for it, the variances of the bins' differences are subtracted (Kumar, Liang
and Ma 2019, "Verified uncertainty calibration", section 4). Bins average out differences within them, so that the error
of single items may be larger. A reliability diagram (DeGroot and Fienberg 1983) shows the bins themselves
(`reliability_bins`).

The interval is found by inverting the distribution of the uncorrected mean. If the differences of the bins are normal,
this mean is a weighted sum of noncentral chi-squared variables. It is approximated by a single scaled variable of the
same kind, with equal mean and nearly equal variance (after Satterthwaite 1946). Percentiles of a bootstrap would miss
an error near 0, since each resample adds further chance variation. The variances are those of a bootstrap, or larger
where it shows too little: in bins whose predictions are all right (`_least_variances`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import chndtr

from wordworth.measures.binomial import exact_interval
from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats, indicator, ratio, weighted

MOST_BINS = 15
ITEMS_A_BIN = 25
"""Minimal number of items in a bin; fewer items in all are one bin."""


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """A calibration error in units of probability, never below 0, and its 95 % interval."""

    value: float
    span: Interval


def calibration_error(confidence: Floats, right: Flags, weights: Floats, *, stretch: float = 1.0) -> CalibrationError:
    """Return the calibration error of several runs' predictions on the same items, with its confidence interval.

    A run's error is the root mean square over bins of the gap between confidence and accuracy; the error of several
    runs is the root of the mean of their squared errors.

    Args:
        confidence: float64 [runs, n], the probability that each run gives its most probable class.
        right: bool [runs, n], whether the most probable class is the item's true class.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw); the error that chance
            adds is estimated from these resamples and subtracted.
        stretch: factor by which the resamples' spread is widened for the confidence interval; above 1 if few groups are
            resampled (`design_effect.few_groups_stretch`).

    Raises:
        ValueError: there are no items or no runs.
    """
    if not confidence.size:
        raise ValueError("a calibration error needs items and runs")
    parts = [_bin_gaps(of_run, is_right, weights) for of_run, is_right in zip(confidence, right, strict=True)]
    gaps = np.concatenate([point for point, _ in parts]) / np.sqrt(len(parts))
    draws = np.concatenate([by_draw for _, by_draw in parts]) / np.sqrt(len(parts))
    centred = draws - draws.mean(axis=1, keepdims=True)
    covariance = np.einsum("id,jd->ij", centred, centred) / (draws.shape[1] - 1)
    total, chance = float(gaps @ gaps), np.diagonal(covariance)
    least = np.concatenate([_least_variances(*each) for each in zip(confidence, right, strict=True)]) / len(parts)
    added = np.maximum(0.0, least - chance)
    scale = _scale(gaps, covariance + len(parts) * np.diag(added))  # runs are right and wrong on the same items
    span = _interval(total, float((chance + added).sum()) * stretch**2, scale * stretch**2)
    return CalibrationError(float(np.sqrt(max(0.0, total - chance.sum()))), span)


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """A bin of a reliability diagram: predictions of about equal confidence.

    Attributes:
        items: number of predictions; an item counts once for each run.
        confidence: mean confidence of the predictions, 0 to 1.
        right: share of the predictions that are right.
        span: 95 % interval of `right`.
    """

    items: int
    confidence: float
    right: float
    span: Interval


def reliability_bins(confidence: Floats, right: Flags, *, design_effect: float = 1.0) -> list[ReliabilityBin]:
    """Return the bins of a reliability diagram, the least confident first; `calibration_error` has the same bins.

    The interval of a bin is exact for independent items. The predictions of several runs for one item count as one
    prediction, so that the interval is too wide rather than too narrow. If items are in groups, the number of items is
    divided by the design effect.

    Args:
        confidence: float64 [runs, n], the probability that each run gives its most probable class.
        right: bool [runs, n], whether the most probable class is the item's true class.
        design_effect: how many grouped items hold as much information as one independent item; 1 without groups.
    """
    runs, sure, hits = len(confidence), confidence.ravel(), right.ravel()
    bins = bins_of(sure, runs)
    made = []
    for number in range(int(bins.max()) + 1):
        inside = bins == number
        share, count = float(hits[inside].mean()), int(inside.sum())
        trials = count / runs / design_effect
        made.append(ReliabilityBin(count, float(sure[inside].mean()), share, exact_interval(share * trials, trials)))
    return made


def bins_of(confidence: Floats, runs: int = 1) -> Integers:
    """Return the bin of a reliability diagram to which each prediction belongs, int64 [n], numbered from 0.

    Predictions of equal confidence are in the same bin.

    Args:
        confidence: float64 [n], the confidence of each prediction.
        runs: number of predictions for each item; the number of bins depends on the number of items, n / `runs`.
    """
    bins = max(1, min(MOST_BINS, len(confidence) // (ITEMS_A_BIN * runs)))
    edges = np.unique(np.quantile(confidence, np.arange(1, bins) / bins, method="inverted_cdf"))
    return np.unique(np.searchsorted(edges, confidence, side="left"), return_inverse=True)[1].astype(np.int64)


def _bin_gaps(confidence: Floats, right: Flags, weights: Floats) -> tuple[Floats, Floats]:
    """Return the gap between accuracy and confidence of each bin, times the root of the bin's share of items.

    The gaps of one run are returned on the original items, float64 [bins], and on the resampled items, float64 [bins,
    draws]. Gaps on resampled items are further multiplied by the root of n / (n - 1), with n the items of the bin,
    since the variance of a bootstrap mean is (n - 1) / n of the variance of a mean.

    Args:
        confidence: float64 [n], the probability that the run gives its most probable class.
        right: bool [n], whether the most probable class is the item's true class.
        weights: float64 [draws, n], how often each item is in each bootstrap resample (draw).
    """
    bins = bins_of(confidence)
    count = int(bins.max()) + 1
    every = np.concatenate([np.ones((1, len(bins))), weights])
    items = weighted(indicator(bins, count), every)
    gaps = ratio(weighted(indicator(bins, count, right - confidence), every), items)
    size = items[:, 0]
    share, stretch = np.sqrt(size / size.sum()), np.sqrt(size / np.maximum(size - 1, 1))
    return floats(share * gaps[:, 0]), floats((share * stretch)[:, None] * gaps[:, 1:])


def _least_variances(confidence: Floats, right: Flags) -> Floats:
    """Return the least variance of the gap of each bin, float64 [bins], for gaps scaled as `_bin_gaps` returns them.

    The predictions of a bin are often all right, and resamples of them then have no variance. So the share p that is
    right counts half a prediction more on either side (the mean of Jeffreys' posterior): the variance is p (1 - p) / n.

    Args:
        confidence: float64 [n], the probability that the run gives its most probable class.
        right: bool [n], whether the most probable class is the item's true class.
    """
    bins = bins_of(confidence)
    items = np.bincount(bins).astype(np.float64)
    share = (np.bincount(bins, right) + 0.5) / (items + 1)
    return floats(share * (1 - share) / len(bins))


def _scale(gaps: Floats, covariance: Floats) -> float:
    """Return the scale of the chi-squared variable that approximates the sum of the squared gaps.

    The scale is the variance of the gaps along the vector of the measured gaps; if these are all 0, the sum of squares
    of the covariance matrix divided by its trace.

    Args:
        gaps: float64 [bins], the measured gap of each bin.
        covariance: float64 [bins, bins], the covariance of the gaps over resamples.
    """
    total = float(gaps @ gaps)
    if total > 0:
        return float(gaps @ covariance @ gaps) / total
    return float((covariance**2).sum() / max(np.trace(covariance), np.finfo(np.float64).tiny))


def _interval(total: float, chance: float, scale: float) -> Interval:
    """Return the 95 % interval of the calibration error.

    If `total` is below `chance`, the upper end is computed as if `total` were equal to `chance`: a total that is small
    by luck would otherwise give too low an upper end.

    Args:
        total: the sum of the squared gaps of the bins.
        chance: the expected sum for probabilities without calibration error.
        scale: the scale of the chi-squared variable that approximates the sum.
    """
    low, high = (
        scale * _noncentrality(value / scale, chance / scale, share)
        for value, share in ((total, 0.975), (max(total, chance), 0.025))
    )
    return Interval(float(np.sqrt(low)), float(np.sqrt(high)))


def _noncentrality(value: float, degrees: float, share: float) -> float:
    """Return the noncentrality with which a chi-squared variable is below `value` with probability `share`.

    The result is 0 if a central variable is below `value` with a probability of at most `share`.

    Args:
        value: the quantile.
        degrees: the degrees of freedom of the variable.
        share: the probability of a value below the quantile.
    """

    def above(noncentrality: float) -> float:
        return float(chndtr(value, degrees, noncentrality)) - share

    if above(0.0) <= 0:
        return 0.0
    end = value + degrees + 1.0
    while above(end) > 0:
        end *= 2
    return float(brentq(above, 0.0, end))
