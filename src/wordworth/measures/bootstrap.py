"""Intervals from a bootstrap over two crossed sources of chance: the runs (subset, seed) and the test items.

    item_weights ─► Metric.score of each run, by draw ─┬► crossed_interval   one score or paired difference to print
    run_picks ─────────────────────────────────────────┴► crossed            joint draws to compute further with

`crossed` is linear in the scores: with the same weights and picks, the draws of a paired difference are the difference
of two systems' draws. Resampling an item moves it for every run and system, resampling a run for every item.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from wordworth.measures.weighted_sums import Floats, Integers, floats


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that should hold the truth at the level it was made for."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def within(self, least: float, most: float) -> Interval:
        """What of the range lies between two ends; a NaN stays one."""
        return Interval(max(self.low, least), min(self.high, most))


def item_weights(items: int, draws: int, rng: np.random.Generator, groups: NDArray[np.generic] | None = None) -> Floats:
    """float64 [draws, items]: how often each item is in each resampled test set.

    Args:
        items: how many there are; each draw has as many, on average where groups differ in size.
        draws: how many resampled sets.
        rng: the chance.
        groups: [items] names of groups that are drawn together (near twins, sentences of one document).

    Memory is 8 bytes a draw and item; draws lie next to each other, as `sums.weighted` wants them.
    """
    if groups is None:
        return _counts(items, draws, rng).T
    _, member = np.unique(groups, return_inverse=True)
    by_group = _counts(int(member.max()) + 1, draws, rng)
    return by_group[member].T


def run_picks(runs: int, draws: int, rng: np.random.Generator) -> Integers:
    """int64 [draws, runs]: the runs in each resampled set of runs."""
    return rng.integers(runs, size=(draws, runs))


def crossed(point: Floats, by_draw: Floats, picks: Integers) -> Floats:
    """float64 [draws]: the mean score of the runs, with the chance of items and of runs both in it.

    mean + (item part) + sqrt(S / (S - 1)) (run part): the item part is what resampling items changes in the mean over
    all S runs, the run part what resampling runs changes on the items as they are; the root undoes the shrinkage of a
    bootstrap over few runs (Davison and Hinkley 1997, section 2.3). With one run only the item part is known, and the
    draws say nothing about other runs.

    Args:
        point: float64 [runs], each run's score on the test items.
        by_draw: float64 [runs, draws], each run's score on the resampled items, the same items for every run.
        picks: int64 [draws, runs] from `run_picks`.

    Raises:
        ValueError: the three do not fit together.
    """
    runs = len(point)
    if by_draw.shape != (runs, len(picks)) or picks.shape[1] != runs:
        raise ValueError(f"scores of {runs} runs, draws {by_draw.shape} and picks {picks.shape} do not fit together")
    if runs == 1:
        return items_only(point, by_draw, picks)
    stretch = np.sqrt(runs / (runs - 1))
    return floats(items_only(point, by_draw, picks) + stretch * (runs_only(point, by_draw, picks) - point.mean()))


def crossed_interval(
    point: Floats, by_draw: Floats, picks: Integers, level: float = 0.95, *, assumed: float = 0.0
) -> Interval:
    """The interval of one mean score or paired difference over runs and items: of the draws that `widened` gives.

    For a paired difference give differences (`point_a - point_b`, `by_draw_a - by_draw_b`), since that is not linear.
    One run shows nothing of what others would have scored: `assumed`, the standard deviation between runs, is then
    added to what its items show, both taken as normal.
    """
    if len(point) == 1 and assumed > 0:
        spread = float(np.hypot(crossed(point, by_draw, picks).std(), assumed))
        reach = float(ndtri((1 + level) / 2)) * spread
        return Interval(float(point[0]) - reach, float(point[0]) + reach)
    return interval(widened(point, by_draw, picks, level), level)


def widened(point: Floats, by_draw: Floats, picks: Integers, level: float = 0.95) -> Floats:
    """float64 [draws]: the draws of `crossed`, spread so that their percentiles at `level` are honest.

    Two corrections: as they come, the percentiles cover 88 % with 5 runs on 2,000 items, where runs outweigh items, and
    98 % where runs do not differ. The runs' variance also holds each run's own luck with the items, which the item part
    has counted: that share of it is taken off. And a variance seen in few runs is uncertain: the spread grows by the
    ratio of Student's to normal quantiles, at Satterthwaite's (1946) degrees of freedom.
    """
    draws, runs = crossed(point, by_draw, picks), len(point)
    variance = float(point.var(ddof=1)) if runs > 1 else 0.0
    if variance == 0:
        return draws
    item_part = items_only(point, by_draw, picks) - point.mean()
    luck = float((by_draw - by_draw.mean(axis=0)).var(axis=1).sum()) / (runs - 1)
    own = max(0.0, 1 - luck / variance)
    freedom = (float(item_part.var()) + own * variance / runs) ** 2 / ((variance / runs) ** 2 / (runs - 1))
    tail = (1 + level) / 2
    wider = stdtrit(max(freedom, runs - 1), tail) / ndtri(tail)
    run_part = draws - point.mean() - item_part
    return floats(point.mean() + wider * (item_part + np.sqrt(own) * run_part))


def items_only(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """The item part alone: too short as soon as runs differ. Kept to be compared with `crossed`."""
    return floats(by_draw.mean(axis=0))


def runs_only(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """The run part alone, unstretched: too short for few runs. Kept to be compared with `crossed`."""
    return floats(point[picks].mean(axis=1))


def resampled(point: Floats, by_draw: Floats, picks: Integers) -> Floats:  # noqa: ARG001 - the same arguments as crossed
    """Runs and items resampled at once, the plain hierarchical bootstrap: slightly too long. Kept to be compared."""
    return floats(by_draw[picks, np.arange(len(picks))[:, None]].mean(axis=1))


def interval(draws: Floats, level: float = 0.95) -> Interval:
    """The percentile interval of bootstrap draws; a NaN among them makes both ends NaN.

    Raises:
        ValueError: no draws, or a level outside (0, 1).
    """
    if draws.size == 0 or not 0 < level < 1:
        raise ValueError(f"an interval needs draws and a level in (0, 1), not {draws.size} draws and level {level}")
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def items_to_tell(items: int, gap: float, span: Interval, margin: float) -> float:
    """About how many test items would tell whether a gap is below 0 or above -margin, if it is what it seems.

    An interval shrinks with the root of the items; it tells once it leaves out 0 or -margin. Infinite where no number
    of items would, and never fewer than there are. What runs differ by does not shrink with items: a lower bound.
    """
    half_width = (span.high - span.low) / 2
    room = max(abs(gap), abs(gap + margin))
    return max(float(items), items * (half_width / room) ** 2) if room > 0 else np.inf


def _counts(items: int, draws: int, rng: np.random.Generator) -> Floats:
    """float64 [items, draws]: multinomial counts, by counting drawn indices."""
    drawn = rng.integers(items, size=(items, draws)) * draws + np.arange(draws)
    return np.bincount(drawn.ravel(), minlength=items * draws).reshape(items, draws).astype(np.float64)
