"""The rung that a verdict names as a model: learned from all labels, in a folder that `predict` and `serve` read."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.representations.saved_rung import write_rung
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM, RUNG, write_metadata

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.study_result import StudyResult


def write_named_model(study: StudyResult, folder: Path, run_context: RunContext) -> None:
    """Write the rung that the verdict names into a folder, once it has learned from all training labels.

    Of a rung that has no such form (fine-tuned, few-shot, tagging), the folder is removed, so that it never holds the
    model of another verdict, and a note says what to do.

    Args:
        study: the study.
        folder: where the model goes; one that is there is replaced.
        run_context: cache, seed and progress of the study.
    """
    result = next(each for each in study.rung_results if each.rung.name == study.verdict.rung)
    try:
        with replacing_folder(folder) as new:
            rung = _learn_and_write(result, new, study, run_context)
            write_metadata(new, {**_metadata(study), RUNG: {**rung, **_measured(study)}})
    except BadInput as error:
        if isinstance(error.__cause__, OSError):
            raise
        shutil.rmtree(folder, ignore_errors=True)
        how = "wordworth finetune makes that model" if result.rung.slow else str(error)
        run_context.progress.note(f"{result.rung.title} is not written as a model to serve: {how}")


def _learn_and_write(result: RungResult, folder: Path, study: StudyResult, run_context: RunContext) -> dict[str, Any]:
    """Let a rung learn from all training labels and write it; return its facts.

    Raises:
        BadInput: the rung has no such form.
    """
    if result.learner is None or result.rung.is_expensive(study.task.kind):
        raise BadInput("only rungs under a linear head are", mend="use wordworth finetune")
    rows = np.sort(study.task.train)
    rng = seeds.child(run_context.seed, "fit", result.seed_name, len(rows), "served")
    with run_context.progress.step(f"learning from all labels: {result.rung.title}"):
        predictor = result.learner.fit(rows, rng)
    return write_rung(folder, result.rung, predictor)


def _metadata(study: StudyResult) -> dict[str, Any]:
    """What predicting needs, as of a fine-tuned model."""
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
    """What the verdict said of the rung: the answer, its score, and its cost on the machine of the study."""
    name = study.verdict.rung
    costs = next((row for row in study.costs.rows() if row["rung"] == name), {})
    cost = {key: value for key, value in costs.items() if key != "rung"}
    score = study.scores.mean(name, study.labels)
    return {"answer": study.verdict.answer, "metric": study.task.metric, "score": score, "cost": cost}
