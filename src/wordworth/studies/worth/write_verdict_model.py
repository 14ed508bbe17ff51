"""Write the rung that a verdict names as a model, fitted on all labelled examples, for `predict` and `serve`.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.representations.few_shot import FewShot
from wordworth.representations.saved_rung import write_rung
from wordworth.sentence_formatting import duration
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM, RUNG, write_metadata

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordworth.progress import Progress, Step
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult

_QUIET_S = 2.0
"""Fewest seconds of a fit whose expected duration is announced."""


def write_verdict_model(study: StudyResult, folder: Path, run_context: RunContext) -> None:
    """Fit the rung that the verdict names on all training labels, and write it into a folder.

    A fine-tuned rung and a rung that reads no text are not written. A note then states the reason. If the verdict
    cannot tell yet, a note says which rung was written: the one with the best score. The folder is removed first, so
    that it never holds the model of an earlier verdict, also where the fit is interrupted.

    Args:
        study: the study.
        folder: the folder of the model; an earlier model in it is removed.
        run_context: cache, seed and progress of the study.

    Raises:
        BadInput: the folder cannot be written.
    """
    result = next(each for each in study.rung_results if each.rung.name == study.verdict.rung)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with replacing_folder(folder) as new:
            rung = _learn_and_write(result, new, study, run_context)
            write_metadata(new, {**_metadata(study), RUNG: {**rung, **_measured(study)}})
    except BadInput as error:
        if isinstance(error.__cause__, OSError):
            raise
        run_context.progress.note(f"No model to serve is written: {error}")
    else:
        if study.verdict.is_open:
            title = result.rung.title
            note = f"The model for predict and serve is {title}, the rung with the best score so far."
            run_context.progress.note(note)


def _learn_and_write(result: RungResult, folder: Path, study: StudyResult, run_context: RunContext) -> dict[str, Any]:
    """Fit a rung on all training labels and write it into a folder; return the model's description for its metadata.

    Raises:
        BadInput: the rung cannot be written as a model.
    """
    rung = result.rung
    if rung.is_baseline:
        raise BadInput(f"{rung.title} needs none, since it gives every text the same answer")
    if result.learner is None or (rung.slow and not isinstance(rung, FewShot)):
        raise BadInput(f"{rung.title} is trained by a command of its own", mend="train it with wordworth finetune")
    rows = np.sort(study.task.train)
    rng = seeds.child(run_context.seed, "fit", result.seed_name, len(rows), "served")
    _announce(result, run_context.progress)
    with run_context.progress.step(f"fitting {rung.title} on all labels", 100) as step:
        predictor = result.learner.with_progress(_by_percent(step)).fit(rows, rng)
    return write_rung(folder, rung, predictor)


def _announce(result: RungResult, progress: Progress) -> None:
    """Send a note on how long the fit on all labels will take, by the rung's longest fit; none below two seconds."""
    seconds = max((run.seconds for run in result.runs if not run.error), default=0.0)
    if seconds >= _QUIET_S:
        progress.note(
            f"The verdict and the page are written. Fitting {result.rung.title} on all labels, for predict and serve, "
            f"takes some {duration(seconds)} more, which the forecast did not count."
        )


def _by_percent(step: Step) -> Callable[[float], None]:
    """Return a function that takes each further fraction of a fit that is done, and advances a step of 100 units."""
    done = 0.0

    def report(fraction: float) -> None:
        nonlocal done
        before, done = done, min(done + fraction, 1.0)  # a search may take more than it usually does
        step.advance(round(100 * done) - round(100 * before))

    return report


def _metadata(study: StudyResult) -> dict[str, Any]:
    """Return the metadata that predicting needs, under the names that a fine-tuned model has too."""
    task = study.task
    return {
        "name": task.name,
        "kind": task.kind,
        "classes": list(task.classes),
        "second": task.examples.second is not None,
        "columns": list(task.columns),
        LEARNED_FROM: task.sources_of(task.train),
    }


def _measured(study: StudyResult) -> dict[str, Any]:
    """Return the verdict's answer, and the score and the cost of the rung that it names, measured by the study."""
    name = study.verdict.rung
    costs = next((row for row in study.costs.rows() if row["rung"] == name), {})
    cost = {key: value for key, value in costs.items() if key != "rung"}
    score = study.scores.mean(name, study.labels)
    return {"answer": study.verdict.answer, "metric": study.task.metric, "score": score, "cost": cost}
