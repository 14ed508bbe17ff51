"""The best run's model, as a folder that transformers loads and that `wordworth predict` reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.models.torch_file import read_torch_file
from wordworth.progress import STILL
from wordworth.studies.finetune.experiment import Experiment, TunedAttempt
from wordworth.studies.finetune.feature_folder import write_features
from wordworth.studies.finetune.features import FeatureAttempt
from wordworth.studies.finetune.run import RunSpec, run_to
from wordworth.training.finetuning.checkpoint import save_finetuned
from wordworth.training.task_heads import SpanHead

if TYPE_CHECKING:
    from wordworth.studies.finetune.attempts import TrainableRun
    from wordworth.studies.finetune.run_result import Result
    from wordworth.studies.finetune.worker_pool import WorkerSpec


def save_best_model(bench: Experiment, order: WorkerSpec, best: Result | None, folder: Path) -> None:
    """Write the model folder of the best run; nothing is written where all runs failed.

    Args:
        bench: the encoder, task and settings of the study.
        order: knows the folder of each run.
        best: the best run, or None.
        folder: the model folder.
    """
    if best is None:
        return
    attempt = remade(bench, order, best)
    facts = {**_facts(bench), **best.chosen}
    head = attempt.tuning.head if isinstance(attempt, TunedAttempt) else None
    if isinstance(head, SpanHead) and head.threshold is not None:
        facts["threshold"] = head.threshold
    if isinstance(attempt, FeatureAttempt):
        write_features(folder, bench.encoder, attempt, facts)
    elif isinstance(attempt, TunedAttempt):
        save_finetuned(folder, bench.encoder, attempt.tuning.tuned, facts)


def remade(bench: Experiment, order: WorkerSpec, result: Result) -> TrainableRun:
    """Rebuild a run with its final weights; trained again where these are gone from the disk.

    Raises:
        BadInput: the file of weights is damaged or belongs to another model.
    """
    work = RunSpec(result.point, result.seed)
    folder = order.run_folder(work)
    if not (folder / "weights.pt").is_file():
        (folder / "result.npz").unlink(missing_ok=True)
        run_to(bench, work, folder, STILL)
    attempt = bench.begin(result.point, result.seed)
    _load(attempt, folder / "weights.pt")
    if isinstance(attempt, TunedAttempt):
        if isinstance(attempt.tuning.head, SpanHead) and "threshold" in result.chosen:
            attempt.tuning.head.threshold = result.chosen["threshold"]
        # the weight decay of embedding rows that never occurred is computed from the step
        attempt.tuning.loop.losses.extend([0.0] * result.kept)
    return attempt


def _load(attempt: TrainableRun, file: Path) -> None:
    mend = "remove this file, and the same command makes its run again"
    try:
        attempt.loop.load_weights(read_torch_file(file))
    except BadInput as error:
        raise BadInput(error.what, where=str(file), mend=mend) from error
    except RuntimeError as error:  # torch's error for names and shapes that are not the model's
        raise BadInput("these are the weights of another model", where=str(file), mend=mend) from error


def _facts(bench: Experiment) -> dict[str, Any]:
    task = bench.task
    return {
        "kind": task.kind,
        "name": task.name,
        "classes": list(task.classes),
        "metric": task.metric,
        "pooling": bench.pooling,
        "tokens": bench.reader.limit,
        "cut": bench.reader.cut,
        "context": bench.context,
        "crf": bench.settings.crf,
        "bilstm": bench.settings.bilstm,
        "second": task.examples.second is not None,
        "columns": list(task.columns),
        "embeddings": bench.settings.embeddings,
        "features": bench.settings.features,
    }
