"""Agreement of two annotators, and the highest accuracy that a model can reach on the labels of one of them.

Let p be the shares with which annotators give each class to a text. Two annotators who label independently agree on the
text with the probability sum(p²). A model that knows p agrees with one of the annotators with a probability of at most
max(p). Over texts, with K classes,

    A  <=  E max(p)  <=  m,   where A = E sum(p²) is the agreement and m² + (1 - m)² / (K - 1) = A.

The upper bound is reached if all texts are equally hard and a wrong label is equally likely to be each of the other
classes. The bound holds for any texts, as m is concave in A (Jensen). Annotators are assumed to be alike and to label
independently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.design_effect import design_effect, few_groups_stretch
from wordworth.measures.weighted_sums import Floats, Integers, floats, ratio

_NORMAL, _ERROR = 1.96, 0.05
_ADDED = 2.0
"""Mean number of rows with agreement, and of rows without, that are added to a resample (Agresti and Coull 1998).
Without them, annotators who never differ in the sample would have an interval of zero width."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The measured agreement of two annotators.

    Attributes:
        rows: number of rows that both annotators labelled.
        same: share of these rows to which both gave the same label.
        same_interval: 95 % interval of `same`.
        kappa: Cohen's kappa; NaN if both annotators gave all rows the same class.
        kappa_interval: 95 % interval of `kappa`.
    """

    rows: int
    same: float
    same_interval: Interval
    kappa: float
    kappa_interval: Interval


def agreement(
    first: Integers, second: Integers, draws: int, rng: np.random.Generator, groups: Integers | None = None
) -> Agreement:
    """Measure the agreement of two annotators, with bootstrap intervals over rows, or over groups of rows.

    Args:
        first: int64 [n], the class that one annotator gave to each row.
        second: int64 [n], the class that the other annotator gave to each row.
        draws: number of bootstrap resamples.
        rng: source of randomness.
        groups: int64 [n], the group of each row, where resamples draw whole groups; None where they draw single rows.
    """
    every, weights = np.ones((1, len(first))), item_weights(len(first), draws, rng, groups)
    differ = (first != second).astype(np.float64)
    effect = 1.0 if groups is None else design_effect(np.stack([differ, np.zeros(len(differ))]), groups)
    stretch = 1.0 if groups is None else few_groups_stretch(len(np.unique(groups)))
    added_first, added_second, added_weights = _added(first, second, draws, rng)
    with_added = (
        np.concatenate([first, added_first]),
        np.concatenate([second, added_second]),
        np.concatenate([weights, effect * added_weights], axis=1),
    )
    same, kappa = (float(measure(first, second, every)[0]) for measure in (observed_agreement, cohen_kappa))
    spans = [_normal_interval(measure(*with_added), stretch) for measure in (observed_agreement, cohen_kappa)]
    return Agreement(len(first), same, spans[0].within(0.0, 1.0), kappa, spans[1].within(-1.0, 1.0))


def _normal_interval(resampled: Floats, stretch: float) -> Interval:
    """Return the normal 95 % interval of a measure, centred on the mean of its resamples.

    Args:
        resampled: float64 [draws], the measure in each resample.
        stretch: factor on the standard deviation of the resamples.
    """
    middle, half = float(np.nanmean(resampled)), stretch * _NORMAL * float(np.nanstd(resampled))
    return Interval(middle - half, middle + half)


def _added(
    first: Integers, second: Integers, draws: int, rng: np.random.Generator
) -> tuple[Integers, Integers, Floats]:
    """Return the classes that two annotators give to k added rows, and how often each row is in each resample.

    The classes are int64 [k] for each annotator, the numbers of times float64 [draws, k]. On half of the added rows the
    annotators agree, on the other half they differ.
    """
    present = np.unique(np.concatenate([first, second]))
    if len(present) == 1:
        present = np.array([present[0], present[0] + 1])
    count = len(present)
    rows = np.concatenate([present, present])
    others = np.concatenate([present, np.roll(present, 1)])
    return rows, others, floats(rng.poisson(_ADDED / count, (draws, 2 * count)))


def observed_agreement(first: Integers, second: Integers, weights: Floats) -> Floats:
    """Return the share of rows with the same label in each bootstrap resample, float64 [draws].

    Args:
        first: int64 [n], the class that one annotator gave to each row.
        second: int64 [n], the class that the other annotator gave to each row.
        weights: float64 [draws, n], how often each row is in each resample.
    """
    return ratio(weights @ (first == second), weights.sum(axis=1))


def cohen_kappa(first: Integers, second: Integers, weights: Floats) -> Floats:
    """Return Cohen's (1960) kappa in each bootstrap resample, float64 [draws]: agreement beyond chance, at most 1.

    Kappa is 1 for full agreement, and NaN if all labels are of one class.

    Args:
        first: int64 [n], the class that one annotator gave to each row.
        second: int64 [n], the class that the other annotator gave to each row.
        weights: float64 [draws, n], how often each row is in each resample.
    """
    same, total, chance = observed_agreement(first, second, weights), weights.sum(axis=1), np.zeros(len(weights))
    for number in np.union1d(first, second):
        chance += weights @ (first == number) * (weights @ (second == number)) / total**2
    return ratio(same - chance, 1 - chance, otherwise=np.nan)


def best_accuracy(same: float, classes: int) -> float:
    """Return an upper bound of the accuracy that any model can reach on the labels of one of two annotators.

    With A = `same` and K classes, the bound is the m above 1 / K that solves m² + (1 - m)² / (K - 1) = A.

    >>> best_accuracy(0.82, 2), best_accuracy(1.0, 3)
    (0.9, 1.0)

    Args:
        same: share of rows on which two annotators agree.
        classes: number of classes, two or more.
    """
    beyond_chance = max(0.0, (classes - 1) * (classes * same - 1))
    return round((1 + float(np.sqrt(beyond_chance))) / classes, 12)


def unlike_classes(
    first: Integers, second: Integers, draws: int, rng: np.random.Generator, groups: Integers | None = None
) -> Integers:
    """Return the classes that two annotators give with significantly different frequencies, int64 [classes found].

    The classes are the integers that name them in `first` and `second`, the class with the largest difference first.
    All tests together have a false-positive rate of at most 5 % (Bonferroni).

    Args:
        first: int64 [n], the class that one annotator gave to each row.
        second: int64 [n], the class that the other annotator gave to each row.
        draws: number of bootstrap resamples.
        rng: source of randomness.
        groups: int64 [n], the group of each row, where resamples draw whole groups; None where they draw single rows.
    """
    weights, classes = item_weights(len(first), draws, rng, groups), np.union1d(first, second)
    level, gaps = 1 - _ERROR / len(classes), {}
    for number in classes.tolist():
        more = (first == number).astype(np.float64) - (second == number)
        if 0 not in interval(ratio(weights @ more, weights.sum(axis=1)), level):
            gaps[number] = abs(float(more.mean()))
    return np.array(sorted(gaps, key=lambda number: -gaps[number]), dtype=np.int64)
