"""The label multiple: how many times as many labelled examples one system needs to reach the score of another.

A learning curve is replaced by its running best (noise makes raw curves cross a target several times), interpolated
linearly in log2 of the labels. Crossings beyond the measured numbers of labelled examples are censored: only a bound is
known, and bounds are never averaged.

`times_more_labels` takes the contextual system's score with n labels, and returns the number of labelled examples that
the cheap system needs for this score, divided by n. `times_fewer_labels` takes the cheap system's score with N labels,
and returns N divided by the number of labelled examples that the contextual system needs for this score (1 to 16 in
Arora et al. 2020).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers, floats

State: TypeAlias = Literal["at most", "exact", "more than", "never", "undefined"]
STATES: tuple[State, ...] = ("at most", "exact", "more than", "never", "undefined")
AT_MOST, EXACT, MORE_THAN, NEVER, UNDEFINED = range(5)
_NEXT_TO_NOTHING = 0.1
"""A multiple counts as unknown if its interval reaches from a number below this to infinity."""
FEW_MORE = 1.1
"""A multiple of which only a lower bound below this is known shows no more than that the cheap system is behind."""


def is_unbounded(low: float, high: float) -> bool:
    """Return whether the interval of a multiple is bounded on neither side, so that the multiple is unknown.

    Args:
        low: lower end of the interval.
        high: upper end; infinite where the multiple has no upper bound.
    """
    return low < _NEXT_TO_NOTHING and not math.isfinite(high)


@dataclass(frozen=True, slots=True)
class Multiple:
    """How many times as many labels one system needs as another system, and whether that number is exact or a bound.

    Attributes:
        value: the multiple.
        state: `exact`; `at most` or `more than` if `value` is a bound; `never` if it is infinite; `undefined` if NaN.
    """

    value: float
    state: State


@dataclass(frozen=True, slots=True)
class Multiples:
    """One label multiple for each bootstrap draw.

    Attributes:
        values: float64 [draws], how many times as many labelled examples one system needs as another; in the result of
            `crossings`, the number of labelled examples itself.
        states: int64 [draws], the state of each value, an index into `STATES`: exact, a bound, never or undefined.
    """

    values: Floats
    states: Integers


@dataclass(frozen=True, slots=True)
class Summary:
    """A label multiple summarised over bootstrap draws.

    Attributes:
        median: the label multiple of the middle draw, with its state: a bound if only a bound is known for that draw.
        low: the lower end of the percentile interval; 0 if the draw at this end is an `at most` bound.
        high: the upper end of the percentile interval; infinite if the draw at this end is a `more than` bound.
        censored: the share of draws that have no exact value: bounds, and draws that never reach the target.
    """

    median: Multiple
    low: float
    high: float
    censored: float


def crossings(labels: Integers, scores: Floats, targets: Floats, ceilings: Floats | None = None) -> Multiples:
    """Return the number of labelled examples at which each bootstrap draw's learning curve first reaches its target.

    Args:
        labels: int64 [sizes], the numbers of labelled examples at which the curve was measured, increasing.
        scores: float64 [draws, sizes], the scores at these numbers of labelled examples; larger is better.
        targets: float64 [draws], the target score of each draw.
        ceilings: float64 [draws], the limit of a curve fitted to the scores, or None to set no limit.

    Returns:
        A number of labelled examples and its state for each draw. If the curve reaches its target between two of
        `labels`, it is interpolated, and the state is `exact`. If labels[0] are enough, the number is labels[0] with
        the state `at most`. If labels[-1] are not enough, the number is labels[-1] with the state `more than`, or
        infinity with `never` where the target is also above the ceiling. If a score is missing, the number is NaN with
        `undefined`.
    """
    best = np.maximum.accumulate(scores, axis=1)
    reached = best >= targets[:, None]
    after = np.argmax(reached, axis=1)
    none = ~reached.any(axis=1)
    states = np.where(none, MORE_THAN, np.where(after == 0, AT_MOST, EXACT))
    values = np.where(none, labels[-1], _between(floats(labels), best, targets, after))
    if ceilings is not None:
        states = np.where(none & (targets > ceilings), NEVER, states)
    states = np.where(np.isnan(best[:, -1]) | np.isnan(targets), UNDEFINED, states)
    values = np.where(states == NEVER, np.inf, np.where(states == UNDEFINED, np.nan, values))
    return Multiples(floats(values), states.astype(np.int64))


def times_more_labels(
    labels: Integers, cheap: Floats, at: int, targets: Floats, ceilings: Floats | None = None
) -> Multiples:
    """Return how many times as many labels a cheap system needs to reach the scores of an expensive one.

    The multiple is the number of labelled examples that the cheap system needs to score `targets`, divided by `at`.

    Args:
        labels: int64 [sizes], the numbers of labelled examples at which the cheap system was measured, increasing.
        cheap: float64 [draws, sizes], the cheap system's scores in each bootstrap draw.
        at: the expensive system's number of labelled examples.
        targets: float64 [draws], the expensive system's scores at `at` labels.
        ceilings: float64 [draws], the limits of curves fitted to the cheap system's scores, above which no number of
            labelled examples suffices; None to set no limits.
    """
    sizes = crossings(labels, cheap, targets, ceilings)
    return Multiples(sizes.values / at, sizes.states)


def times_fewer_labels(labels: Integers, contextual: Floats, at: int, targets: Floats) -> Multiples:
    """Return how many times fewer labels the contextual system needs to reach the scores of another system.

    The multiple is `at` divided by the number of labelled examples that the contextual system needs to score `targets`.
    Arora et al. 2020 choose this number among the measured ones; here it is interpolated between them. If labels[0] are
    enough to reach the target, the result is the bound `more than` at / labels[0]; if labels[-1] are not enough, the
    bound `at most` at / labels[-1].

    Args:
        labels: int64 [sizes], the numbers of labelled examples at which the contextual system was measured, increasing.
        contextual: float64 [draws, sizes], the contextual system's scores in each bootstrap draw.
        at: the other system's number of labelled examples.
        targets: float64 [draws], the other system's scores at `at` labels.
    """
    sizes = crossings(labels, contextual, targets)
    states = np.array([MORE_THAN, EXACT, AT_MOST, AT_MOST, UNDEFINED])[sizes.states]
    return Multiples(at / sizes.values, states)


def summary(multiples: Multiples, level: float = 0.95) -> Summary:
    """Summarise a label multiple over bootstrap draws by its median and interval.

    Draws are ranked by state (at most < exact < more than < never), then by value: bounds are ranked, never averaged.
    Undefined draws are left out; if all draws are undefined, all numbers are NaN and the state is `undefined`.

    Args:
        multiples: the label multiple in each bootstrap draw, with its state (exact, a bound, or undefined).
        level: the confidence level of the interval.
    """
    defined = multiples.states != UNDEFINED
    if not defined.any():
        return Summary(Multiple(np.nan, "undefined"), np.nan, np.nan, np.nan)
    values, states = multiples.values[defined], multiples.states[defined]
    order = np.lexsort((values, states))
    low, median, high = (order[_rank(len(order), share)] for share in ((1 - level) / 2, 0.5, (1 + level) / 2))
    return Summary(
        median=Multiple(float(values[median]), STATES[states[median]]),
        low=0.0 if states[low] == AT_MOST else float(values[low]),
        high=np.inf if states[high] >= MORE_THAN else float(values[high]),
        censored=float(np.mean(states != EXACT)),
    )


def _between(labels: Floats, best: Floats, targets: Floats, after: Integers) -> Floats:
    """Return the number of labelled examples at which each draw's curve crosses its target, float64 [draws].

    The curve is interpolated linearly in the logarithm of the number of labelled examples.

    Args:
        labels: float64 [sizes], the numbers of labelled examples at which the curve was measured.
        best: float64 [draws, sizes], the running best score of each draw.
        targets: float64 [draws], the score to reach.
        after: int64 [draws], the index of the first size at which the target is reached; for 0, labels[0] is returned.
    """
    rows, before = np.arange(len(best)), np.maximum(after - 1, 0)
    low, high = best[rows, before], best[rows, after]
    rise = np.where(high > low, high - low, 1.0)
    part = np.where(after > 0, (targets - low) / rise, 0.0)
    return floats(labels[before] * (labels[after] / labels[before]) ** part)


def _rank(count: int, share: float) -> int:
    """Return the index, among `count` sorted values, of the quantile `share`, rounded instead of interpolated."""
    return round(share * (count - 1))
