"""The study from end to end: a task and settings in, a record and a model folder out. This function is the method."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from wordworth.errors import BadInput
from wordworth.files import content_key, remove_partial_files
from wordworth.folder_lock import alone_in
from wordworth.models.devices import device_of
from wordworth.representations.shared_encoder import fingerprint
from wordworth.studies.finetune.best_model import save_best_model
from wordworth.studies.finetune.dev_split import parts
from wordworth.studies.finetune.experiment import load_encoder, require_fit
from wordworth.studies.finetune.grid import configurations
from wordworth.studies.finetune.grid_search import grid_search
from wordworth.studies.finetune.record import Evidence, assemble
from wordworth.studies.finetune.run import RunSpec, has_ended
from wordworth.studies.finetune.settings import require_kind
from wordworth.studies.finetune.worker_pool import WorkerSpec, worker_pool
from wordworth.subprocesses import available_cpus
from wordworth.text_format import count_of
from wordworth.versions import version

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.records import Record
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.grid import HyperParameters
    from wordworth.studies.finetune.run_result import Result
    from wordworth.studies.finetune.settings import FinetuneSettings
    from wordworth.tasks.task import Task

_DECIDING = (
    "model",
    "recipe",
    "tokens",
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


def study(task: Task, settings: FinetuneSettings, out: Path, progress: Progress, earlier: str = "") -> Record:
    """Fine-tune an encoder on a task with several seeds, and keep the best run's model in `out/model`.

    Runs are kept in `out/runs`: a study that was stopped goes on, and more restarts cost only themselves. `earlier` is
    the headline of a result that lies in `out`; that it will be replaced is said once nothing stands in the way.

    Raises:
        BadInput: the model, a setting or the disk does not serve, or another process is at work in `out`.
    """
    require_kind(settings, task.kind, task.name)
    split = parts(task, settings.dev_share, settings.seed)
    encoder = load_encoder(settings.model, learns=settings.features is None)
    require_fit(settings, encoder)
    points = configurations(settings, encoder.model.width, len(split.train))
    if len(points) > 1 and not len(split.dev):
        share = f"{settings.dev_share or 0:g} of {len(task.train):,} examples"
        what = f"a grid is chosen from on a dev part, and {share} is too few"
        raise BadInput(what, where="--dev", mend="give more rows or a larger share, or leave --grid out")
    order = WorkerSpec(settings, task, split, out / "runs" / identity(task, settings, split, fingerprint(encoder)))
    with alone_in(out / "runs", waits=False):
        if earlier:
            progress.note(f"{out} holds an earlier result, which this one will replace: {earlier}")
        return assemble(_evidence(order, points, out / "model", progress), out)


def _evidence(order: WorkerSpec, points: Sequence[HyperParameters], model: Path, progress: Progress) -> Evidence:
    """All runs made, the best one's model written to `model`."""
    began = time.perf_counter()
    with worker_pool(order, _processes(order.settings, len(points)), progress.note) as workers:
        point, raced = grid_search(points, workers, order.parts, progress)
        works = [RunSpec(point, seed) for seed in range(order.settings.restarts)]
        _tell_of_kept(order, works, progress)
        with progress.step("fine-tuning", sum(work.cost(order.parts) for work in works)) as step:
            results = workers.results(works, step)
    best, bench = chosen(results), order.load()
    save_best_model(bench, order, best, model)
    _tidy(order, [*raced, *results], best)
    return Evidence(bench, point, tuple(raced), tuple(results), best, time.perf_counter() - began)


def chosen(results: Sequence[Result]) -> Result | None:
    """The run to keep: best on the dev part, or with the lowest last training loss where there is none.

    A collapsed run is kept only where all collapsed; None where all failed.
    """
    ended = [result for result in results if result.state == "finished"]
    ended = ended or [result for result in results if result.state == "collapsed"]
    return max(ended, key=lambda one: one.dev_score if one.dev_score is not None else -one.last_loss, default=None)


def identity(task: Task, settings: FinetuneSettings, split: Split, encoder: str) -> str:
    """One short key for all that decides a run besides its point and seed; runs of other keys lie beside."""
    examples = task.examples
    texts = [examples.first, examples.second, examples.words, examples.options, examples.documents]
    labels = task.labels if isinstance(task.labels, tuple) else (task.labels,)
    known = [part.tobytes() if part.dtype != object else str(part.tolist()) for part in labels]
    decided = {name: getattr(settings, name) for name in _DECIDING}
    decided["dev"] = settings.dev_share  # of a file its rows decide, which are among what follows
    if device_of(settings.device).type != "cpu":
        decided["device"] = device_of(settings.device).type
    made_by = [version(name) for name in ("wordworth", "torch")]
    rows = (split.train.tobytes(), split.dev.tobytes(), split.test.tobytes())
    asked = (task.kind, task.classes, task.metric)
    return content_key(made_by, decided, encoder, *asked, json.dumps(texts), *known, *rows)[:12]


def _processes(settings: FinetuneSettings, points: int) -> int:
    """As many as there are cores (or GPUs; one that is named is one), or runs, whichever is fewer."""
    device, places = device_of(settings.device), max(1, available_cpus() // settings.threads)
    if device.type == "cuda":
        places = torch.cuda.device_count() if device.index is None else 1
    return min(settings.processes or places, max(settings.restarts, points))


def _tell_of_kept(order: WorkerSpec, works: Sequence[RunSpec], progress: Progress) -> None:
    """That runs need not be made, where they were made by an earlier call."""
    kept = sum(has_ended(order.run_folder(work)) for work in works)
    if kept:
        progress.note(f"{kept} of {count_of(len(works), 'run')} made before: read, not made again")


def _tidy(order: WorkerSpec, results: Sequence[Result], best: Result | None) -> None:
    """Weights of other runs, states of pruned ones and torn files go, once the model folder stands; results stay."""
    remove_partial_files(order.folder)
    for result in results:
        folder = order.run_folder(RunSpec(result.point, result.seed))
        shutil.rmtree(folder / "states", ignore_errors=True)
        if best is not None and result.name != best.name:
            (folder / "weights.pt").unlink(missing_ok=True)
