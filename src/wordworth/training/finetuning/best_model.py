"""Save the model of the best run, as a folder that transformers loads and that `wordworth predict` reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.weight_files import read_torch_file
from wordworth.progress import STILL
from wordworth.training.finetuning.checkpoint import save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM, OPTIONS_ONLY, STAGES, START
from wordworth.training.finetuning.feature_tagger import FeatureTaggerTraining, write_features
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_inputs import EncoderTraining, Experiment
from wordworth.training.finetuning.run_result import Result, RunSpec

if TYPE_CHECKING:
    from wordworth.training.finetuning.trainer import TrainableRun


def save_best_model(experiment: Experiment, best: Result | None, runs: Path, folder: Path) -> None:
    """Write the model folder of the best run; nothing is written if all runs failed.

    Args:
        experiment: the encoder, task and settings of the fine-tuning.
        best: the best run; None if all runs failed.
        runs: the folder of all runs.
        folder: the model folder.
    """
    if best is None:
        return
    training = rebuild(experiment, best, runs)
    metadata = {**_metadata(experiment), **best.tuned}
    if isinstance(training, FeatureTaggerTraining):
        write_features(folder, experiment.encoder, training, metadata)
    elif isinstance(training, EncoderTraining):
        save_finetuned(folder, experiment.encoder, training.run.tuned, {**metadata, **training.run.head.tuned})


def rebuild(experiment: Experiment, result: Result, runs: Path) -> TrainableRun:
    """Return a run with its final weights, loaded from its folder; if the folder lacks them, the run is trained again.

    Args:
        experiment: the encoder, the task and the settings.
        result: the result of the run.
        runs: the folder of all runs.

    Raises:
        BadInput: the file of weights is damaged or belongs to another model.
    """
    folder = runs / result.name
    if not (folder / "weights.pt").is_file():
        (folder / "result.npz").unlink(missing_ok=True)
        result = run_to(experiment, RunSpec(result.hyper_parameters, result.seed), folder, STILL)
    training = experiment.begin(result.hyper_parameters, result.seed)
    _load(training, folder / "weights.pt", result.weights_sha256)
    if isinstance(training, EncoderTraining):
        training.run.head.restore(result.tuned)
        # the weight decay of embedding rows that never occurred is computed from the step
        training.run.loop.losses.extend([0.0] * result.kept_step)
    return training


def _load(training: TrainableRun, file: Path, digest: str) -> None:
    """Load the weights of a run from a file that has the SHA-256 `digest` ("" is not checked)."""
    mend = "remove this file, and the same command makes its run again"
    if digest and sha256(file) != digest:
        raise BadInput("the weights of this run were changed since it ended", where=str(file), mend=mend)
    try:
        training.loop.load_weights(read_torch_file(file))
    except BadInput as error:
        raise BadInput(error.what, where=str(file), mend=mend) from error
    except RuntimeError as error:  # torch's error for names and shapes that are not the model's
        raise BadInput("these are the weights of another model", where=str(file), mend=mend) from error


def _metadata(experiment: Experiment) -> dict[str, Any]:
    task, settings = experiment.task, experiment.settings
    earlier = () if experiment.starts is None else experiment.starts.tasks
    learned = [source for each in (*earlier, task) for source in each.sources_of(each.train)]
    return {
        "kind": task.kind,
        "name": task.name,
        "classes": list(task.classes),
        "metric": task.metric,
        "pooling": experiment.pooling,
        "tokens": experiment.reader.limit,
        "cut": experiment.reader.cut,
        "context": experiment.head.context,
        "crf": settings.crf,
        "bilstm": settings.bilstm,
        OPTIONS_ONLY: settings.options_only,
        "second": task.examples.second is not None,
        "columns": list(task.columns),
        "embeddings": settings.embeddings,
        "features": settings.features,
        LEARNED_FROM: list(dict.fromkeys(learned)),
        START: {
            "model": settings.model,
            "fingerprint": fingerprint(experiment.encoder),
            "random_seed": settings.seed if settings.from_scratch else None,
            **({STAGES: [each.name for each in earlier]} if earlier else {}),
        },
    }
