"""The record's table of abstention: the score of each rung on the share of test texts for which it is most confident.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The table has the accuracy-rejection curve of each rung (El-Yaniv and Wiener 2010, "On the foundations of noise-free
selective classification"): a user who passes the texts of lowest confidence to a person reads from the curve what the
rung scores on the other texts.

The surest texts are often all right. Resamples of them alone would then give an interval without width, so that they
get the added items of a comparison (`measures.added_test_items`), as the scores of all test texts do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.bootstrap import crossed_interval
from wordworth.measures.metrics import metric
from wordworth.measures.ranking import share_count
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.records import Table
from wordworth.studies.worth.probability_scores import with_probabilities
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.rung_result import Answers, answers_at, whole_answers
from wordworth.studies.worth.score_predictions import scorer_of
from wordworth.studies.worth.scores import resampled_runs

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.score_predictions import Scorer
    from wordworth.studies.worth.study_result import StudyResult

SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
ABSTENTION = {
    "rung": "short name",
    "share": "the share of test texts that it answers, those whose most probable class has the highest probability",
    "score": "on these, by the task's metric, mean over the runs, or of all folds together",
    "low": "lower end of the 95 % interval, over other test texts (with the few that comparisons add) and, with a test "
    "part, over the runs; where every row is tested, the ladder's interval at share 1 also covers other labels",
    "high": "upper end of that interval",
}


def abstention_table(study: StudyResult) -> Table:
    """Return the table of each rung's score if it answers only a share of the test texts: its most confident ones.

    Every rung but the constant one has a row for each share in `SHARES`. (The constant rung is equally confident for
    every text.) The table is empty for tasks other than single-label classification.
    """
    task = study.task
    if not task.type.multiclass:
        return Table.of([], ABSTENTION)
    sure = [with_probabilities(result, study.labels) for result in study.rung_results]
    rungs = [result for result in study.measured if not result.rung.is_baseline]
    on_all_labels = [result.at(study.labels) for result in study.rung_results]
    scorer = scorer_of(on_all_labels, task, metric(task.metric, task.classes), study.scores.bootstrap)
    return Table.of([row for result in rungs for row in _rows(study, result, sure, scorer)], ABSTENTION)


def _rows(study: StudyResult, result: RungResult, sure: Sequence[RungResult], scorer: Scorer) -> list[dict[str, Any]]:
    of_rung = next(each for each in sure if each.rung.name == result.rung.name)
    answers = whole_answers(answers_at(result, study.labels, study.rung_results))
    probabilities = whole_answers(answers_at(of_rung, study.labels, sure))
    confidence = [np.asarray(each.predictions).max(axis=1) for each in probabilities]
    rows = []
    for share in SHARES:
        answered = [_answers_of(run, surest(of_run, share)) for run, of_run in zip(answers, confidence, strict=True)]
        runs = RunScores.stacked([scorer.on(run.items).scores(run.predictions) for run in answered])
        picks = resampled_runs(runs.runs, study.scores.bootstrap)
        span = crossed_interval(runs.point, runs.alone, picks, value_range=scorer.metric.score_range)
        rows.append({"rung": result.rung.name, "share": share, "score": float(runs.point.mean()), **span.columns()})
    return rows


def _answers_of(run: Answers, positions: Integers) -> Answers:
    """Return some of the predictions of a run, given as indices into its predictions, int64 [n], ascending."""
    return Answers(floats(run.predictions)[positions], positions if run.items is None else run.items[positions])


def surest(confidence: Floats, share: float) -> Integers:
    """Return the indices of the items with the highest confidence, int64, ascending.

    Args:
        confidence: float64 [n]; among equal values the first are taken.
        share: the share of the items to return, above 0 and at most 1; their number is rounded up.
    """
    count = share_count(share, len(confidence))
    return np.sort(np.argsort(-confidence, kind="stable")[:count])
