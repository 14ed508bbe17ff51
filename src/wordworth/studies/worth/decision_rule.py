"""The decision rule of the verdict: a function of scores alone, so that sensitivity analyses can apply it again.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.

A cheap rung is *enough* when it is within the margin of every contextual rung (except those eliminated early): the
lower bound of each paired difference is at least -margin. A cheap rung is enough only if all these bounds hold, so that
they need no correction for several comparisons (an intersection-union test, Berger 1982). A rung is *adequate* when it
is within the margin of every other rung. A cheap rung is *surely behind* a contextual one when the interval of their
paired difference lies wholly below 0, and *surely short* of it when the interval lies wholly below -margin.

    cheap suffices           a cheap rung is enough
    contextual is worth it   no cheap rung is enough, and every one is surely short of a contextual rung
    contextual is ahead      no cheap rung is enough, and every one is surely behind a contextual rung
    cannot tell yet          anything else

Which of the cheap rungs to keep is decided apart from the answer: the choice is *settled* if one of them is adequate.

The levels of the intervals bound the probability of a false definite answer by 5 %, over all cheap rungs, all
contextual rungs and all looks (Bonferroni for each; `error_rate`). A look is a verdict on the labels so far; a user who
adds labels and runs the study again looks once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from wordworth.measures.bootstrap import Interval
from wordworth.studies.worth.scores import Scores

Answer = Literal["cheap suffices", "contextual is worth it", "contextual is ahead", "cannot tell yet"]
RULE = "intersection-union test within a margin (Berger 1982), Bonferroni over rungs and looks"
"""The name of the rule."""
ERROR = 0.05
"""Probability of a false definite answer, over all looks."""
_FIRST = 0.04
"""The part of `ERROR` that is allotted to the first look."""


class JudgedRung(Protocol):
    """The properties of a rung that the decision rule uses."""

    @property
    def name(self) -> str:
        """The name of the rung on the ladder."""

    @property
    def contextual(self) -> bool:
        """Whether the rung reads words in their context."""

    @property
    def is_baseline(self) -> bool:
        """Whether the rung is the constant rung, which predicts without reading the text."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Two-sided confidence levels of the intervals that the decision rule uses, such as 0.95 for 2.5 % on either side.

    Attributes:
        suffices: level of the intervals that show a cheap rung to be within the margin of other rungs.
        behind: level of the intervals that show a cheap rung to be behind a contextual rung.
    """

    suffices: float
    behind: float

    @classmethod
    def of(cls, look: int, cheap: int, contextual: int, sizes: int = 1) -> Levels:
        """Return the levels of one verdict, from the numbers of rungs that it compares.

        A look is one of the verdicts that are drawn while labels are added. Each look may give a false answer with the
        probability `error_rate(look)`. Each side of an interval gets this probability divided by the number of cheap
        rungs (`suffices`) or of contextual rungs (`behind`), or by 2 if there is only one such rung. So even a single
        cheap rung is falsely called enough in at most 2.5 % of studies, over all looks.

        Args:
            look: 1 for the first verdict of these labels, 2 for the verdict after more labels were added, and so on.
            cheap: number of cheap rungs, the constant one included.
            contextual: number of contextual rungs.
            sizes: number of verdicts that share the error of this look, one for each number of labelled examples; 1 for
                the verdict on all labelled examples.
        """
        error = error_rate(look) / sizes
        return cls(1 - 2 * error / max(cheap, 2), 1 - 2 * error / max(contextual, 2))


@dataclass(frozen=True, slots=True)
class RungComparison:
    """The comparison of one rung with all others at one number of labelled examples; scores are on the metric's scale.

    Attributes:
        name: the name of the rung.
        contextual, is_baseline: the properties of `JudgedRung`.
        rival: name of the other rung that this one may be furthest behind: the interval of the difference, this rung's
            score minus the other's, has the lowest lower end. The rung's own name if there is no other rung.
        contextual_rival: the same among contextual rungs only; the rung's own name if there is no other contextual one.
        mean: the mean score of the rung over its runs.
        gap, interval: the paired difference, score of the rung minus score of `rival`, and its 95 % interval.
        adequate: whether the rung is within the margin of every other rung: the interval of each difference, this
            rung's score minus the other's, has a lower end of at least minus the margin.
        enough: whether the rung is within the margin of every contextual rung; equals `adequate` if there are no
            contextual rungs.
        behind: names of the contextual rungs that this rung is significantly behind.
        short: names of the contextual rungs that this rung is significantly behind by more than the margin.
    """

    name: str
    contextual: bool
    is_baseline: bool
    rival: str
    contextual_rival: str
    mean: float
    gap: float
    interval: Interval
    adequate: bool
    enough: bool
    behind: frozenset[str]
    short: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of the decision rule, the rung that it names, and a comparison of each rung with all other rungs.

    Attributes:
        answer: the answer, such as *cheap suffices*.
        rung: name of the rung to use by this answer; the best one if the answer is *cannot tell yet*.
        best: name of the rung with the highest mean score.
        comparisons: the comparison of each rung that has a score at the judged number of labelled examples, cheapest
            rung first.
        margin: how far a rung that is good enough may be behind the best rung, on the metric's scale.
        levels: confidence levels of the intervals that the rule uses.
        look: 1 for the first verdict of these labels, 2 for the verdict after more labels were added, and so on.
    """

    answer: Answer
    rung: str
    best: str
    comparisons: tuple[RungComparison, ...]
    margin: float
    levels: Levels
    look: int = 1

    @property
    def is_open(self) -> bool:
        """Whether the answer is *cannot tell yet*."""
        return self.answer == "cannot tell yet"

    def of(self, name: str) -> RungComparison:
        """Return the comparison of the rung called `name`."""
        return next(comparison for comparison in self.comparisons if comparison.name == name)

    @property
    def cheap(self) -> tuple[RungComparison, ...]:
        """The comparisons of the rungs that do not read words in context, the best score first."""
        cheap = (comparison for comparison in self.comparisons if not comparison.contextual)
        return tuple(sorted(cheap, key=lambda comparison: -comparison.mean))

    @property
    def contextual(self) -> tuple[RungComparison, ...]:
        """The comparisons of the contextual rungs, the cheapest first."""
        return tuple(comparison for comparison in self.comparisons if comparison.contextual)

    @property
    def context_leads(self) -> bool:
        """Whether the answer is *contextual is worth it* or *contextual is ahead*."""
        return self.answer in {"contextual is worth it", "contextual is ahead"}

    @property
    def settled(self) -> bool:
        """Whether the answer is *cheap suffices* and the cheap rung that it names is adequate.

        Adequate means significantly within the margin of every other rung.
        """
        return self.answer == "cheap suffices" and self.of(self.rung).adequate

    @property
    def cheap_contender(self) -> RungComparison | None:
        """The best cheap rung that is significantly behind no contextual rung; None if there is no such rung."""
        return next((comparison for comparison in self.cheap if not comparison.behind), None)

    @property
    def compared_pair(self) -> tuple[str, str]:
        """The names of the two rungs whose difference the verdict states; one name twice if there is a single rung.

        `RungComparison` defines the rivals of a rung, and when it is enough. The answer decides which rungs are named:

        * a cheap rung suffices, and `settled`: the rung that is named, and its rival;
        * a cheap rung suffices, not `settled`: the best cheap rung that is enough, and its contextual rival;
        * context leads: the contextual rung that is named, and the best cheap rung;
        * cannot tell: `cheap_contender`, and its contextual rival;
        * there are no contextual rungs: the two rungs with the best scores.
        """
        if not self.contextual:
            others = [comparison for comparison in self.comparisons if comparison.name != self.best]
            return self.best, max(others, key=lambda comparison: comparison.mean).name if others else self.best
        if self.settled:
            return self.rung, self.of(self.rung).rival
        if self.context_leads:
            return self.rung, self.cheap[0].name
        if self.answer == "cheap suffices":
            enough = next(comparison for comparison in self.cheap if comparison.enough)
            return enough.name, enough.contextual_rival
        contender = self.cheap_contender
        return (contender.name, contender.contextual_rival) if contender else (self.rung, self.best)

    @property
    def surely_ahead(self) -> tuple[RungComparison, ...]:
        """The contextual rungs that are significantly ahead of every cheap rung.

        If no rung is ahead of every cheap rung, the contextual rungs significantly ahead of the best cheap rung are
        returned. If the answer is *contextual is worth it*, ahead means ahead by more than the margin.
        """
        worth = self.answer == "contextual is worth it"
        every = [comparison.short if worth else comparison.behind for comparison in self.cheap]
        names = frozenset(comparison.name for comparison in self.contextual).intersection(*every) or every[0]
        return tuple(comparison for comparison in self.contextual if comparison.name in names)


def error_rate(look: int) -> float:
    """Return the probability with which one look may give a false answer; over all looks the sum is `ERROR` (5 %).

    A look is one of the verdicts that are drawn while labels are added. The first look has 4 %, and look k > 1 has
    1 % / (k (k - 1)), whose sum over all k is 1 %.

    Args:
        look: number of the look, from 1.

    >>> error_rate(1), error_rate(2)
    (0.04, 0.005)
    """
    return _FIRST if look == 1 else round(ERROR - _FIRST, 12) / (look * (look - 1))


def judge(
    scores: Scores, ladder: Sequence[JudgedRung], labels: int, margin: float, *, look: int = 1, sizes: int = 1
) -> Verdict:
    """Apply the decision rule to the scores at one number of labelled examples, and return its verdict.

    Args:
        scores: every rung's scores.
        ladder: the rungs, cheapest first; rungs not measured at `labels` are left out.
        labels: the number of labelled examples that the judged runs learned from.
        margin: how far a rung that is good enough may be behind another, on the metric's scale.
        look: 1 for the first verdict of these labels, 2 for the verdict after more labels were added, and so on.
        sizes: number of verdicts that share the error of this look, one for each number of labelled examples; 1 for the
            verdict on all labelled examples.
    """
    present = [rung for rung in ladder if scores.has(rung.name, labels)]
    contextual = sum(rung.contextual for rung in present)
    levels = Levels.of(look, len(present) - contextual, contextual, sizes)
    comparisons = tuple(_compare(scores, rung, present, labels, margin, levels) for rung in present)
    best = max(comparisons, key=lambda comparison: comparison.mean).name
    unsure = Verdict("cannot tell yet", best, best, comparisons, margin, levels, look)
    if not unsure.contextual:
        return unsure  # no contextual rung to compare with
    if any(comparison.enough for comparison in unsure.cheap):
        return replace(unsure, answer="cheap suffices", rung=_rung_to_keep(unsure, scores, labels))
    if unsure.cheap_contender is not None:
        return unsure
    worth = all(comparison.short for comparison in unsure.cheap)
    answer: Answer = "contextual is worth it" if worth else "contextual is ahead"
    leading = replace(unsure, answer=answer)
    return replace(leading, rung=_rung_to_use(leading))


def guessing_level(verdict: Verdict) -> float:
    """Return the two-sided level of the interval by which each rung is compared with the constant rung.

    Over all rungs together, the probability that a rung falsely seems to be better is at most 5 % (Bonferroni).
    """
    learned = sum(not comparison.is_baseline for comparison in verdict.comparisons)
    return 1 - 2 * ERROR / max(learned, 2)


def unbeaten_baseline(verdict: Verdict, scores: Scores, labels: int) -> str:
    """Return the name of the constant rung if no other rung is significantly better than it.

    The result is "" if some rung is significantly better, or if there is no other rung.

    Over all comparisons together, the probability that a rung only seems to be better is at most 5 %
    (`guessing_level`).

    Args:
        verdict: the verdict, whose rungs are compared.
        scores: every rung's scores.
        labels: the number of labelled examples of the verdict.
    """
    constant = [comparison.name for comparison in verdict.comparisons if comparison.is_baseline]
    learned = [comparison.name for comparison in verdict.comparisons if not comparison.is_baseline]
    level = guessing_level(verdict)
    unbeaten = (
        floor for floor in constant if all(scores.gap_interval(name, floor, labels, level).low <= 0 for name in learned)
    )
    return next(unbeaten, "") if learned else ""


def _compare(
    scores: Scores, rung: JudgedRung, present: Sequence[JudgedRung], labels: int, margin: float, levels: Levels
) -> RungComparison:
    """Return the comparison of a rung with all other rungs at one number of labelled examples.

    A rung that was eliminated early cannot be the rival: it is significantly worse than the best rung.

    Args:
        scores: every rung's scores.
        rung: the rung that is compared.
        present: all rungs with a score at `labels`, the cheapest first.
        labels: the number of labelled examples.
        margin: how far a rung that is good enough may be behind another, on the metric's scale.
        levels: the confidence levels of the intervals.
    """
    name = rung.name
    others = [other for other in present if other.name not in {name, *scores.dropped}]
    gaps = {other.name: scores.gap_interval(name, other.name, labels) for other in others}
    lows = {other.name: scores.gap_interval(name, other.name, labels, levels.suffices).low for other in others}
    contextual = [other.name for other in others if other.contextual]
    adequate = all(low >= -margin for low in lows.values())
    rival = min(lows, key=lambda other: lows[other], default=name)
    highs = {
        other.name: scores.gap_interval(name, other.name, labels, levels.behind).high
        for other in present
        if other.contextual and other.name != name
    }
    return RungComparison(
        name=name,
        contextual=rung.contextual,
        is_baseline=rung.is_baseline,
        rival=rival,
        contextual_rival=min(contextual, key=lambda other: lows[other], default=name),
        mean=scores.mean(name, labels),
        gap=scores.gap(name, rival, labels),
        interval=gaps.get(rival, Interval(0.0, 0.0)),
        adequate=adequate,
        enough=all(lows[other] >= -margin for other in contextual) if contextual else adequate,
        behind=frozenset(other for other, high in highs.items() if high < 0),
        short=frozenset(other for other, high in highs.items() if high < -margin),
    )


def _rung_to_keep(verdict: Verdict, scores: Scores, labels: int) -> str:
    """Return the name of the cheap rung to use if a cheap rung suffices.

    The result is the cheapest adequate one; without an adequate one, the cheapest that is enough and not surely behind
    another cheap rung; without such a rung, the one with the highest score among those that are enough.
    """
    enough = [rung for rung in verdict.comparisons if rung.enough and not rung.contextual]
    adequate = [rung.name for rung in enough if rung.adequate]
    cheap = [rung.name for rung in verdict.cheap]
    perhaps_best = (
        rung.name for rung in enough if all(scores.gap_interval(rung.name, other, labels).high >= 0 for other in cheap)
    )
    best = max(enough, key=lambda rung: rung.mean).name
    return next(iter(adequate), None) or next(perhaps_best, best)


def _rung_to_use(verdict: Verdict) -> str:
    """Return the name of the contextual rung to use among `surely_ahead`: the cheapest adequate one, else the best."""
    best = max(verdict.surely_ahead, key=lambda comparison: comparison.mean)
    return next((comparison.name for comparison in verdict.surely_ahead if comparison.adequate), best.name)
