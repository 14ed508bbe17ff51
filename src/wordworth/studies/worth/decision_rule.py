"""The rule of the verdict, on scores alone, so that every condition can ask it again.

A rung is *adequate* when it is within epsilon of every other rung (but for those that were raced out): the lower bound
of each paired difference is at least -epsilon. All of them must hold, so no correction for having looked at many is
needed (an intersection-union test, Berger 1982), and which rung happens to look best does not enter. A cheap rung is
*surely behind* a contextual one when the interval of their paired difference lies wholly below 0. One contextual rung
is enough for that, so each is asked at a level that leaves 5 % to all of them together (Bonferroni, one-sided).

    cheap suffices           a cheap rung is adequate
    contextual is worth it   none is, and every cheap rung is surely behind a contextual one
    cannot tell yet          anything else

The lead that is "worth it" need not surely exceed epsilon, only surely exist, where no cheap rung is surely within it;
the sentence under such an answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval, items_to_tell
from wordworth.representations.rung import CONTEXTUAL, Family
from wordworth.studies.worth.scores import Scores

Answer = Literal["cheap suffices", "contextual is worth it", "cannot tell yet"]
_ERROR = 0.05
"""How often a rung that is as good may be called surely behind."""
_FEWEST = 2
"""At two contextual rungs or fewer, the level is that of the intervals that are printed, 95 %."""


@dataclass(frozen=True, slots=True)
class RungComparison:
    """One rung against the best of the others at the top size.

    Attributes:
        rival: the rung it is furthest behind (its own name where it leads).
        mean: its own score.
        gap, interval: paired difference to that rival.
        adequate: within epsilon of every other rung.
        behind: the contextual rungs that it is surely behind.
    """

    name: str
    family: Family
    rival: str
    mean: float
    gap: float
    interval: Interval
    adequate: bool
    behind: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, the rung it names, and how every rung stands (cheapest first)."""

    answer: Answer
    rung: str
    best: str
    comparisons: tuple[RungComparison, ...]
    epsilon: float

    def of(self, name: str) -> RungComparison:
        """How one rung stands."""
        return next(standing for standing in self.comparisons if standing.name == name)

    @property
    def cheap(self) -> tuple[RungComparison, ...]:
        """The rungs without context, the one that scores best first."""
        cheap = (standing for standing in self.comparisons if standing.family not in CONTEXTUAL)
        return tuple(sorted(cheap, key=lambda standing: -standing.mean))

    @property
    def contextual(self) -> tuple[RungComparison, ...]:
        """The rungs with context, cheapest first."""
        return tuple(standing for standing in self.comparisons if standing.family in CONTEXTUAL)

    @property
    def undecided(self) -> RungComparison | None:
        """The best cheap rung that may still be as good as any contextual one; None where all are surely behind."""
        return next((standing for standing in self.cheap if not standing.behind), None)

    @property
    def sure_leaders(self) -> tuple[RungComparison, ...]:
        """The contextual rungs surely ahead of every cheap one; where no single one is, of the best cheap one."""
        every = [standing.behind for standing in self.cheap]
        names = frozenset(standing.name for standing in self.contextual).intersection(*every) or every[0]
        return tuple(standing for standing in self.contextual if standing.name in names)


def judge(scores: Scores, ladder: Sequence[tuple[str, Family]], labels: int, epsilon: float) -> Verdict:
    """The verdict at one number of labels.

    Args:
        scores: every rung's scores.
        ladder: names and families, cheapest first; rungs not measured at `labels` are left out.
        labels: the size to judge at.
        epsilon: the margin, on the metric's scale.
    """
    present = [(name, family) for name, family in ladder if scores.has(name, labels)]
    standings = tuple(_standing(scores, name, family, present, (labels, epsilon)) for name, family in present)
    best = max(standings, key=lambda standing: standing.mean).name
    unsure = Verdict("cannot tell yet", best, best, standings, epsilon)
    adequate = (standing for standing in standings if standing.adequate and standing.family not in CONTEXTUAL)
    suffices = next(adequate, None)
    if not unsure.contextual:
        return unsure  # nothing to compare with
    if suffices is not None:
        return replace(unsure, answer="cheap suffices", rung=suffices.name)
    if unsure.undecided is None:
        return replace(unsure, answer="contextual is worth it", rung=_worth(unsure))
    return unsure


def _standing(
    scores: Scores, name: str, family: Family, present: Sequence[tuple[str, Family]], at: tuple[int, float]
) -> RungComparison:
    """The rung against the rival that leaves it the lowest lower bound, and its adequacy against all.

    No one that was raced out is a rival: it is surely worse than the best, which is one, and two runs tell no more.
    """
    labels, epsilon = at
    mean = scores.mean(name, labels)
    rivals = [other for other, _ in present if other not in {name, *scores.dropped}]
    gaps = {other: scores.gap_interval(name, other, labels) for other in rivals}
    contextual = [other for other, kind in present if kind in CONTEXTUAL and other != name]
    behind = _behind(scores, name, contextual, labels)
    if not gaps:
        return RungComparison(name, family, name, mean, 0.0, Interval(0.0, 0.0), adequate=True, behind=behind)
    rival = min(gaps, key=lambda other: gaps[other].low)
    adequate = gaps[rival].low >= -epsilon
    return RungComparison(name, family, rival, mean, scores.gap(name, rival, labels), gaps[rival], adequate, behind)


def _behind(scores: Scores, name: str, contextual: Sequence[str], labels: int) -> frozenset[str]:
    level = _level(len(contextual))
    return frozenset(other for other in contextual if scores.gap_interval(name, other, labels, level).high < 0)


def _level(contextual: int) -> float:
    """The two-sided level at which one of so many contextual rungs is asked whether it is surely ahead."""
    return 1 - 2 * _ERROR / max(contextual, _FEWEST)


def _worth(judged: Verdict) -> str:
    """The contextual rung to name, of those surely ahead: the cheapest adequate one, or else the best."""
    best = max(judged.sure_leaders, key=lambda standing: standing.mean)
    return next((standing.name for standing in judged.sure_leaders if standing.adequate), best.name)


def labels_needed(judgement: Verdict, rows: int) -> float:
    """About how many labelled rows would settle a `cannot tell yet`; infinite where no number would.

    The interval of the best cheap rung that is still open shrinks with the root of the test part, which grows with the
    rows; it settles the question once it no longer holds both 0 and -epsilon, at the level that `behind` is asked at.
    """
    if judgement.undecided is None:
        return math.inf
    gap, span = judgement.undecided.gap, judgement.undecided.interval
    wider = ndtri((1 + _level(len(judgement.contextual))) / 2) / ndtri((1 + _level(1)) / 2)
    asked = Interval(gap - wider * (gap - span.low), gap + wider * (span.high - gap))
    return items_to_tell(rows, gap, asked, judgement.epsilon)
