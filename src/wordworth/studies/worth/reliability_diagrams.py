"""The record's table for reliability diagrams: how often a rung is right in each bin of its confidence.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The table has two rungs, the one that the verdict names and the best one that reads words in context, each with and
without the fitted temperature. The bins are those of the calibration error (`measures/calibration.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.calibration import reliability_bins
from wordworth.measures.design_effect import design_effect
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.records import Table
from wordworth.studies.worth.probability_scores import (
    AnsweredItems,
    confidence_and_right,
    converted,
    with_probabilities,
)
from wordworth.studies.worth.rung_result import answers_at, whole_answers
from wordworth.tasks.stratified_split import cluster_ids

if TYPE_CHECKING:
    from wordworth.representations.heads.temperature_scaling import Calibration
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult

RELIABILITY = {
    "rung": "short name",
    "with_temperature": "whether scores were divided by the fitted temperature before their softmax; never where none "
    "was fitted",
    "confidence": "mean probability of the most probable class, over the texts of the bin",
    "right": "the share of these texts that are of that class",
    "right_low": "lower end of the exact 95 % interval of that share, over other test texts",
    "right_high": "upper end of that interval",
    "texts": "texts in the bin, over all runs",
}


def reliability_table(study: StudyResult) -> Table:
    """Return the table of how often two rungs are right in each bin of their confidence.

    The rungs are the one that the verdict names, and the best contextual one. The table is empty for tasks other than
    single-label classification.
    """
    if not study.task.type.multiclass:
        return Table.of([], RELIABILITY)
    best = study.best_of(study.measured_names(contextual=True))
    named = dict.fromkeys([study.verdict.rung, *([] if best is None else [best.rung.name])])
    results = [result for name in named for result in study.measured if result.rung.name == name]
    plain = [converted(each, study.labels, _without_temperature) for each in study.rung_results]
    scaled = [with_probabilities(each, study.labels) for each in study.rung_results]
    rows = list[dict[str, Any]]()
    for result in results:
        rows += _of_scores(study, result, plain, with_temperature=False)
        if any(run.calibration.held_out for run in result.at(study.labels).runs):
            rows += _of_scores(study, result, scaled, with_temperature=True)
    return Table.of(rows, RELIABILITY)


def _without_temperature(calibration: Calibration, scores: Floats) -> Floats:
    return replace(calibration, temperature=1.0).probabilities(scores)


def _of_scores(
    study: StudyResult, result: RungResult, every: Sequence[RungResult], *, with_temperature: bool
) -> list[dict[str, Any]]:
    """Return the rows of the table for one rung, one for each bin.

    Args:
        study: the study.
        result: the rung.
        every: the runs of all rungs, with probabilities in place of scores; a failed run of `result` is replaced by the
            run of the constant rung.
        with_temperature: whether these probabilities use the fitted temperature.
    """
    of_rung = next(each for each in every if each.rung.name == result.rung.name)
    answers = whole_answers(answers_at(of_rung, study.labels, every))
    runs = [AnsweredItems.of(study.task, each) for each in answers]
    confidence, right = confidence_and_right(runs)
    return [
        {
            "rung": result.rung.name,
            "with_temperature": with_temperature,
            "confidence": each.confidence,
            "right": each.right,
            **each.span.columns("right_"),
            "texts": each.items,
        }
        for each in reliability_bins(confidence, right, design_effect=_design_effect(study, runs, confidence, right))
    ]


def _design_effect(study: StudyResult, runs: Sequence[AnsweredItems], confidence: Floats, right: Flags) -> float:
    """Return the design effect of the user's groups: how many texts are as informative as one independent text.

    The design effect is estimated from the differences between being right (0 or 1) and confidence: the more alike
    they are within groups, the larger it is.
    """
    off = (right - confidence).mean(axis=0)
    groups = cluster_ids(study.task.kind, study.task.examples.take(study.task.test[runs[0].items]))
    return design_effect(np.stack([off, np.zeros_like(off)]), groups)
