"""From runs to a record: every table and every sentence, in the order a reader meets them."""

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
    "stage": "grid: tried for a choice of settings; restart: a run of the settings chosen",
    "seed": "number of its seed",
    "rate": "peak learning rate",
    "batch": "examples of an update",
    "epochs": "passes over the training part",
    "steps": "updates of the whole run",
    "kept": "the update whose weights it answers with",
    "state": "finished, collapsed (says the same of every example), failed (its loss was no number) or pruned",
    "reason": "of a failure",
    "dev": "the task's metric on the dev part",
    "test": "the task's metric on the test part",
    "best": "whether its weights are kept",
}
LOOKS = {
    "run": "name of the run",
    "step": "updates done",
    "epoch": "passes over the training part done",
    "loss": "mean training loss since the look before",
    "dev": "the task's metric on the dev part; null where there is none",
}
_CLOCK = frozenset({"threads", "processes", "save_every", "device"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was measured.

    Attributes:
        point: the configuration chosen; `raced`: what a grid tried for it; `results`: its restarts.
        best: the run whose weights are kept.
        seconds: of the whole study, in this sitting.
    """

    bench: Experiment
    point: HyperParameters
    raced: tuple[Result, ...]
    results: tuple[Result, ...]
    best: Result | None
    seconds: float

    @property
    def ended(self) -> list[Result]:
        """The restarts that answered the test part."""
        return [result for result in self.results if result.test is not None]

    @property
    def title(self) -> str:
        """What a person calls the encoder."""
        return display_name(self.bench.settings.model)


def assemble(evidence: Evidence, out: Path) -> Record:
    """The record of a fine-tuning; the kept run's predictions of the test part are written beside it, in `out`."""
    bench, task = evidence.bench, evidence.bench.task
    found = [scored(task, evidence.ended, name, bench.settings.seed) for name in metrics_of(task)]
    place = None if evidence.best is None else [one.name for one in evidence.ended].index(evidence.best.name)
    said = None if evidence.best is None else evidence.best.test
    return Record(
        kind="finetune",
        settings=_settings(evidence),
        data=_data(evidence) | ({} if said is None else {"predictions": write_predictions(task, said, out)}),
        tables={
            "scores": Table.of(score_rows(found, place), SCORES),
            "runs": Table.of(_run_rows(evidence, found[0]), RUNS),
            "looks": Table.of(_look_rows([*evidence.raced, *evidence.results]), LOOKS),
            "confusion": Table.of([] if said is None else confusion_rows(task, said), CONFUSION),
            "classes": Table.of([] if said is None else class_rows(task, said), CLASSES),
            "examples": Table.of([] if said is None else example_rows(task, said), EXAMPLES),
        },
        findings=[
            verdict(evidence, found),
            *run_outcomes(evidence, found[0]),
            *task.warnings,
            *method(evidence),
            *_beside(said),
        ],
        timings={"seconds": {"in all": evidence.seconds}, "runs": {one.name: one.seconds for one in evidence.results}},
        environment={
            **environment(bench.settings.threads),
            "processes": bench.settings.processes,
            "device": name_of(bench.encoder.model.device),
        },
    )


def _beside(said: TaskPredictions | None) -> list[Finding]:
    """Where predictions of single examples are."""
    text = (
        f"What the kept run says of each test example, and the label given, stands in {PREDICTIONS} beside the record."
    )
    return [] if said is None else [Finding("method.predictions", text)]


def _settings(evidence: Evidence) -> dict[str, Any]:
    """What was asked for and what was chosen for it; nothing that no number depends on."""
    bench = evidence.bench
    asked = {name: value for name, value in asdict(bench.settings).items() if name not in _CLOCK}
    chosen = {"tokens": bench.reader.limit, "pooling": bench.pooling, "context": bench.context}
    given = {} if evidence.best is None else dict(evidence.best.chosen)
    return asked | asdict(evidence.point) | chosen | given


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
    by_name = {one.name: float(value) for one, value in zip(evidence.ended, main.values, strict=True)}
    best = None if evidence.best is None else evidence.best.name
    names = {one.name for one in evidence.results}
    raced = [one for one in evidence.raced if one.name not in names]
    return [
        _run_row(one, stage, by_name.get(one.name)) | {"best": one.name == best}
        for stage, some in (("grid", raced), ("restart", evidence.results))
        for one in some
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


def _look_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    rows = {
        (one.name, look.step): {
            "run": one.name,
            "step": look.step,
            "epoch": round(look.step / one.steps * one.point.epochs, 3),
            "loss": look.loss,
            "dev": look.dev,
        }
        for one in results
        for look in one.looks
    }
    return list(rows.values())
