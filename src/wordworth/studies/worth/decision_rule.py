"""The rule of the verdict, a function of scores alone, so that every condition can apply it again.

A rung is *adequate* when it is within the margin of every other rung (except those eliminated early): the lower bound
of each paired difference is at least -margin. All of them must hold, so no correction for multiple comparisons is
needed (an intersection-union test, Berger 1982), and it does not matter which rung happens to look best. A cheap rung
is *surely behind* a contextual one when the interval of their paired difference lies wholly below 0. One contextual
rung is enough for that, so each is tested at a level that leaves 5 % to all of them together (Bonferroni, one-sided).

    cheap suffices           a cheap rung is adequate
    contextual is worth it   none is, and every cheap rung is surely behind a contextual one
    cannot tell yet          anything else

The lead of a contextual rung that is "worth it" need not surely exceed the margin: it must surely exist, and no cheap
rung may be surely within the margin. The sentence under such an answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval, items_needed
from wordworth.studies.worth.scores import Scores

Answer = Literal["cheap suffices", "contextual is worth it", "cannot tell yet"]
_ERROR = 0.05
"""Probability that a rung which is as good is called surely behind."""
_FEWEST = 2
"""Number of contextual rungs up to which the level is that of the printed intervals, 95 %."""


class JudgedRung(Protocol):
    """The properties of a rung (a representation with its head on the ladder) that the rule reads."""

    @property
    def name(self) -> str:
        """The name of the rung on the ladder."""

    @property
    def contextual(self) -> bool:
        """True if the rung reads a word in its context."""

    @property
    def is_baseline(self) -> bool:
        """True if the rung predicts without reading the text: the constant rung."""


@dataclass(frozen=True, slots=True)
class RungComparison:
    """One rung compared with the others at one number of labels; scores are on the metric's scale.

    Attributes:
        name: the name of the rung.
        contextual, is_baseline: the properties of `JudgedRung`.
        rival: the other rung to which the difference has the lowest lower bound; the rung itself if there is no other.
        mean: the mean score of the rung over its runs.
        gap, interval: the paired difference, rung minus rival, and its 95 % interval.
        adequate: whether the rung is within the margin of every other rung.
        behind: names of the contextual rungs that this rung is surely behind.
    """

    name: str
    contextual: bool
    is_baseline: bool
    rival: str
    mean: float
    gap: float
    interval: Interval
    adequate: bool
    behind: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of the rule, the rung that the answer names, and how every rung compares.

    Attributes:
        answer: one of the three answers of the rule.
        rung: name of the rung that the answer names; the best one where the rule cannot tell.
        best: name of the rung with the highest mean score.
        comparisons: one for each rung measured at this number of labels, cheapest first.
        margin: how far behind another rung an adequate one may be, on the metric's scale.
    """

    answer: Answer
    rung: str
    best: str
    comparisons: tuple[RungComparison, ...]
    margin: float

    def of(self, name: str) -> RungComparison:
        """Return the comparison of the rung called `name`."""
        return next(comparison for comparison in self.comparisons if comparison.name == name)

    @property
    def cheap(self) -> tuple[RungComparison, ...]:
        """The comparisons of the rungs without context, best score first."""
        cheap = (comparison for comparison in self.comparisons if not comparison.contextual)
        return tuple(sorted(cheap, key=lambda comparison: -comparison.mean))

    @property
    def contextual(self) -> tuple[RungComparison, ...]:
        """The comparisons of the rungs with context, cheapest first."""
        return tuple(comparison for comparison in self.comparisons if comparison.contextual)

    @property
    def cheap_contender(self) -> RungComparison | None:
        """The best cheap rung that is surely behind no contextual rung; None where every cheap rung is behind one."""
        return next((comparison for comparison in self.cheap if not comparison.behind), None)

    @property
    def surely_ahead(self) -> tuple[RungComparison, ...]:
        """The contextual rungs surely ahead of every cheap rung; where there are none, those ahead of the best one."""
        every = [comparison.behind for comparison in self.cheap]
        names = frozenset(comparison.name for comparison in self.contextual).intersection(*every) or every[0]
        return tuple(comparison for comparison in self.contextual if comparison.name in names)


def judge(scores: Scores, ladder: Sequence[JudgedRung], labels: int, margin: float) -> Verdict:
    """Apply the rule at one number of labels, and return its verdict.

    Args:
        scores: every rung's scores.
        ladder: the rungs, cheapest first; rungs not measured at `labels` are left out.
        labels: the number of labels to judge at.
        margin: how far behind another rung an adequate one may be, on the metric's scale.
    """
    present = [rung for rung in ladder if scores.has(rung.name, labels)]
    comparisons = tuple(_compare(scores, rung, present, labels, margin) for rung in present)
    best = max(comparisons, key=lambda comparison: comparison.mean).name
    unsure = Verdict("cannot tell yet", best, best, comparisons, margin)
    adequate = (comparison for comparison in comparisons if comparison.adequate and not comparison.contextual)
    suffices = next(adequate, None)
    if not unsure.contextual:
        return unsure  # no contextual rung to compare with
    if suffices is not None:
        return replace(unsure, answer="cheap suffices", rung=suffices.name)
    if unsure.cheap_contender is None:
        return replace(unsure, answer="contextual is worth it", rung=_rung_to_name(unsure))
    return unsure


def unbeaten_baseline(verdict: Verdict, scores: Scores, labels: int) -> str:
    """Return the name of the constant rung that no other rung surely beats; "" where one does, or there is no other.

    Each comparison is at 95 %, the level of the printed intervals, so that the page supports the sentence.
    """
    constant = [comparison.name for comparison in verdict.comparisons if comparison.is_baseline]
    learned = [comparison.name for comparison in verdict.comparisons if not comparison.is_baseline]
    unbeaten = (
        floor for floor in constant if all(scores.gap_interval(name, floor, labels).low <= 0 for name in learned)
    )
    return next(unbeaten, "") if learned else ""


def _compare(
    scores: Scores, rung: JudgedRung, present: Sequence[JudgedRung], labels: int, margin: float
) -> RungComparison:
    """Compare a rung with the rival that leaves it the lowest lower bound, and test its adequacy against all.

    A rung that was eliminated early is no rival: it is surely worse than the best rung, which is a rival, and its
    two runs say no more.
    """
    name, kind = rung.name, (rung.contextual, rung.is_baseline)
    mean = scores.mean(name, labels)
    rivals = [other.name for other in present if other.name not in {name, *scores.dropped}]
    gaps = {other: scores.gap_interval(name, other, labels) for other in rivals}
    contextual = [other.name for other in present if other.contextual and other.name != name]
    behind = _behind(scores, name, contextual, labels)
    if not gaps:
        return RungComparison(name, *kind, name, mean, 0.0, Interval(0.0, 0.0), adequate=True, behind=behind)
    rival = min(gaps, key=lambda other: gaps[other].low)
    adequate = gaps[rival].low >= -margin
    return RungComparison(name, *kind, rival, mean, scores.gap(name, rival, labels), gaps[rival], adequate, behind)


def _behind(scores: Scores, name: str, contextual: Sequence[str], labels: int) -> frozenset[str]:
    level = _level(len(contextual))
    return frozenset(other for other in contextual if scores.gap_interval(name, other, labels, level).high < 0)


def _level(contextual: int) -> float:
    """The two-sided level at which each of this many contextual rungs is tested for being surely ahead."""
    return 1 - 2 * _ERROR / max(contextual, _FEWEST)


def _rung_to_name(verdict: Verdict) -> str:
    """The contextual rung to name among those surely ahead: the cheapest adequate one, or else the best."""
    best = max(verdict.surely_ahead, key=lambda comparison: comparison.mean)
    return next((comparison.name for comparison in verdict.surely_ahead if comparison.adequate), best.name)


def labels_needed(verdict: Verdict, rows: int) -> float:
    """Return about how many labelled rows would settle a `cannot tell yet`; infinite where no number would.

    The interval of the best undecided cheap rung shrinks with the square root of the test part, which grows with the
    rows. The question is settled once the interval, at the level of `behind`, no longer holds both 0 and -margin.
    """
    if verdict.cheap_contender is None:
        return math.inf
    gap, printed = verdict.cheap_contender.gap, verdict.cheap_contender.interval
    factor = ndtri((1 + _level(len(verdict.contextual))) / 2) / ndtri((1 + _level(1)) / 2)
    interval = Interval(gap - factor * (gap - printed.low), gap + factor * (printed.high - gap))
    return items_needed(rows, gap, interval, verdict.margin)
