"""The constant rung as a baseline: whether any rung surely beats it, and what it predicts, in words."""

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
_LONGEST_NAME = 40


def unbeaten_baseline(judgement: Verdict, scores: Scores, labels: int) -> str:
    """The constant rung that no other surely beats; empty where one does, or where there is nothing to compare.

    Each comparison is at 95 %, the level of the printed intervals, so that the page supports the sentence.
    """
    constant = [standing.name for standing in judgement.comparisons if standing.family == "constant"]
    learned = [standing.name for standing in judgement.comparisons if standing.family != "constant"]
    unbeaten = (
        floor for floor in constant if all(scores.gap_interval(name, floor, labels).low <= 0 for name in learned)
    )
    return next(unbeaten, "") if learned else ""


def saying(task: Task) -> str:
    """What the constant rung predicts on a task, as the object of a comparison."""
    if task.kind in {"single", "pair"}:
        counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes))
        name = task.classes[int(counts.argmax())]
        return f"always saying “{name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + '…'}”"
    kinds = {"regression": "always saying the mean", "multilabel": "giving every text the same labels"}
    return kinds.get(task.kind, "giving each word its most frequent tag")


def nothing_learned(judgement: Verdict, scores: Scores, words: VerdictContext, floor: str) -> str:
    """The warning, ahead of the verdict, that no rung surely learned anything.

    Args:
        judgement: the verdict.
        scores: every rung's scores.
        words: titles and number of labels.
        floor: the constant rung.
    """
    labels = words.labels
    learned = (comparison for comparison in judgement.comparisons if comparison.family != "constant")
    best = max(learned, key=lambda comparison: comparison.mean).name
    gap, interval = scores.gap(best, floor, labels), scores.gap_interval(best, floor, labels)
    return (
        f"No rung is surely better than {words.guess}: the best, {inline_title(words.titles[best])}, is "
        f"{ahead_or_behind(gap)} it ({between(interval)}). "
    )


def below_guessing(judgement: Verdict, words: VerdictContext) -> Iterator[Finding]:
    """A warning for the rungs that score less than the constant one on all labels: useless by this metric."""
    floors = [standing for standing in judgement.comparisons if standing.family == "constant"]
    for floor in floors:
        below = [
            comparison
            for comparison in judgement.comparisons
            if comparison.family != "constant" and comparison.mean < floor.mean
        ]
        if below:
            names = join_words(
                [f"{inline_title(words.titles[comparison.name])} ({100 * comparison.mean:.1f})" for comparison in below]
            )
            verb = "scores" if len(below) == 1 else "score"
            text = f"{names} {verb} less than {words.guess} ({100 * floor.mean:.1f})."
            yield Finding(
                "warning.below_guessing",
                text,
                {"rungs": [comparison.name for comparison in below], "guess": floor.mean},
            )
