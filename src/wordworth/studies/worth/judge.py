"""The rule of the verdict, on scores alone, so that every condition can ask it again.

A rung is *adequate* when it is within epsilon of every other rung: the lower bound of each paired difference is at
least -epsilon. All of them must hold, so no correction for having looked at many is needed (an intersection-union
test, Berger 1982), and which rung happens to look best does not enter.

    cheap suffices           a cheap rung is adequate
    contextual is worth it   none is, and every cheap rung is surely behind: its interval lies wholly below 0
    cannot tell yet          anything else: an interval holds both 0 and -epsilon

The lead that is "worth it" need not surely exceed epsilon, only surely exist, where no cheap rung is surely within it;
the sentence under such an answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wordworth.measures.intervals import Interval, items_to_tell
from wordworth.representations.rung import Family
from wordworth.studies.worth.scores import Scores

Answer = Literal["cheap suffices", "contextual is worth it", "cannot tell yet"]
CONTEXTUAL: frozenset[Family] = frozenset({"frozen", "hybrid", "finetuned"})


@dataclass(frozen=True, slots=True)
class Standing:
    """One rung against the best of the others at the top size.

    Attributes:
        rival: the rung it is furthest behind (its own name where it leads).
        mean: its own score.
        gap, interval: paired difference to that rival.
        adequate: within epsilon of every other rung.
    """

    name: str
    family: Family
    rival: str
    mean: float
    gap: float
    interval: Interval
    adequate: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer, the rung it names, and how every rung stands (cheapest first)."""

    answer: Answer
    rung: str
    best: str
    standings: tuple[Standing, ...]
    epsilon: float

    def of(self, name: str) -> Standing:
        """How one rung stands."""
        return next(standing for standing in self.standings if standing.name == name)


def judge(scores: Scores, ladder: Sequence[tuple[str, Family]], labels: int, epsilon: float) -> Judgement:
    """The verdict at one number of labels.

    Args:
        scores: every rung's scores.
        ladder: names and families, cheapest first; rungs not measured at `labels` are left out.
        labels: the size to judge at.
        epsilon: the margin, on the metric's scale.
    """
    present = [(name, family) for name, family in ladder if scores.has(name, labels)]
    names = [name for name, _ in present]
    best = max(names, key=lambda name: scores.mean(name, labels))
    standings = tuple(_standing(scores, name, family, names, (labels, epsilon)) for name, family in present)
    cheap = [standing for standing in standings if standing.family not in CONTEXTUAL]
    adequate = [standing for standing in standings if standing.adequate]
    if len(cheap) == len(standings):
        return Judgement("cannot tell yet", best, best, standings, epsilon)  # nothing contextual to compare with
    if adequate and adequate[0].family not in CONTEXTUAL:
        return Judgement("cheap suffices", adequate[0].name, best, standings, epsilon)
    if all(standing.interval.high < 0 for standing in cheap):
        chosen = adequate[0].name if adequate else _best_contextual(scores, standings, labels)
        return Judgement("contextual is worth it", chosen, best, standings, epsilon)
    return Judgement("cannot tell yet", best, best, standings, epsilon)


def _standing(scores: Scores, name: str, family: Family, names: Sequence[str], at: tuple[int, float]) -> Standing:
    """The rung against the rival that leaves it the lowest upper bound, and its adequacy against all."""
    labels, epsilon = at
    mean = scores.mean(name, labels)
    gaps = {other: scores.gap_interval(name, other, labels) for other in names if other != name}
    if not gaps:
        return Standing(name, family, name, mean, 0.0, Interval(0.0, 0.0), adequate=True)
    rival = min(gaps, key=lambda other: gaps[other].low)
    adequate = gaps[rival].low >= -epsilon
    return Standing(name, family, rival, mean, scores.gap(name, rival, labels), gaps[rival], adequate)


def _best_contextual(scores: Scores, standings: Sequence[Standing], labels: int) -> str:
    contextual = [standing.name for standing in standings if standing.family in CONTEXTUAL]
    return max(contextual, key=lambda name: scores.mean(name, labels))


def labels_to_tell(judgement: Judgement, rows: int) -> float:
    """About how many labelled rows would settle a `cannot tell yet`; infinite where no number would.

    The interval of the most promising cheap rung shrinks with the root of the test part, which grows with the rows; it
    settles the question once it no longer holds both 0 and -epsilon.
    """
    cheap = [standing for standing in judgement.standings if standing.family not in CONTEXTUAL]
    if not cheap:
        return math.inf
    nearest = max(cheap, key=lambda standing: standing.gap)
    return items_to_tell(rows, nearest.gap, nearest.interval, judgement.epsilon)
