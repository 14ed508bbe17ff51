"""Advantage of a contextual system on easy and on hard items, with a null distribution for artefacts of the scale.

Items are split into an easy and a hard half by a measure of difficulty. An advantage that is the same everywhere in
log-odds is larger in accuracy where all systems err more. The advantage is therefore given on three scales (accuracy,
relative, log-odds). The difference between the two halves is compared with a null distribution, in which the measure is
shuffled among items that are equally difficult for all systems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logit

from wordworth.measures.bootstrap import Interval, crossed_interval
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats, indicator, weighted


@dataclass(frozen=True, slots=True)
class DifficultySplit:
    """Items split into an easy and a hard half at the median of a difficulty measure.

    Items at the median are easy; items without a value are in neither half.

    Attributes:
        easy: bool [items], whether each item is in the easy half.
        hard: bool [items], whether each item is in the hard half.
        threshold: the lower median; hard items lie above it.
        undefined: number of items without a value of the measure.
    """

    easy: Flags
    hard: Flags
    threshold: float
    undefined: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The advantage of the contextual system over its rival on one half of the items, on three scales.

    A number is NaN where it is undefined.

    Attributes:
        accuracy: the rival's error rate minus the contextual system's.
        relative: `accuracy` divided by the rival's error rate.
        logit: log-odds of the contextual system's accuracy minus log-odds of the rival's accuracy.
    """

    accuracy: float
    relative: float
    logit: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """The contextual system's advantage on the hard half of the items compared with its advantage on the easy half.

    Attributes:
        easy: the advantage on the easy half.
        hard: the advantage on the hard half.
        difference: the advantage in accuracy on the hard half minus the advantage on the easy half.
        span: the 95 % interval of `difference` over runs and items.
        null_difference: mean of the differences when the difficulty measure is shuffled among items on which all
            systems err about equally often.
        p: one-sided p-value: the share of differences at least as large as the observed difference, among the
            differences of the shuffles and the observed difference.
    """

    easy: Gap
    hard: Gap
    difference: float
    span: Interval
    null_difference: float
    p: float

    @property
    def larger_on_hard(self) -> bool | None:
        """Whether the advantage in accuracy is larger on the hard half of the items; None if it is the same on both."""
        return None if self.difference == 0 else self.difference > 0

    @property
    def survives_null(self) -> bool | None:
        """Whether the advantage on the hard half is larger by more than chance and the accuracy scale explain.

        True requires that the advantage is larger on the hard half both in accuracy and in log-odds, and that the
        p-value of the shuffles is at most 0.05. The value is None if the advantage in accuracy is equal on both halves.
        """
        if self.difference == 0:
            return None
        return bool(self.difference > 0 and self.hard.logit > self.easy.logit and self.p <= 0.05)  # noqa: PLR2004 - the usual level


@dataclass(frozen=True, slots=True)
class Resampling:
    """Resampled test sets and strata of difficulty, from which the interval and the null of a contrast are computed.

    Attributes:
        weights: float64 [draws, items] from `bootstrap.item_weights`, or [draws, groups].
        picks: int64 [draws, runs] from `bootstrap.run_picks`.
        strata: int64 [items], the index of each item's stratum of similar difficulty, from `strata`.
        permutations: number of shuffles of the measure.
        groups: int64 [items], the column of `weights` that belongs to each item, where items are drawn by group (words
            by sentence); None where each item has its own column.
        stretch: factor by which the distance of draws from the score is multiplied, above 1 if few groups are drawn
            (`design_effect.few_groups_stretch`).
    """

    weights: Floats
    picks: Integers
    strata: Integers
    permutations: int = 1000
    groups: Integers | None = None
    stretch: float = 1.0

    def interval(self, point: Floats, by_draw: Floats) -> Interval:
        """Return the interval of the mean of a quantity over runs.

        Only the draws in which the quantity is defined for every run are used.

        Args:
            point: float64 [runs], the value of each run.
            by_draw: float64 [runs, draws], the value of each run on the resampled items; NaN if it is not defined.
        """
        is_defined = ~np.isnan(by_draw).any(axis=0)
        farther = point[:, None] + self.stretch * (by_draw[:, is_defined] - point[:, None])
        return crossed_interval(point, farther if self.stretch != 1 else by_draw[:, is_defined], self.picks[is_defined])


def split(difficulty: Floats) -> DifficultySplit | None:
    """Split items at the median of a difficulty measure; None if one of the halves would be empty.

    A half is empty if all items have the same value, or none has a value. The median is the lower one of the two middle
    values, which gives the same halves as the mean of the middle pair, and is finite if some values are infinite.

    Args:
        difficulty: float64 [items], NaN for items without a value.
    """
    defined = ~np.isnan(difficulty)
    if not defined.any():
        return None
    threshold = float(np.quantile(difficulty[defined], 0.5, method="lower"))
    hard = defined & (difficulty > threshold)
    if not hard.any():
        return None
    return DifficultySplit(defined & ~hard, hard, threshold, int((~defined).sum()))


def gap(rival_error: float, own_error: float, items: int | None = None) -> Gap:
    """Compute the advantage of a system over its rival from their error rates, on three scales.

    Args:
        rival_error: the error rate of the rival.
        own_error: the error rate of the system.
        items: the number of items, by which error rates of 0 and 1 are moved half an item inwards for the log-odds; if
            it is None, the log-odds of such rates are undefined (NaN).
    """
    relative = (rival_error - own_error) / rival_error if rival_error > 0 else np.nan
    edge = 0.5 / items if items else 0.0
    own, rival = np.clip([1 - own_error, 1 - rival_error], edge, 1 - edge)
    both = 0 < own < 1 and 0 < rival < 1
    return Gap(rival_error - own_error, float(relative), float(logit(own) - logit(rival)) if both else np.nan)


def strata(error: Floats, most: int = 5) -> Integers:
    """Return for each item the index of its stratum of similar difficulty, int64 [items], larger for harder items.

    Items of equal error are in one stratum.

    Args:
        error: float64 [items], each item's error averaged over all systems.
        most: the maximal number of strata.
    """
    edges = np.unique(np.quantile(error, np.arange(1, most) / most))
    return np.searchsorted(edges, error, side="right").astype(np.int64)


def contrast(
    rival: Floats, own: Floats, halves: DifficultySplit, resampling: Resampling, rng: np.random.Generator
) -> Contrast:
    """Compare the advantage of the contextual system on the hard and on the easy half of the items.

    The difference gets an interval, and a null distribution, computed with the difficulty measure shuffled among items.

    Args:
        rival: float64 [runs, items], each item's error in [0, 1] in each run of the rival.
        own: float64 [runs, items], the errors of the contextual system in the same runs.
        halves: the easy and the hard half, from `split`.
        resampling: the resampled items and runs, and the strata of difficulty.
        rng: source of randomness of the permutations.
    """
    gain = rival - own
    point = gain[:, halves.hard].mean(axis=1) - gain[:, halves.easy].mean(axis=1)
    by_draw = _means(gain, halves.hard, resampling) - _means(gain, halves.easy, resampling)
    shuffled = null_differences(gain.mean(axis=0), halves, resampling.strata, resampling.permutations, rng)
    difference = float(point.mean())
    as_large = np.count_nonzero(shuffled >= difference - 1e-12)
    return Contrast(
        easy=_gap_in(rival, own, halves.easy),
        hard=_gap_in(rival, own, halves.hard),
        difference=difference,
        span=resampling.interval(point, by_draw),
        null_difference=float(shuffled.mean()),
        p=(1 + as_large) / (1 + len(shuffled)),
    )


def null_differences(
    gain: Floats, halves: DifficultySplit, groups: Integers, permutations: int, rng: np.random.Generator
) -> Floats:
    """Draw the gap on the hard half minus the gap on the easy half under the null hypothesis, float64 [permutations].

    A gap is the contextual system's advantage in accuracy on a half of the items. Under the null hypothesis, it does
    not matter which items of a group are in which half: membership in the halves is shuffled within groups of items.

    Args:
        gain: float64 [items], the rival's error minus the contextual system's error.
        halves: the true halves; their sizes are preserved in every group.
        groups: int64 [items], strata of equal difficulty; all 0 shuffles within the whole data set.
        permutations: number of shuffles.
        rng: source of randomness.
    """
    defined = halves.easy | halves.hard
    hard_sum = np.zeros(permutations)
    for group in np.unique(groups[defined]):
        inside = gain[defined & (groups == group)]
        hard = int(halves.hard[groups == group].sum())
        hard_sum += _drawn_sums(inside, hard, permutations, rng)
    hards, easies = halves.hard.sum(), halves.easy.sum()
    return floats(hard_sum / hards - (gain[defined].sum() - hard_sum) / easies)


def _drawn_sums(values: Floats, size: int, draws: int, rng: np.random.Generator) -> Floats:
    """Draw `size` of the values without replacement, `draws` times; return the sum of each draw, float64 [draws]."""
    distinct, counts = np.unique(values, return_counts=True)
    drawn = rng.multivariate_hypergeometric(counts, size, draws, method="marginals")
    return floats(np.einsum("dv,v->d", drawn, distinct))


def _means(values: Floats, among: Flags, resampling: Resampling) -> Floats:
    """Return each run's weighted mean over some items in each draw, float64 [runs, draws].

    The mean is NaN if the draw has none of these items.

    Args:
        values: float64 [runs, items].
        among: bool [items], the items over which the mean is taken.
        resampling: the resampled items.
    """
    groups = np.arange(len(among)) if resampling.groups is None else resampling.groups
    member = indicator(groups[among], resampling.weights.shape[1])
    *sums, total = weighted((member @ np.vstack([values[:, among], np.ones(among.sum())]).T).T, resampling.weights)
    return floats([np.divide(run, total, out=np.full_like(run, np.nan), where=total > 0) for run in sums])


def _gap_in(rival: Floats, own: Floats, among: Flags) -> Gap:
    return gap(float(rival[:, among].mean()), float(own[:, among].mean()), int(among.sum()) * len(own))
