"""Intervals from a bootstrap over two crossed sources of chance: the training runs and the test items.

A run is one training of a system: on one subset of the labelled examples, with one seed.

    item_weights ─► Metric.score of each run, by draw ─┬► crossed_interval   interval of a mean score or difference
    run_picks ─────────────────────────────────────────┴► crossed            draws of a mean score or difference

`crossed` is linear in the scores: with the same weights and picks, the draws of a paired difference are the difference
of two systems' draws. Every resample of items is the same for all runs and systems, and every resample of runs is the
same for all items.

The last functions of the module resample the items alone, and return draws of means and of shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio

MOST_PERCENTILES = 0.98
"""Highest level at which an interval's ends are percentiles; a thousand draws then have ten beyond either end."""
_AT_ONCE = 1 << 21
"""Counts drawn at a time, so that memory does not grow with items x draws."""


@dataclass(frozen=True, slots=True)
class Resamples:
    """The resamples from which a study computes its intervals.

    Attributes:
        draws: number of resamples.
        seed: seed of the study, from which the seeds of the resamples are derived.
    """

    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def columns(self, prefix: str = "") -> dict[str, float]:
        """Return both ends of the interval as table columns `low` and `high`, each name preceded by `prefix`."""
        return {f"{prefix}low": self.low, f"{prefix}high": self.high}

    def negated(self) -> Interval:
        """Return the interval of the quantity with the opposite sign: from `-high` to `-low`."""
        return Interval(-self.high, -self.low)

    def within(self, least: float, most: float) -> Interval:
        """Return the interval with its ends clipped to a range; NaN ends stay NaN.

        Args:
            least: the lower end of the range.
            most: the upper end of the range.
        """
        return Interval(max(self.low, least), min(self.high, most))


UNBOUNDED = -math.inf, math.inf
"""The range of a quantity that can have any value."""


def difference_range(value_range: tuple[float, float]) -> tuple[float, float]:
    """Return the least and the greatest possible difference of two quantities with the same range of values.

    >>> difference_range((0.0, 1.0))
    (-1.0, 1.0)
    """
    least, most = value_range
    return least - most, most - least


def item_weights(items: int, draws: int, rng: np.random.Generator, groups: NDArray[np.generic] | None = None) -> Floats:
    """Draw the number of times that each item is in each resampled test set, float64 [draws, items].

    Args:
        items: number of items; each resampled set has as many, or as many on average where groups differ in size.
        draws: number of resampled sets.
        rng: source of randomness.
        groups: [items], names of groups of items that are drawn together (near-duplicates, sentences of one document);
            None draws items one by one.

    Memory is 8 bytes per draw and item. The draws of an item are contiguous, as `weighted_sums.weighted` needs them.
    """
    if groups is None:
        return _counts(items, draws, rng).T
    _, member = np.unique(groups, return_inverse=True)
    by_group = _counts(int(member.max()) + 1, draws, rng)
    return by_group[member].T


def run_picks(runs: int, draws: int, rng: np.random.Generator) -> Integers:
    """Draw the runs of each resampled set of runs, as indices, int64 [draws, runs].

    Args:
        runs: number of runs; each resampled set has as many.
        draws: number of resampled sets.
        rng: source of randomness.
    """
    return rng.integers(runs, size=(draws, runs))


def crossed(point: Floats, by_draw: Floats, picks: Integers) -> Floats:
    """Return bootstrap draws of the mean score, float64 [draws], with the variation of both items and runs.

    A draw is mean + (item part) + sqrt(S / (S - 1)) (run part), where S is the number of runs. The item part is the
    change of the mean over all runs when items are resampled, the run part the change when runs are resampled on the
    original items. The root undoes the shrinkage of a bootstrap over few runs (Davison and Hinkley 1997, section 2.3).
    With one run there is only the item part, so that the draws do not cover other runs.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], each run's score on the resampled items, the same items for every run.
        picks: int64 [draws, runs] from `run_picks`.

    Raises:
        ValueError: the shapes of `point`, `by_draw` and `picks` do not match.
    """
    runs = len(point)
    if by_draw.shape != (runs, len(picks)) or picks.shape[1] != runs:
        raise ValueError(f"scores of {runs} runs, draws {by_draw.shape} and picks {picks.shape} do not fit together")
    if runs == 1:
        return items_only(point, by_draw, picks)
    stretch = np.sqrt(runs / (runs - 1))
    return floats(items_only(point, by_draw, picks) + stretch * (runs_only(point, by_draw, picks) - point.mean()))


def crossed_interval(
    point: Floats,
    by_draw: Floats,
    picks: Integers,
    level: float = 0.95,
    *,
    value_range: tuple[float, float] = UNBOUNDED,
) -> Interval:
    """Return the confidence interval of a mean score, or of a paired difference, over runs and items.

    The limits of the interval are percentiles of the draws of `widened`. For a paired difference pass differences
    (`point_a - point_b`, `by_draw_a - by_draw_b`), since `widened` is not linear. With one run, the interval is over
    items alone; see `intervals_from_few_runs` for an interval that adds a prior of the variance between runs.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], each run's score on the resampled items.
        picks: int64 [draws, runs] from `run_picks`.
        level: confidence level.
        value_range: the least and the greatest possible value, to which the interval is clipped. With two runs, the
            quantile of Student's t is 6 times the normal quantile, and the interval may be wider than the possible
            range.
    """
    return interval(widened(point, by_draw, picks, level), level).within(*value_range)


def widened(point: Floats, by_draw: Floats, picks: Integers, level: float = 0.95) -> Floats:
    """Return the draws of `crossed`, float64 [draws], rescaled so that their percentiles have coverage `level`.

    Without correction, nominal 95 % intervals cover 88 % with 5 runs on 2,000 items if runs vary more than items do,
    and 98 % if runs do not differ. There are two corrections. First, each run's luck with the items (the interaction of
    run and item) is subtracted from the variance between runs, since the resampling of items counts it already. Second,
    a variance estimated from few runs is uncertain: the width is multiplied by the ratio of Student's to normal
    quantiles, at Satterthwaite's (1946) degrees of freedom.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], each run's score on the resampled items.
        picks: int64 [draws, runs] from `run_picks`.
        level: confidence level of the percentiles that will be taken.
    """
    draws, runs = crossed(point, by_draw, picks), len(point)
    variance = float(point.var(ddof=1)) if runs > 1 else 0.0
    if variance == 0:
        return draws
    item_part = items_only(point, by_draw, picks) - point.mean()
    run_share = run_variance(point, by_draw) / variance
    degrees_of_freedom = (float(item_part.var()) + run_share * variance / runs) ** 2 / (
        (variance / runs) ** 2 / (runs - 1)
    )
    probability = (1 + level) / 2
    inflation = stdtrit(max(degrees_of_freedom, runs - 1), probability) / ndtri(probability)
    run_part = draws - point.mean() - item_part
    return floats(point.mean() + inflation * (item_part + np.sqrt(run_share) * run_part))


def run_variance(point: Floats, by_draw: Floats) -> float:
    """Return the variance between runs without the part that the sampling of test items adds to it; at least 0.

    The part is computed by `luck_variance` and subtracted.

    Args:
        point: float64 [runs], each run's score on the test items; two runs or more.
        by_draw: float64 [runs, draws], each run's score on the resampled items.
    """
    return max(0.0, float(point.var(ddof=1)) - luck_variance(by_draw))


def luck_variance(by_draw: Floats) -> float:
    """Return the part of the variance between runs that comes from the interaction of runs with the sampled items.

    The part is each run's luck with the items, which would vanish with infinitely many items.

    Args:
        by_draw: float64 [runs, draws], each run's score on the resampled items; two runs or more.
    """
    return float((by_draw - by_draw.mean(axis=0)).var(axis=1).sum()) / (len(by_draw) - 1)


def items_only(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """Return the mean score over runs in each bootstrap draw, float64 [draws], where only the items are resampled.

    The draws are for comparison with `crossed`. Intervals computed from them are too short, as they leave out the
    variation between runs.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], each run's score on the resampled items.
        picks: int64 [draws, runs], not used.
    """
    return floats(by_draw.mean(axis=0))


def runs_only(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """Return the mean score over runs in each bootstrap draw, float64 [draws], where only the runs are resampled.

    The draws are for comparison with `crossed`. Intervals computed from them are too short where runs are few.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], not used.
        picks: int64 [draws, runs] from `run_picks`.
    """
    return floats(point[picks].mean(axis=1))


def interval(draws: Floats, level: float = 0.95) -> Interval:
    """Return the percentile interval of bootstrap draws, whose ends are NaN if one of the draws is NaN.

    A thousand draws have too few values beyond the ends of an interval of a very high level. For levels above
    `MOST_PERCENTILES`, the 95 % interval is therefore widened about the median by the ratio of the normal quantiles.

    Args:
        draws: float64 [draws], the values of the bootstrap draws.
        level: the level of the interval, such as 0.95.

    Raises:
        ValueError: there are no draws, or the level is outside (0, 1).
    """
    if draws.size == 0 or not 0 < level < 1:
        raise ValueError(f"an interval needs draws and a level in (0, 1), not {draws.size} draws and level {level}")
    if level <= MOST_PERCENTILES:
        low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
        return Interval(float(low), float(high))
    low, middle, high = np.quantile(draws, [0.025, 0.5, 0.975])
    stretch = float(ndtri((1 + level) / 2) / ndtri(0.975))
    return Interval(float(middle - stretch * (middle - low)), float(middle + stretch * (high - middle)))


def share_draws(
    above: Floats, below: Floats, groups: NDArray[np.generic], draws: int, rng: np.random.Generator
) -> Floats:
    """Return sum of `above` / sum of `below` in each resampled set of items, drawn by whole groups, float64 [draws, k].

    All columns of `above` share the resampled sets, so that differences of columns are paired.

    Args:
        above: float64 [n, k], k numerators of each item.
        below: float64 [n], the denominator of each item; or [n, k], a denominator for each column of `above`.
        groups: [n], the name of each item's group.
        draws: number of resampled sets.
        rng: source of randomness.
    """
    _, member = np.unique(groups, return_inverse=True)
    num_groups = int(member.max()) + 1
    sums = np.stack([np.bincount(member, column, num_groups) for column in (*above.T, *np.atleast_2d(below.T))], axis=1)
    step, parts = max(1, _AT_ONCE // num_groups), list[Floats]()
    for start in range(0, draws, step):
        drawn = item_weights(num_groups, min(step, draws - start), rng) @ sums
        parts.append(ratio(drawn[:, : above.shape[1]], drawn[:, above.shape[1] :], otherwise=np.nan))
    return floats(np.concatenate(parts))


def mean_draws(values: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the mean of each column over resampled items, float64 [draws, k].

    Args:
        values: float64 [items, k]; NaN where an item has no value.
        draws: number of resampled sets; columns share them, so that differences of columns are paired.
        rng: source of randomness.
    """
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    step = max(1, _AT_ONCE // max(1, len(values)))
    parts = []
    for start in range(0, draws, step):
        weights = item_weights(len(values), min(step, draws - start), rng)
        parts.append(ratio(weights @ filled, weights @ known, otherwise=np.nan))
    return floats(np.concatenate(parts))


def left_out_groups(
    measure: Callable[[NDArray[np.floating]], float], rows: NDArray[np.floating], group: NDArray[np.integer]
) -> float:
    """Return the standard error of a measure of rows, from its values without each group (delete-a-group jackknife).

    The jackknife is for measures that repeated rows bias, so that a bootstrap cannot be used.

    Args:
        measure: function that takes rows, [n, d], and returns the measure.
        rows: [n, d], the rows that are measured.
        group: int [n], the group of each row, numbered from 0; groups of about equal size, drawn at random.
    """
    groups = int(group.max()) + 1
    without = floats([measure(rows[group != left_out]) for left_out in range(groups)])
    return float(left_out_error(without))


def left_out_error(without: Floats) -> Floats:
    """Return the standard error of each value of a measure, float64 [...] (delete-a-group jackknife).

    Args:
        without: float64 [groups, ...]; entry g holds the values measured without the rows of group g.
    """
    groups = len(without)
    return floats(np.sqrt((groups - 1) / groups * ((without - without.mean(0)) ** 2).sum(0)))


def _counts(items: int, draws: int, rng: np.random.Generator) -> Floats:
    """Draw multinomial counts: how often each item is in each resample, float64 [items, draws]."""
    drawn = rng.integers(items, size=(items, draws)) * draws + np.arange(draws)
    return np.bincount(drawn.ravel(), minlength=items * draws).reshape(items, draws).astype(np.float64)
