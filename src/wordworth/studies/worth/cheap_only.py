"""The verdict where no rung reads context: the leader, the rungs level with it, and how to test context."""

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
    """The sentences on the rung that leads where none has context, and on those level with it: not surely behind."""
    best, other, labels = judgement.best, runner_up(judgement), words.labels
    interval = scores.score_interval(best, labels)
    lead_text = (
        f"With {labels:,} labels, {inline_title(words.titles[best])} leads with {_score(scores.mean(best, labels))}"
    )
    lead_text += f" (95 %: {_score(interval.low)} to {_score(interval.high)})"
    if best == other:
        return f"{lead_text} and is the only rung to compare. "
    distance = ahead_or_behind(scores.gap(best, other, labels))
    distance_text = f"{distance} {inline_title(words.titles[other])} ({paired(scores, best, other, labels)})"
    others = [comparison.name for comparison in judgement.comparisons if comparison.name != best]
    level = [name for name in others if scores.gap_interval(name, best, labels).high >= 0]
    if not level:
        return f"{lead_text}, {distance_text} and surely ahead of every other rung. "
    if level == [other]:
        return f"{lead_text}, {distance_text}: the two are level, as neither is surely ahead. "
    names = join_words([inline_title(words.titles[name]) for name in level])
    return (
        f"{lead_text}, {distance_text}; {names} {'are' if len(level) > 1 else 'is'} level with it: not surely behind. "
    )


def runner_up(judgement: Verdict) -> str:
    """The rung with the best score after the best one; the best itself if it is the only one."""
    others = [standing for standing in judgement.comparisons if standing.name != judgement.best]
    return max(others, key=lambda standing: standing.mean).name if others else judgement.best


def advice(case: VerdictInputs) -> str:
    """Why no contextual rung was measured, if one was requested; else how to request one."""
    reasons = [entry.reason for entry in case.rung_results if entry.rung.family in CONTEXTUAL and entry.reason]
    if reasons:
        return f"No contextual encoder could be measured ({reasons[0]}), so this says nothing about context."
    return "No contextual encoder was asked for: name one with --model to learn what context would add."


def _score(value: float) -> str:
    return f"{100 * value:.1f}".replace("-", "−")
