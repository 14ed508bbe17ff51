"""The record's table of abstention: the score of each rung on the share of test texts for which it is most confident.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The table has the accuracy-rejection curve of each rung (El-Yaniv and Wiener 2010, "On the foundations of noise-free
selective classification"): a user who passes the texts of lowest confidence to a person reads from the curve what the
rung scores on the other texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.bootstrap import Interval, crossed_interval
from wordworth.measures.metrics import metric
from wordworth.measures.ranking import share_count
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.records import Table
from wordworth.studies.worth.probability_scores import with_probabilities
from wordworth.studies.worth.rung_result import Answers, answers_at, whole_answers
from wordworth.studies.worth.score_predictions import draws_stretch, test_weights
from wordworth.studies.worth.scores import resampled_runs

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult

SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
ABSTENTION = {
    "rung": "short name",
    "share": "the share of test texts that it answers, those whose most probable class has the highest probability",
    "score": "on these, by the task's metric, mean over the runs, or of all folds together",
    "low": "lower end of the 95 % interval, over other test texts and, with a test part, over the runs; no texts are "
    "added as in the ladder, whose interval at share 1 is therefore another",
    "high": "upper end of that interval",
}


def abstention_table(study: StudyResult) -> Table:
    """Return the table of each rung's score if it answers only a share of the test texts: its most confident ones.

    Every rung but the constant one has a row for each share in `SHARES`. (The constant rung is equally confident for
    every text.) The table is empty for tasks other than single-label classification.
    """
    if not study.task.type.multiclass:
        return Table.of([], ABSTENTION)
    sure = [with_probabilities(result, study.labels) for result in study.rung_results]
    rungs = [result for result in study.measured if not result.rung.is_baseline]
    weights = test_weights(study.task, study.scores.bootstrap)
    return Table.of([row for result in rungs for row in _rows(study, result, sure, weights)], ABSTENTION)


def _rows(study: StudyResult, result: RungResult, sure: Sequence[RungResult], weights: Floats) -> list[dict[str, Any]]:
    of_rung = next(each for each in sure if each.rung.name == result.rung.name)
    answers = whole_answers(answers_at(result, study.labels, study.rung_results))
    probabilities = whole_answers(answers_at(of_rung, study.labels, sure))
    confidence = [np.asarray(each.predictions).max(axis=1) for each in probabilities]
    rows = []
    for share in SHARES:
        answered = [surest(of_run, share) for of_run in confidence]
        score, span = _score(study, answers, answered, weights)
        rows.append({"rung": result.rung.name, "share": share, "score": score, **span.columns()})
    return rows


def surest(confidence: Floats, share: float) -> Integers:
    """Return the indices of the items with the highest confidence, int64, ascending.

    Args:
        confidence: float64 [n]; among equal values the first are taken.
        share: the share of the items to return, above 0 and at most 1; their number is rounded up.
    """
    count = share_count(share, len(confidence))
    return np.sort(np.argsort(-confidence, kind="stable")[:count])


def _score(
    study: StudyResult, answers: Sequence[Answers], answered: Sequence[Integers], weights: Floats
) -> tuple[float, Interval]:
    """Return the mean score of the runs, each on the items that it answers, and the 95 % interval of the mean.

    Args:
        study: the study.
        answers: the predictions of each run.
        answered: for each run int64 [n], the items that it answers, as indices into its predictions.
        weights: float64 [draws, test items], how often each item is in each resample.
    """
    task, by, stretch = study.task, metric(study.task.metric, study.task.classes), draws_stretch(study.task)
    points, draws = [], []
    for run, positions in zip(answers, answered, strict=True):
        items = positions if run.items is None else run.items[positions]
        gold, predicted = task.gold(task.test[items]), floats(run.predictions)[positions]
        points.append(by.score(gold, predicted))
        resampled = by.centred(by.score(gold, predicted, weights[:, items]), points[-1])
        draws.append(points[-1] + stretch * (resampled - points[-1]))
    point = np.array(points)
    span = crossed_interval(point, np.stack(draws), resampled_runs(len(point), study.scores.bootstrap))
    return float(point.mean()), span.within(by.least, 1.0)
