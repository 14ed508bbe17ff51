"""The verdict where no rung reads context: who leads, which rungs are level with it, and what would tell of context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordworth.representations.rung import CONTEXTUAL
from wordworth.studies.worth.distances import ahead_or_behind, paired
from wordworth.text_format import inline_title, join_words

if TYPE_CHECKING:
    from wordworth.studies.worth.decision_rule import Verdict
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.sensitivity import VerdictInputs
    from wordworth.studies.worth.verdict import VerdictContext


def leader(judgement: Verdict, scores: Scores, words: VerdictContext) -> str:
    """Who leads where no rung has context, and which rungs are level with it: not surely behind."""
    best, other, at = judgement.best, runner_up(judgement), words.labels
    span = scores.score_interval(best, at)
    leads = f"With {at:,} labels, {inline_title(words.titles[best])} leads with {_score(scores.mean(best, at))}"
    leads += f" (95 %: {_score(span.low)} to {_score(span.high)})"
    if best == other:
        return f"{leads} and is all there is to compare. "
    distance = ahead_or_behind(scores.gap(best, other, at))
    ahead = f"{distance} {inline_title(words.titles[other])} ({paired(scores, best, other, at)})"
    rest = [one.name for one in judgement.comparisons if one.name != best]
    level = [name for name in rest if scores.gap_interval(name, best, at).high >= 0]
    if not level:
        return f"{leads}, {ahead} and surely ahead of every other rung. "
    if level == [other]:
        return f"{leads}, {ahead}: the two are level, as neither is surely ahead. "
    names = join_words([inline_title(words.titles[name]) for name in level])
    return f"{leads}, {ahead}; {names} {'are' if len(level) > 1 else 'is'} level with it: not surely behind. "


def runner_up(judgement: Verdict) -> str:
    """The rung that scores best after the best; the best itself where it is alone."""
    others = [standing for standing in judgement.comparisons if standing.name != judgement.best]
    return max(others, key=lambda standing: standing.mean).name if others else judgement.best


def advice(case: VerdictInputs) -> str:
    """Why no contextual rung was measured, as far as one was to be; else how to ask for one."""
    reasons = [entry.reason for entry in case.rung_results if entry.rung.family in CONTEXTUAL and entry.reason]
    if reasons:
        return f"No contextual encoder could be measured ({reasons[0]}), so this says nothing about context."
    return "No contextual encoder was asked for: name one with --model to learn what context would add."


def _score(value: float) -> str:
    return f"{100 * value:.1f}".replace("-", "−")
