"""The record's table of prediction sets: how often a rung's sets contain the right class, and how large they are.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

A prediction set contains the classes that are plausible for a text. The sets are calibrated so that nine in ten contain
the right class (`representations/heads/prediction_sets.py`), and the test texts check this coverage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import Metric
from wordworth.measures.weighted_sums import Floats, Gold, Predicted, ratio, weighted
from wordworth.records import Table
from wordworth.representations.heads.prediction_sets import LEVEL, prediction_sets
from wordworth.studies.worth.probability_scores import converted, scores_by
from wordworth.studies.worth.rung_result import answers_at

if TYPE_CHECKING:
    from wordworth.representations.heads.temperature_scaling import Calibration
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult

PREDICTION_SETS = {
    "rung": "short name",
    "level": "the share of sets that are to hold the right class",
    "coverage": "the share of test texts whose set holds their class, mean over the runs",
    "coverage_low": "lower end of its 95 % interval",
    "coverage_high": "upper end of its 95 % interval",
    "size": "classes in a set, mean over test texts and runs",
    "single": "the share of sets of one class, mean over test texts and runs",
}


def prediction_sets_table(study: StudyResult) -> Table:
    """Return the table of how often each rung's sets of plausible classes contain the right class, and of their size.

    A rung has a row if its sets could be calibrated on held-out labels in all runs. The table is empty for tasks other
    than single-label classification.
    """
    if not study.task.type.multiclass:
        return Table.of([], PREDICTION_SETS)
    coverage = scores_by(study, _COVERAGE, _sets)
    sets = [converted(result, study.labels, _sets) for result in study.rung_results]
    measured = {result.rung.name for result in study.measured}
    rows = [_row(study, each, sets, coverage) for each in sets if each.rung.name in measured and _is_fitted(each)]
    return Table.of(rows, PREDICTION_SETS)


def _sets(calibration: Calibration, scores: Floats) -> Floats:
    return prediction_sets(calibration, scores).astype(np.float64)


def _covered(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    classes = np.asarray(gold)
    held = np.asarray(predicted)[np.arange(len(classes)), classes]
    return ratio(weighted(held, weights)[0], weights.sum(axis=1))


_COVERAGE = Metric("coverage", "coverage", frozenset(), _covered, 0.0)


def _is_fitted(result: RungResult) -> bool:
    return bool(result.runs) and all(run.calibration.set_threshold is not None for run in result.runs)


def _row(study: StudyResult, result: RungResult, sets: list[RungResult], coverage: Scores) -> dict[str, Any]:
    name = result.rung.name
    sizes = [np.asarray(each.predictions).sum(axis=1) for each in answers_at(result, study.labels, sets)]
    return {
        "rung": name,
        "level": LEVEL,
        "coverage": coverage.mean(name, study.labels),
        **coverage.score_interval(name, study.labels).columns("coverage_"),
        "size": float(np.mean([of_run.mean() for of_run in sizes])),
        "single": float(np.mean([(of_run == 1).mean() for of_run in sizes])),
    }
