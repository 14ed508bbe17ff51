"""The score of a cheap rung with a random split, for comparison with the study's split by groups or by time.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.measures.metrics import metric
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure

if TYPE_CHECKING:
    from wordworth.measures.bootstrap import Interval
    from wordworth.studies.worth.scores import Bootstrap
    from wordworth.tasks.task import Task


@dataclass(frozen=True, slots=True)
class RandomSplit:
    """The score of a rung with a random split, which ignores the groups or times of rows.

    Attributes:
        rung: name of the rung.
        by_time: whether the study's own split is by time; else it is by groups.
        score, interval: the score with the random split and its 95 % interval, on the metric's scale.
    """

    rung: str
    by_time: bool
    score: float
    interval: Interval


def random_split(
    rung_results: Sequence[RungResult], task: Task, labels: int, bootstrap: Bootstrap, *, by_time: bool
) -> RandomSplit | None:
    """Fit the cheapest rung, apart from the constant rung, on rows drawn at random, and score it on other rows.

    The rung is scored on as many rows as the test part has, or on fewer if fewer rows are left.

    Args:
        rung_results: the rungs that were measured, cheapest first.
        task: the task, whose own split is by groups or by time.
        labels: number of rows to learn from.
        bootstrap: the resamples of the tested rows, and the seed of the split.
        by_time: whether the task's own split is by time.

    Returns:
        The score; None if no cheap rung was measured.
    """
    cheap = [result for result in rung_results if not (result.rung.is_baseline or result.rung.contextual)]
    result = next((each for each in cheap if each.learner is not None), None)
    if result is None or result.learner is None:
        return None
    name, rows = result.rung.name, seeds.child(bootstrap.seed, "random split").permutation(task.used)
    learned, tested = np.sort(rows[:labels]), np.sort(rows[labels:][: len(task.test)])
    predictor = result.learner.without_texts(tested).fit(learned, seeds.child(bootstrap.seed, "random split fit"))
    run = Run(name, labels, 0, predictor.predict(tested), {}, 0.0)
    split = replace(without_groups(task), train=learned, test=tested, folds=())
    scores = measure([RungResult(result.rung, runs=[run])], split, metric(task.metric, task.classes), bootstrap)
    return RandomSplit(name, by_time, scores.mean(name, labels), scores.score_interval(name, labels))


def without_groups(task: Task) -> Task:
    """Return the task as if the user had named no groups."""
    return replace(task, examples=replace(task.examples, groups=None))
