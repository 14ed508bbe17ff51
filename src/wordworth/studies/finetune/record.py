"""Builds the record of a fine-tuning from its runs: every table and every finding, in the order of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.models.devices import name_of
from wordworth.records import Finding, Record, Table
from wordworth.representations.shared_encoder import display_name
from wordworth.studies.environment import environment
from wordworth.studies.finetune.confusion import CLASSES, CONFUSION, class_rows, confusion_rows
from wordworth.studies.finetune.error_examples import EXAMPLES, example_rows
from wordworth.studies.finetune.predictions import PREDICTIONS, write_predictions
from wordworth.studies.finetune.scores import SCORES, Scored, metrics_of, score_rows, scored
from wordworth.studies.finetune.verdict import method, run_outcomes, verdict
from wordworth.tasks.facts import facts

if TYPE_CHECKING:
    from wordworth.studies.finetune.experiment import Experiment
    from wordworth.studies.finetune.grid import HyperParameters
    from wordworth.studies.finetune.run_result import Result
    from wordworth.training.task_heads.base import TaskPredictions

RUNS = {
    "run": "name of the run",
    "stage": "grid: run for the choice of settings; restart: a run of the chosen settings",
    "seed": "number of its seed",
    "rate": "peak learning rate",
    "batch": "examples per update",
    "epochs": "passes over the training part",
    "steps": "updates in the whole run",
    "kept": "the update whose weights make its predictions",
    "state": "finished, collapsed (predicts the same for every example), failed (its loss was not finite) or pruned",
    "reason": "why it failed",
    "dev": "the task's metric on the dev part",
    "test": "the task's metric on the test part",
    "best": "whether its weights are saved",
}
LOOKS = {
    "run": "name of the run",
    "step": "updates done",
    "epoch": "passes over the training part done",
    "loss": "mean training loss since the previous evaluation",
    "dev": "the task's metric on the dev part; null where there is none",
}
_CLOCK = frozenset({"threads", "processes", "save_every", "device"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """All results of a study.

    Attributes:
        bench: the encoder, task and settings.
        point: the chosen hyper-parameters.
        raced: the runs of the grid search.
        results: the restarts of the chosen hyper-parameters.
        best: the run whose weights are saved; None where all failed.
        seconds: duration of the study in this session.
    """

    bench: Experiment
    point: HyperParameters
    raced: tuple[Result, ...]
    results: tuple[Result, ...]
    best: Result | None
    seconds: float

    @property
    def ended(self) -> list[Result]:
        """The restarts with predictions for the test part."""
        return [result for result in self.results if result.test is not None]

    @property
    def title(self) -> str:
        """The display name of the encoder."""
        return display_name(self.bench.settings.model)


def assemble(evidence: Evidence, out: Path) -> Record:
    """Build the record of a fine-tuning, and write the best run's predictions for the test part into `out`."""
    bench, task = evidence.bench, evidence.bench.task
    scores = [scored(task, evidence.ended, name, bench.settings.seed) for name in metrics_of(task)]
    best = None if evidence.best is None else [run.name for run in evidence.ended].index(evidence.best.name)
    predictions = None if evidence.best is None else evidence.best.test
    files = {} if predictions is None else {"predictions": write_predictions(task, predictions, out)}
    return Record(
        kind="finetune",
        settings=_settings(evidence),
        data=_data(evidence) | files,
        tables={
            "scores": Table.of(score_rows(scores, best), SCORES),
            "runs": Table.of(_run_rows(evidence, scores[0]), RUNS),
            "looks": Table.of(_evaluation_rows([*evidence.raced, *evidence.results]), LOOKS),
            "confusion": Table.of([] if predictions is None else confusion_rows(task, predictions), CONFUSION),
            "classes": Table.of([] if predictions is None else class_rows(task, predictions), CLASSES),
            "examples": Table.of([] if predictions is None else example_rows(task, predictions), EXAMPLES),
        },
        findings=[
            verdict(evidence, scores),
            *run_outcomes(evidence, scores[0]),
            *task.warnings,
            *method(evidence),
            *_predictions_finding(predictions),
        ],
        timings={"seconds": {"in all": evidence.seconds}, "runs": {run.name: run.seconds for run in evidence.results}},
        environment={
            **environment(bench.settings.threads),
            "processes": bench.settings.processes,
            "device": name_of(bench.encoder.model.device),
        },
    )


def _predictions_finding(predictions: TaskPredictions | None) -> list[Finding]:
    """Say where the predictions of single examples are."""
    text = f"The best run's prediction and the gold label of each test example are in {PREDICTIONS} beside the record."
    return [] if predictions is None else [Finding("method.predictions", text)]


def _settings(evidence: Evidence) -> dict[str, Any]:
    """Return the requested and the chosen settings, without those that no number depends on."""
    bench = evidence.bench
    requested = {name: value for name, value in asdict(bench.settings).items() if name not in _CLOCK}
    chosen = {"tokens": bench.reader.limit, "pooling": bench.pooling, "context": bench.context}
    tuned = {} if evidence.best is None else dict(evidence.best.chosen)
    return requested | asdict(evidence.point) | chosen | tuned


def _data(evidence: Evidence) -> dict[str, Any]:
    bench, task = evidence.bench, evidence.bench.task
    used = np.concatenate([task.train, task.test])
    return {
        **facts(task),
        "train": len(bench.parts.train),
        "dev": len(bench.parts.dev),
        "cut": int(bench.inputs.truncated[used].sum()),
        "model": evidence.title,
    }


def _run_rows(evidence: Evidence, main: Scored) -> list[dict[str, Any]]:
    by_name = {run.name: float(value) for run, value in zip(evidence.ended, main.values, strict=True)}
    best = None if evidence.best is None else evidence.best.name
    names = {run.name for run in evidence.results}
    raced = [run for run in evidence.raced if run.name not in names]
    return [
        _run_row(run, stage, by_name.get(run.name)) | {"best": run.name == best}
        for stage, runs in (("grid", raced), ("restart", evidence.results))
        for run in runs
    ]


def _run_row(result: Result, stage: str, test: float | None) -> dict[str, Any]:
    dev = result.dev_score if result.state != "pruned" else result.best_dev(result.steps)
    return {
        "run": result.name,
        "stage": stage,
        "seed": result.seed,
        **asdict(result.point),
        "steps": result.steps,
        "kept": result.kept,
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
            "epoch": round(evaluation.step / run.steps * run.point.epochs, 3),
            "loss": evaluation.loss,
            "dev": evaluation.dev,
        }
        for run in results
        for evaluation in run.looks
    }
    return list(rows.values())
