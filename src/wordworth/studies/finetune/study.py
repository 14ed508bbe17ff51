"""The study `finetune` from end to end: make all runs, save the best model, make the `Record`."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from wordworth.caller_warnings import notify
from wordworth.errors import BadInput
from wordworth.files import content_key, remove_partial_files
from wordworth.folder_lock import alone_in
from wordworth.models.devices import device_of
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.package_versions import version
from wordworth.sentence_formatting import count_of
from wordworth.studies.finetune.record import assemble
from wordworth.studies.finetune.results import StudyResults
from wordworth.subprocesses import available_cpus
from wordworth.training.finetuning.best_model import save_best_model
from wordworth.training.finetuning.check_linked_entities import require_entities
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.grid_search import candidates, grid_search
from wordworth.training.finetuning.run import has_ended
from wordworth.training.finetuning.run_inputs import initial_encoder, require_fit
from wordworth.training.finetuning.run_result import RunSpec
from wordworth.training.finetuning.saved_trajectory import save_trajectory
from wordworth.training.finetuning.settings import require_kind
from wordworth.training.finetuning.trajectory_points import POINTS
from wordworth.training.finetuning.worker_pool import Executor, WorkerSpec, worker_pool

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.records import Record
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.run_result import HyperParameters, Result
    from wordworth.training.finetuning.settings import FinetuneSettings

_RUNS_SINCE = "0.1.0"
"""The first version of Wordworth whose stored runs are used again; raised when the same settings give other runs."""
_DECIDING = (
    "model",
    "recipe",
    "max_length",
    "pooling",
    "embeddings",
    "context",
    "crf",
    "bilstm",
    "features",
    "dev",
    "seed",
    "threads",
)
_LATER = ("keep_path", "margin", "options_only")
"""Settings that decide a run if they are set, and that the first version did not have; `keep_path` is among them, as a
run whose weights during training (its path) were not kept is made again."""

_IN_KEYS = {"max_length": "tokens"}
"""Name of a setting -> its name in the keys of runs, if that differs, since keys use the names of the first version."""


def study(task: Task, settings: FinetuneSettings, out: Path, progress: Progress, earlier: str = "") -> Record:
    """Fine-tune an encoder on a task with several seeds, and save the best run's model in `out/model`.

    Runs are stored in `out/runs`: a stopped study resumes, and with more restarts only the added runs are made.

    Args:
        task: the task.
        settings: the settings of the study.
        out: the folder of the study.
        progress: receives progress and messages.
        earlier: headline of an earlier result in `out`, whose replacement is announced to the user; "" without an
            earlier result.

    Raises:
        BadInput: the model, a setting or the disk cannot be used, or another process is working in `out`.
    """
    require_kind(settings, task.type, task.name)
    split = dev_split(task, settings.dev_share, settings.seed)
    encoder = initial_encoder(settings)
    require_fit(settings, encoder)
    require_entities(encoder, task)
    points = candidates(settings, encoder.model.width, len(split.train))
    if len(points) > 1 and not len(split.dev):
        share = f"{settings.dev_share or 0:g} of {len(task.train):,} examples"
        what = f"a grid search needs a dev part, and {share} is too few"
        raise BadInput(what, where="--dev", mend="give more rows or a larger share, or leave --grid out")
    runs = out / "runs" / identity(task, settings, split, fingerprint(encoder))
    spec = WorkerSpec(settings, task, split, runs)
    with alone_in(out / "runs", waits=False):
        announce_replaced(out, runs, progress, earlier)
        return assemble(_results(spec, points, out / "model", progress), out)


def announce_replaced(out: Path, runs: Path, progress: Progress, earlier: str) -> None:
    """Tell the user that an earlier result in the folder will be replaced.

    The message is a note if the same study resumes, and a warning otherwise.

    Args:
        out: the folder of the study.
        runs: the folder of the runs of this study.
        progress: receives the message.
        earlier: headline of the earlier result; "" without an earlier result.
    """
    message = f"{out} has an earlier result, which will be replaced: {earlier}"
    if earlier and runs.exists():  # the same study, which goes on
        progress.note(message)
    elif earlier:
        notify(message, UserWarning, progress)


def _results(spec: WorkerSpec, points: Sequence[HyperParameters], model: Path, progress: Progress) -> StudyResults:
    """Make the runs of all settings and seeds, and save the best run's model in the folder `model`."""
    began = time.perf_counter()
    with worker_pool(spec, num_processes(spec.settings, len(points)), progress.note) as executor:
        point, tried = grid_search(points, executor, spec.split, progress)
        results = make_restarts(executor, spec, point, progress)
    best, experiment = best_run(results), spec.load()
    save_best_model(experiment, best, spec.folder, model)
    second = best_run([run for run in results if best is not None and run.name != best.name])
    with_path = [run for run in (best, second) if run is not None] if spec.settings.keep_path else []
    save_trajectory(experiment, with_path, spec.folder, model.parent)
    tidy(spec.folder, [*tried, *results], best, with_path)
    return StudyResults(experiment, point, tuple(tried), tuple(results), best, time.perf_counter() - began)


def make_restarts(
    executor: Executor, spec: WorkerSpec, point: HyperParameters, progress: Progress, doing: str = "fine-tuning"
) -> list[Result]:
    """Make the runs with the chosen hyper-parameters, one for each seed.

    Args:
        executor: makes the runs.
        spec: the settings and data of the runs.
        point: the hyper-parameters.
        progress: receives progress.
        doing: title of the step of progress.
    """
    runs = [RunSpec(point, seed) for seed in range(spec.settings.restarts)]
    _report_cached(spec.folder, runs, progress)
    with progress.step(doing, sum(run.cost(spec.split) for run in runs)) as step:
        return executor.results(runs, step)


def best_run(results: Sequence[Result]) -> Result | None:
    """Return the run with the best score on the dev part or, without a dev part, with the lowest final training loss.

    A collapsed run (one that predicts the same for every example) is chosen only if all other runs collapsed or failed.
    The result is None if all runs failed.
    """
    ended = [result for result in results if result.state == "finished"]
    ended = ended or [result for result in results if result.state == "collapsed"]
    return max(ended, key=lambda run: run.dev_score if run.dev_score is not None else -run.last_loss, default=None)


def identity(task: Task, settings: FinetuneSettings, split: Split, encoder: str) -> str:
    """Return a short key of everything that decides a run except its hyper-parameters and seed.

    The folder of the runs is named by this key.

    Args:
        task: the task.
        settings: the settings of the study.
        split: the training, dev and test rows.
        encoder: fingerprint of the encoder.
    """
    examples = task.examples
    texts = [examples.first, examples.second, examples.words, examples.options, examples.documents]
    labels = task.labels if isinstance(task.labels, tuple) else (task.labels,)
    known = [part.tobytes() if part.dtype != object else str(part.tolist()) for part in labels]
    decided = {_IN_KEYS.get(name, name): getattr(settings, name) for name in _DECIDING}
    decided["dev"] = settings.dev_share  # a dev file counts by its rows, which are in the key too
    decided |= {name: value for name in _LATER if (value := getattr(settings, name))}
    if device_of(settings.device).type != "cpu":
        decided["device"] = device_of(settings.device).type
    made_by = [_RUNS_SINCE, version("torch")]
    rows = (split.train.tobytes(), split.dev.tobytes(), split.test.tobytes())
    definition = (task.type.legacy_name, task.classes, task.metric)
    return content_key(made_by, decided, encoder, *definition, json.dumps(texts), *known, *rows)[:12]


def num_processes(settings: FinetuneSettings, points: int) -> int:
    """Return the number of worker processes: as many as the settings say, else one for each core or GPU.

    There are never more processes than runs.

    Args:
        settings: the settings of the study; with a named GPU such as `cuda:0` there is one process.
        points: number of points of the grid search.
    """
    device, slots = device_of(settings.device), max(1, available_cpus() // settings.threads)
    if device.type == "cuda":
        slots = torch.cuda.device_count() if device.index is None else 1
    return min(settings.processes or slots, max(settings.restarts, points))


def _report_cached(folder: Path, runs: Sequence[RunSpec], progress: Progress) -> None:
    """Send a note with the number of runs whose results an earlier call has stored."""
    cached = sum(has_ended(folder / run.name) for run in runs)
    if cached:
        progress.note(f"{cached} of {count_of(len(runs), 'run')} made before: read, not made again")


def tidy(folder: Path, results: Sequence[Result], best: Result | None, with_path: Sequence[Result]) -> None:
    """Remove the files of runs that are not needed once the best model is saved.

    The removed files are weights, checkpoints, partial files, and the path of a run (its weights during training). The
    results of all runs stay.

    Args:
        folder: the folder of all runs.
        results: the results of the runs.
        best: the run whose weights stay; None if all runs failed.
        with_path: further runs whose weights stay; the path of the first of them stays too.
    """
    names = [run.name for run in with_path]
    remove_partial_files(folder)
    for result in results:
        shutil.rmtree(folder / result.name / "states", ignore_errors=True)
        if result.name not in names[:1]:
            shutil.rmtree(folder / result.name / POINTS, ignore_errors=True)
        if best is not None and result.name not in {best.name, *names}:
            (folder / result.name / "weights.pt").unlink(missing_ok=True)
