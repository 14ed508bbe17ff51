"""The study `prune`: writes a smaller copy of a model, and compares it with the whole model in a `Record`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.inference.labelled_inputs import LEARNED, labelled_inputs, read_halves
from wordworth.inference.onnx_export import NAME, require_onnx
from wordworth.inference.prediction_speed import speed_table
from wordworth.inference.prune import SmallerModel, with_first_layers, without_least_important, write_run
from wordworth.models.pruning import load_with_heads, require_all_heads, require_heads
from wordworth.models.save_encoder import save
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sources import resolve, short_name
from wordworth.studies.prune.comparison import Comparison, compare
from wordworth.studies.prune.findings import method, random_heads, verdict, warnings
from wordworth.studies.prune.settings import PruneSettings
from wordworth.studies.prune.tables import SPEED, tables_of
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_folder import find_model_folder, model_folder


@dataclass(frozen=True, slots=True)
class Outcome:
    """The smaller model that was written, and its comparison with the whole one.

    Attributes:
        whole: the encoder of the whole model.
        smaller: the smaller encoder.
        weight_bytes: bytes of the files of weights of the whole model and of the smaller one.
        task: the labelled rows; None if the user gave no rows.
        comparison: comparison of the two models on half of the rows; None if there are no rows.
        dtype: data type in which the models compute.
    """

    whole: Transformer
    smaller: SmallerModel
    weight_bytes: tuple[int, int]
    task: Task | None = None
    comparison: Comparison | None = None
    dtype: str = "float32"


def study(settings: PruneSettings, progress: Progress, *, run: Path | str, target: Path) -> Record:
    """Write a smaller copy of a model, and measure the loss in score and the gain in size and speed.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        run: the folder of a fine-tuning, or with `layers` an encoder.
        target: the folder to write. The caller must check before, with `require_free`, that it is empty or does not
            exist.

    Raises:
        BadInput: there is no such model or no attention in it, or the rows do not fit it.
    """
    seconds: dict[str, float] = {}
    is_run = settings.heads is not None or find_model_folder(as_path(run, "run")) is not None
    with timed(seconds, "pruning"):
        outcome = (_of_run if is_run else _of_encoder)(run, target, settings, progress)
    facts = _facts(outcome, run, target, settings)
    comparison = outcome.comparison
    return make_record(
        STUDY.kind,
        asdict(settings) | {"data": file_name(settings.data)},
        facts,
        tables=tables_of(outcome.whole, outcome.smaller, outcome.weight_bytes, comparison),
        findings=[
            verdict(outcome.smaller, outcome.whole, comparison, facts),
            *random_heads(comparison, facts),
            *warnings(comparison, outcome.task),
            *method(outcome.smaller, facts),
        ],
        seconds=seconds,
        timings={"speed": speed_table(comparison.speed, SPEED)} if comparison else None,
    )


STUDY = Study(
    "prune",
    "Write a smaller copy of a model, and measure it beside the whole one.",
    PruneSettings,
    study,
    inputs={"run": "the folder of a fine-tuning", "target": "the folder to write"},
)


def _of_run(run: Path | str, out: Path, settings: PruneSettings, progress: Progress) -> Outcome:
    """Prune a fine-tuned model; raise BadInput before any work if it is to be exported to ONNX and cannot."""
    tuned = read_run(run)
    if settings.onnx:
        require_onnx(tuned, str(run), "leave --onnx out")
    name, encoder = str(run), tuned.encoder.model
    whole = require_heads(encoder, name) if settings.heads is None else require_all_heads(encoder, name)
    task = None if settings.data is None else _read(tuned, settings, progress)
    smaller = _smaller(tuned, whole, task, settings, progress)
    comparison = None
    if task is not None:
        examples = labelled_inputs(tuned.network, task, task.test)
        comparison = compare(tuned, smaller, examples, task, settings.seed, progress)
    write_run(tuned, smaller, out, onnx=settings.onnx)
    return Outcome(
        whole, smaller, _weights(str(model_folder(Path(run))), out), task, comparison, tuned.network.tuned.dtype
    )


def _smaller(
    tuned: TunedRun, whole: Transformer, task: Task | None, settings: PruneSettings, progress: Progress
) -> SmallerModel:
    if settings.heads is None or task is None:
        return with_first_layers(whole, settings.layers or 0)
    ranking = labelled_inputs(tuned.network, task, task.train)
    return without_least_important(tuned, whole, ranking, progress, share=settings.heads, as_zeros=settings.as_zeros)


def _read(tuned: TunedRun, settings: PruneSettings, progress: Progress) -> Task:
    """Read labelled rows, and tell the user if the model learned from them."""
    assert settings.data is not None  # noqa: S101 - by the caller
    task = read_halves(tuned.predictor, settings.data, settings.read)
    for finding in task.warnings:
        if finding.name == LEARNED:
            progress.note(finding.text)
    return task


def _of_encoder(run: Path | str, out: Path, settings: PruneSettings, _: Progress) -> Outcome:
    """Drop layers of an encoder that is not fine-tuned."""
    name = str(run)
    if settings.data is not None:
        mend = "leave the rows out, or name the folder of a fine-tuning"
        raise BadInput("labelled rows score a fine-tuned model, and this is none", where=name, mend=mend)
    if settings.onnx:
        raise BadInput("an encoder has no scores for a graph to give", where=name, mend="leave --onnx out")
    encoder = load_with_heads(name)
    whole = require_heads(encoder.model, name)
    smaller = with_first_layers(whole, settings.layers or 0)
    save(encoder.with_model(smaller.model), out)
    return Outcome(whole, smaller, _weights(name, out))


def _weights(before: str, after: Path) -> tuple[int, int]:
    return resolve(before).weight_bytes, resolve(str(after)).weight_bytes


def _facts(outcome: Outcome, run: Path | str, out: Path, settings: PruneSettings) -> dict[str, Any]:
    name, task = short_name(str(run)), outcome.task
    facts: dict[str, Any] = {"run": name, "folder": out.name, "form": outcome.smaller.form}
    facts |= {"onnx_bytes": (out / NAME).stat().st_size if settings.onnx else None}
    if task is None:
        return {"name": name, **facts}
    ranking = len(task.train) if outcome.smaller.heads else 0
    return {**task.facts, "ranking": ranking, "measuring": len(task.test), "dtype": outcome.dtype, **facts}
