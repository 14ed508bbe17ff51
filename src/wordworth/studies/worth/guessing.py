"""The constant rung as a yardstick: whether anything surely beats it, and what it does, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wordworth.records import Finding
from wordworth.studies.worth.distances import ahead_or_behind, between
from wordworth.text_format import inline_title, join_words

if TYPE_CHECKING:
    from wordworth.studies.worth.decision_rule import Verdict
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.verdict import VerdictContext
    from wordworth.tasks.task import Task

SAYING = "always giving the same answer"
_SHOWN = 40


def unbeaten_baseline(judgement: Verdict, scores: Scores, labels: int) -> str:
    """The constant rung that no other is surely above; empty where one is, or where there is nothing to compare.

    Each is asked at 95 %, the level of the intervals that are printed, so that the page bears the sentence out.
    """
    constant = [standing.name for standing in judgement.comparisons if standing.family == "constant"]
    learned = [standing.name for standing in judgement.comparisons if standing.family != "constant"]
    standing_still = (
        floor for floor in constant if all(scores.gap_interval(name, floor, labels).low <= 0 for name in learned)
    )
    return next(standing_still, "") if learned else ""


def saying(task: Task) -> str:
    """What the constant rung does on a task, as the object of a comparison."""
    if task.kind in {"single", "pair"}:
        counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes))
        name = task.classes[int(counts.argmax())]
        return f"always saying “{name if len(name) <= _SHOWN else name[: _SHOWN - 1] + '…'}”"
    kinds = {"regression": "always saying the mean", "multilabel": "giving every text the same labels"}
    return kinds.get(task.kind, "giving each word its most frequent tag")


def nothing_learned(judgement: Verdict, scores: Scores, words: VerdictContext, floor: str) -> str:
    """That nothing was seen to be learned at all: what every other sentence is to be read by."""
    labels = words.labels
    learned = (one for one in judgement.comparisons if one.family != "constant")
    best = max(learned, key=lambda one: one.mean).name
    gap, doubt = scores.gap(best, floor, labels), scores.gap_interval(best, floor, labels)
    return (
        f"No rung is surely better than {words.guess}: the best, {inline_title(words.titles[best])}, is "
        f"{ahead_or_behind(gap)} it ({between(doubt)}). "
    )


def below_guessing(judgement: Verdict, words: VerdictContext) -> Iterator[Finding]:
    """The rungs that score less than the constant one on all labels: what they say is worth nothing by this metric."""
    floors = [standing for standing in judgement.comparisons if standing.family == "constant"]
    for floor in floors:
        below = [one for one in judgement.comparisons if one.family != "constant" and one.mean < floor.mean]
        if below:
            each = join_words([f"{inline_title(words.titles[one.name])} ({100 * one.mean:.1f})" for one in below])
            verb = "scores" if len(below) == 1 else "score"
            text = f"{each} {verb} less than {words.guess} ({100 * floor.mean:.1f})."
            yield Finding("warning.below_guessing", text, {"rungs": [one.name for one in below], "guess": floor.mean})
