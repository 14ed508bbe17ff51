"""`prune`: write a smaller copy of a fine-tuned model, or fewer layers of any encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from wordworth.errors import BadInput
from wordworth.files import as_path, require_writable
from wordworth.inference.head_importance import head_importance, pruning_order
from wordworth.inference.labelled_inputs import LEARNED, LabelledInputs, labelled_inputs, predict, read_halves
from wordworth.inference.onnx_export import require_onnx, write_onnx
from wordworth.inference.prune_settings import PruneSettings
from wordworth.inference.tuned_run import TunedRun, read_run
from wordworth.measures.metrics import metric as metric_of
from wordworth.models.export import save
from wordworth.models.pruning import (
    first_layers,
    load_with_heads,
    require_heads,
    size_of,
    with_zero_heads,
    without_heads,
)
from wordworth.models.transformer import Transformer
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import settings_from
from wordworth.tasks.task import Task
from wordworth.text.file_formats.in_memory import TableSource, as_files
from wordworth.training.finetuning.checkpoint import save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import ZERO_HEADS
from wordworth.training.finetuning.run_folder import find_model_folder
from wordworth.training.finetuning.trainer import FineTunedModel

Form = Literal["heads removed", "heads set to zero", "layers dropped"]
LOADED_BY: Mapping[Form, str] = {
    "heads removed": "Only Wordworth loads it; it is faster.",
    "heads set to zero": "Every library that loads the whole model loads it; it is as slow as that.",
    "layers dropped": "Every library that loads the whole model loads it; it is faster.",
}
"""What each form is good for."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Report on a smaller model that was written.

    Attributes:
        out: its folder.
        form: what was done.
        heads, layers: number of attention heads and of layers left.
        parameters, parameters_before: of the encoder.
        score, score_before: on a half of the labelled rows, which ranked no head; None without such rows.
        metric: the metric of these scores, as reports show it.
    """

    out: Path
    form: Form
    heads: int
    layers: int
    parameters: int
    parameters_before: int
    score: float | None = None
    score_before: float | None = None
    metric: str = ""


def prune(  # noqa: PLR0913 - the settings, each by its name
    run: Path | str,
    out: Path | str,
    *,
    heads: float | None = None,
    layers: int | None = None,
    data: TableSource | None = None,
    as_zeros: bool = False,
    onnx: bool = False,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 1_000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Pruned:
    """Write a smaller copy of a fine-tuned model: without its least important attention heads, or with fewer layers.

    Nothing is trained. Heads are ranked by Michel et al. (2019, arXiv 1905.10650, equation 5) on half of the labelled
    rows; each layer keeps one. Removed heads make a folder that only Wordworth loads; with `as_zeros` other libraries
    load it, at the whole model's speed; a model with fewer layers is loaded by every library.

    Args:
        run: the output folder of a fine-tuning, or the model folder inside that; with `layers` also an encoder: a
            name, a folder or a hub name.
        out: the folder to write.
        heads: share of the attention heads to remove.
        layers: number of layers to keep, from the first.
        data: labelled rows that the model did not learn from: a file, a table, or a list of dicts. With `heads` half of
            them rank the heads; the other half is scored before and after.
        as_zeros: with `heads`: keep the shapes, and set the weights of the heads to 0.
        onnx: with a fine-tuned model, also write `model.onnx`, from token ids to scores, which onnxruntime runs without
            Wordworth; needs the package onnx.
        text: column of the texts; guessed if not given.
        text_b: column of the second texts, for pairs.
        label: column of the labels; guessed if not given.
        metric: metric of the scores; that of the kind of task if not given.
        limit: most rows, drawn by class.
        seed: random seed of the halves.
        progress: receives progress and messages.

    Raises:
        BadInput: there is no such model or no attention in it, the rows do not fit it, or `out` cannot be written.
        MissingExtra: onnx is not installed, and `onnx` is given.

    >>> prune("run", "small", heads=0.4, data="dev.csv")  # doctest: +SKIP
    """
    arguments = dict(locals())
    with as_files(data, names=["the table"]) as (rows,):
        settings = settings_from({**arguments, "data": rows}, PruneSettings)
        target = as_path(out, "--out")
        _require_free(target)
        if settings.heads is not None:
            return _prune_heads(run, target, settings, progress)
        if find_model_folder(as_path(run, "run")) is not None:
            return _shorten_run(run, target, settings, progress)
        return _shorten_encoder(str(run), target, settings)


def _require_free(out: Path) -> None:
    """Make sure, before any work, that `out` can be written and that no file of the user's would be lost.

    Raises:
        BadInput: `out` is a file, or a folder with something in it, or cannot be written.
    """
    require_writable(out)
    if out.is_symlink() or (out.exists() and any(out.iterdir())):
        mend = "give another --out, or remove it first"
        raise BadInput("this is there already, and would be replaced", where=str(out), mend=mend)


def _prune_heads(run: Path | str, out: Path, settings: PruneSettings, progress: Progress) -> Pruned:
    tuned = _read_run(run, settings)
    model = require_heads(tuned.encoder.model, str(run))
    assert settings.heads is not None  # noqa: S101 - by the caller
    task = _read(tuned, settings, progress)
    ranking, measuring = (labelled_inputs(tuned.network, task, rows) for rows in (task.train, task.test))
    with progress.step("ranking heads", len(ranking)) as step:
        order = pruning_order(head_importance(tuned.network.tuned, ranking, step).exact)
    wanted = max(1, round(settings.heads * model.config.num_layers * model.config.num_heads))
    heads = order[:wanted]
    if len(heads) < wanted:
        progress.note(f"{len(heads)} heads go, not {wanted}: every layer keeps one")
    smaller = without_heads(model, heads)
    networks = [tuned.network.tuned, tuned.network.tuned.with_encoder(smaller)]
    report = Pruned(out, "heads removed", *size_of(smaller), parameters_before=size_of(model).parameters)
    report = _scored(report, networks, measuring, task)
    if settings.as_zeros:
        _save(tuned, with_zero_heads(model, heads), out, {ZERO_HEADS: len(heads)}, onnx=settings.onnx)
        return replace(report, form="heads set to zero", parameters=report.parameters_before)
    _save(tuned, smaller, out, {}, onnx=settings.onnx)
    return report


def _read(tuned: TunedRun, settings: PruneSettings, progress: Progress) -> Task:
    """Read labelled rows, and say if the model learned from them."""
    assert settings.data is not None  # noqa: S101 - by the callers
    task = read_halves(tuned.predictor, settings.data, settings.read)
    for finding in task.warnings:
        if finding.name == LEARNED:
            progress.note(finding.text)
    return task


def _scored(report: Pruned, networks: Sequence[FineTunedModel], examples: LabelledInputs, task: Task) -> Pruned:
    """Return a report with the scores of two networks on examples: before, and after."""
    scorer = metric_of(task.metric, task.classes)
    before, after = (scorer.score(examples.labels, predict(network, examples)) for network in networks)
    return replace(report, score=after, score_before=before, metric=scorer.title)


def _shorten_run(run: Path | str, out: Path, settings: PruneSettings, progress: Progress) -> Pruned:
    tuned = _read_run(run, settings)
    model = require_heads(tuned.encoder.model, str(run))
    shorter = first_layers(model, settings.layers or 0)
    report = Pruned(out, "layers dropped", *size_of(shorter), parameters_before=size_of(model).parameters)
    if settings.data is not None:
        task = _read(tuned, settings, progress)
        networks = [tuned.network.tuned, tuned.network.tuned.with_encoder(shorter)]
        report = _scored(report, networks, labelled_inputs(tuned.network, task, task.test), task)
    _save(tuned, shorter, out, {}, onnx=settings.onnx)
    return report


def _shorten_encoder(name: str, out: Path, settings: PruneSettings) -> Pruned:
    if settings.data is not None:
        mend = "leave the rows out, or name the folder of a fine-tuning"
        raise BadInput("labelled rows score a fine-tuned model, and this is none", where=name, mend=mend)
    if settings.onnx:
        raise BadInput("an encoder has no scores for a graph to give", where=name, mend="leave --onnx out")
    encoder = load_with_heads(name)
    model = require_heads(encoder.model, name)
    shorter = first_layers(model, settings.layers or 0)
    save(encoder.with_model(shorter), out)
    return Pruned(out, "layers dropped", *size_of(shorter), parameters_before=size_of(model).parameters)


def _read_run(run: Path | str, settings: PruneSettings) -> TunedRun:
    """Read a fine-tuned model; refuse before any work to export one that has no graph."""
    tuned = read_run(run)
    if settings.onnx:
        require_onnx(tuned)
    return tuned


def _save(tuned: TunedRun, model: Transformer, out: Path, fields: Mapping[str, Any], *, onnx: bool) -> None:
    """Write a fine-tuned model with another encoder."""
    metadata, network = {**tuned.predictor.facts, **fields}, tuned.network.tuned.with_encoder(model)
    save_finetuned(out, tuned.encoder.with_model(model), network, metadata)
    if onnx:
        write_onnx(model, network.network, out)
