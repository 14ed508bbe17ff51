"""The record of a fine-tuning: all tables and findings, in the order of the report.

The best run's prediction for every test example, with its gold label, is written to `predictions.jsonl` beside the
record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.files import sha256, write_text
from wordworth.models.devices import name_of
from wordworth.records import Finding, Record, Table
from wordworth.studies.finetune.error_analysis import (
    CLASSES,
    CONFUSION,
    EXAMPLES,
    class_rows,
    confusion_rows,
    example_rows,
)
from wordworth.studies.finetune.findings import method, run_outcomes, verdict
from wordworth.studies.finetune.results import SCORES, Scored, StudyResults, metrics_of, score_rows, scored
from wordworth.studies.study import environment

if TYPE_CHECKING:
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.run_result import Result
    from wordworth.training.task_heads.base import TaskPredictions

PREDICTIONS = "predictions.jsonl"
_DIGITS = 6
RUNS = {
    "run": "name of the run",
    "stage": "grid: run for the choice of settings; restart: a run of the chosen settings",
    "seed": "number of its seed",
    "learning_rate": "peak learning rate",
    "batch_size": "examples per update",
    "epochs": "passes over the training part",
    "steps": "updates in the whole run",
    "kept_step": "the update whose weights make its predictions",
    "state": "finished, collapsed (predicts the same for every example), failed (its loss was not finite) or pruned",
    "reason": "why it failed",
    "dev": "the task's metric on the dev part",
    "test": "the task's metric on the test part",
    "best": "whether its weights are saved",
}
EVALUATIONS = {
    "run": "name of the run",
    "step": "updates done",
    "epoch": "passes over the training part done",
    "loss": "mean training loss since the previous evaluation",
    "dev": "the task's metric on the dev part; null where there is none",
}
_CLOCK = frozenset({"threads", "processes", "save_every", "device"})


def assemble(results: StudyResults, out: Path) -> Record:
    """Build the record of a fine-tuning, and write the best run's predictions for the test part.

    Args:
        results: the results of the fine-tuning.
        out: the folder into which the predictions are written.
    """
    experiment, task = results.experiment, results.experiment.task
    scores = [scored(task, results.ended, name, experiment.settings.seed) for name in metrics_of(task)]
    best = None if results.best is None else [run.name for run in results.ended].index(results.best.name)
    predictions = None if results.best is None else results.best.test
    files = {} if predictions is None else {"predictions": write_predictions(task, predictions, out)}
    return Record(
        kind="finetune",
        settings=_settings(results),
        data=_data(results) | files,
        tables={
            "scores": Table.of(score_rows(scores, best), SCORES),
            "runs": Table.of(_run_rows(results, scores[0]), RUNS),
            "evaluations": Table.of(_evaluation_rows([*results.tried, *results.restarts]), EVALUATIONS),
            "confusion": Table.of([] if predictions is None else confusion_rows(task, predictions), CONFUSION),
            "classes": Table.of([] if predictions is None else class_rows(task, predictions), CLASSES),
            "examples": Table.of([] if predictions is None else example_rows(task, predictions), EXAMPLES),
        },
        findings=[
            verdict(results, scores),
            *run_outcomes(results, scores[0]),
            *task.warnings,
            *method(results),
            *_predictions_finding(predictions),
        ],
        timings={"seconds": {"in all": results.seconds}, "runs": {run.name: run.seconds for run in results.restarts}},
        environment={
            **environment(experiment.settings.threads),
            "processes": experiment.settings.processes,
            "device": name_of(experiment.encoder.model.device),
        },
    )


def _predictions_finding(predictions: TaskPredictions | None) -> list[Finding]:
    """Return the finding that names the file of the predictions; [] if all runs failed."""
    text = f"The best run's prediction and the gold label of each test example are in {PREDICTIONS} beside the record."
    return [] if predictions is None else [Finding("method.predictions", text)]


def _settings(results: StudyResults) -> dict[str, Any]:
    """Return the requested and the chosen settings, without those that influence no result (`_CLOCK`)."""
    experiment = results.experiment
    requested = {name: value for name, value in asdict(experiment.settings).items() if name not in _CLOCK}
    chosen = {"max_length": experiment.reader.limit, "pooling": experiment.pooling, "context": experiment.head.context}
    tuned = {} if results.best is None else dict(results.best.tuned)
    return requested | asdict(results.hyper_parameters) | chosen | tuned


def _data(results: StudyResults) -> dict[str, Any]:
    experiment, task = results.experiment, results.experiment.task
    used = np.concatenate([task.train, task.test])
    return {
        **task.facts,
        "train": len(experiment.split.train),
        "dev": len(experiment.split.dev),
        "cut": int(experiment.inputs.truncated[used].sum()),
        "model": results.title,
    }


def _run_rows(results: StudyResults, main: Scored) -> list[dict[str, Any]]:
    by_name = {run.name: float(value) for run, value in zip(results.ended, main.values, strict=True)}
    best = None if results.best is None else results.best.name
    names = {run.name for run in results.restarts}
    raced = [run for run in results.tried if run.name not in names]
    return [
        _run_row(run, stage, by_name.get(run.name)) | {"best": run.name == best}
        for stage, runs in (("grid", raced), ("restart", results.restarts))
        for run in runs
    ]


def _run_row(result: Result, stage: str, test: float | None) -> dict[str, Any]:
    dev = result.dev_score if result.state != "pruned" else result.best_dev(result.steps)
    return {
        "run": result.name,
        "stage": stage,
        "seed": result.seed,
        **asdict(result.hyper_parameters),
        "steps": result.steps,
        "kept_step": result.kept_step,
        "state": result.state,
        "reason": result.reason,
        "dev": dev,
        "test": test,
    }


def _evaluation_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    rows = {
        (run.name, evaluation.step): {
            "run": run.name,
            "step": evaluation.step,
            "epoch": round(evaluation.step / run.steps * run.hyper_parameters.epochs, 3),
            "loss": evaluation.loss,
            "dev": evaluation.dev,
        }
        for run in results
        for evaluation in run.evaluations
    }
    return list(rows.values())


def write_predictions(task: Task, predictions: TaskPredictions, out: Path) -> dict[str, Any]:
    """Write the predictions for the test part as JSON lines, and return the entry of the file in the record.

    Each line has `row`, `gold`, `prediction`, `id` if the data set has ids, and `probabilities` for classes, labels and
    options. `row` is the index of the example, from 0, in the files that were read, one after the other; where that is
    not known, it is the index in the test part.

    Args:
        task: the task.
        predictions: the predictions for the test part of the task.
        out: the folder of the file.
    """
    rows = [json.dumps(row, ensure_ascii=False) for row in prediction_rows(task, predictions)]
    write_text(out / PREDICTIONS, "\n".join(rows) + "\n")
    return {"file": PREDICTIONS, "sha256": sha256(out / PREDICTIONS), "rows": len(rows)}


def prediction_rows(task: Task, predictions: TaskPredictions) -> Iterator[dict[str, Any]]:
    """Yield for each test example the JSON object of its prediction, as `write_predictions` writes it."""
    gold, kind = task.gold(task.test), task.type
    for index, row in enumerate(task.test.tolist()):
        values: dict[str, Any] = {"row": index if task.numbers is None else int(task.numbers[row])}
        if task.examples.ids is not None:
            values["id"] = task.examples.ids[row]
        values["gold"] = kind.plain_value(gold[index], task.classes)
        values["prediction"] = kind.plain_value(kind.decide(predictions[index]), task.classes)
        options = () if task.examples.options is None else task.examples.options[row]
        shares = kind.probabilities(predictions[index], options or task.classes, _DIGITS)
        yield values if shares is None else values | {"probabilities": shares}
