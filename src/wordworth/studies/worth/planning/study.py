"""The plan of a study, from files to `Record`: unlabelled texts, and labels so far if there are any.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.studies.study import timed
from wordworth.studies.worth.detectable_difference import compared_rungs
from wordworth.studies.worth.incomplete_rung_warnings import requested_rungs
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.planning.choose_texts_to_label import choose_texts
from wordworth.studies.worth.planning.read_texts import (
    MOST_TEXTS,
    MOST_TO_DRAW_FROM,
    labels_so_far,
    read_texts,
    unlabelled,
)
from wordworth.studies.worth.planning.record import PlanRequest, plan_record, usual_record
from wordworth.studies.worth.planning.rung_pair import Pair
from wordworth.studies.worth.planning.settings import METRIC, PlanSettings, require_plannable
from wordworth.studies.worth.run_ladder import open_rungs, run_ladder
from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.study_result import StudyResult

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.tasks.task import Examples, Task

_BLOCK = 100
"""Texts that are predicted between two reports of progress."""


def study(
    path: Path, reading: ReadSettings, settings: WorthSettings, planning: PlanSettings, run_context: RunContext
) -> Record:
    """Return the plan of a study: which difference between a cheap and a contextual rung N test labels would detect.

    Args:
        path: the file of texts, whose labels are not read.
        reading: how this file and the file of the labels so far are read.
        settings: the settings of the study to come; a plan fine-tunes no rung.
        planning: the settings of the plan, such as the file of the labels so far.
        run_context: cache, seed, number of threads, and receiver of progress.

    Raises:
        BadInput: a file, a column or a setting cannot be used, or no contextual rung can be prepared.
        NotEnoughMemory: the machine ran out of memory.
    """
    require_plannable(planning, reading, settings)
    request = PlanRequest(reading, settings, planning)
    if planning.labels_so_far is None:
        texts, origin = read_texts(path, reading)
        return usual_record(request, origin, len(texts))
    seconds: dict[str, float] = {}
    with timed(seconds, "reading"), run_context.progress.step(f"reading {path.name}"):
        task = labels_so_far(Path(planning.labels_so_far), reading, settings)
        texts, origin = read_texts(path, reading, task.columns)
        every = texts
        texts = unlabelled(every, task, reading.limit or MOST_TEXTS, settings.seed, str(path))
    with timed(seconds, "learning"):
        result = learned(replace(task, metric=METRIC), settings, run_context)
    with timed(seconds, "predicting"):
        pairs = pairs_of(result, texts, run_context)
    chosen = None
    if planning.to_label is not None:
        pool = unlabelled(every, task, reading.limit or MOST_TO_DRAW_FROM, settings.seed, str(path))
        columns = (*task.columns, task.label_columns[0])
        with timed(seconds, "drawing texts to label"):
            chosen = choose_texts(result, pool, planning.to_label, columns, settings, run_context)
    return plan_record(request, task.metric, replace(result, seconds=seconds), pairs, (origin, len(texts)), chosen)


def learned(task: Task, settings: WorthSettings, run_context: RunContext) -> StudyResult:
    """Run the study on the labels so far, without fine-tuned rungs, and return its result.

    Args:
        task: the task of the labels so far.
        settings: the study's settings.
        run_context: cache, seed, number of threads, and receiver of progress.

    Raises:
        BadInput: there is no contextual rung, or none could be fitted.
    """
    chosen = replace(settings, finetune=False)
    rung_results = open_rungs(rungs_of(task, chosen), task, run_context, requested_rungs(chosen))
    _require_contextual([result for result in rung_results if result.learner], rung_results, chosen)
    grid = label_grid(task, chosen)
    scores = run_ladder(rung_results, task, grid, chosen, run_context)
    _require_contextual([result for result in rung_results if result.predictor], rung_results, chosen)
    return StudyResult(task, grid, rung_results, scores, chosen.metric_margin)


def _require_contextual(
    ready: Sequence[RungResult], rung_results: Sequence[RungResult], settings: WorthSettings
) -> None:
    if not any(result.rung.contextual for result in ready):
        reasons = [result.reason for result in rung_results if result.rung.contextual and result.reason]
        what = "there is no contextual rung to plan for" + (f" ({reasons[0]})" if reasons else "")
        encoder = "name one with --rung too, such as minilm" if settings.rungs else "give an encoder with --models"
        raise BadInput(what, mend=f"{encoder}, or leave --labels-so-far out")


def pairs_of(result: StudyResult, texts: Examples, run_context: RunContext) -> list[Pair]:
    """Return a `Pair` for each combination of a cheap and a contextual rung.

    The first pair is the one that a study would compare.

    Args:
        result: the rungs, fitted on the labels so far, and their scores.
        texts: texts without labels, on which the disagreement of the rungs is measured.
        run_context: receives progress.
    """
    classes = predicted_classes(result.measured, texts, run_context)
    first = compared_rungs(result)
    names = [result.measured_names(contextual=contextual) for contextual in (False, True)]
    others = [(cheap, contextual) for cheap in names[0] for contextual in names[1]]
    return [
        Pair.of(
            (cheap, contextual),
            classes[cheap] != classes[contextual],
            result.scores.gap_variance(contextual, cheap, result.labels),
            len(result.task.test),
        )
        for cheap, contextual in dict.fromkeys([first, *others])
        if cheap in classes and contextual in classes
    ]


def predicted_classes(
    results: Sequence[RungResult], texts: Examples, run_context: RunContext
) -> dict[str, NDArray[np.int64]]:
    """Return name of each fitted rung -> the index of the class that it predicts for each text, int64 [texts].

    Args:
        results: the fitted rungs.
        texts: the texts.
        run_context: cache, seed, number of threads, and receiver of progress.
    """
    classes: dict[str, NDArray[np.int64]] = {}
    blocks = [texts.take(range(first, min(first + _BLOCK, len(texts)))) for first in range(0, len(texts), _BLOCK)]
    predictors = {result.rung.name: result.predictor for result in results if result.predictor}
    with run_context.progress.step("predicting unlabelled texts", len(predictors) * len(texts)) as step:
        for name, predictor in predictors.items():
            parts = []
            for block in blocks:
                parts.append(np.asarray(predictor.predict_texts(block)).argmax(axis=1))
                step.advance(len(block))
            classes[name] = np.concatenate(parts)
    return classes
