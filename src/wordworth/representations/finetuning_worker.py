"""Fine-tune in a worker process, which loads the encoder by its name and sends the trained weights back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wordworth.errors import BadInput
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.progress import ignore
from wordworth.representations.finetuning_run import FineTunedWeights, FineTuningJob, FineTuningOutcome, fine_tune
from wordworth.representations.shared_encoder import load_encoder
from wordworth.worker_process import WorkerPool


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """A `FineTuningJob` in the form in which it is sent to another process.

    Attributes:
        model: the encoder's catalogue name, folder or cached hub name.
        fingerprint: hash of the encoder's weights, which must be the same in both processes.
        job: the inputs of the run without the encoder and the `report` function, which cannot be sent.
        seed: the seed of the run.
    """

    model: str
    fingerprint: str
    job: FineTuningJob
    seed: int


def fine_tune_in(workers: WorkerPool, model: str, job: FineTuningJob, seed: int) -> FineTuningOutcome:
    """Fine-tune in a worker process; the weights are the same as those that `fine_tune` returns in this process.

    Args:
        workers: the worker processes.
        model: the name by which a worker loads the encoder.
        job: the inputs of the run.
        seed: the seed of the run.

    Raises:
        Diverged: the loss of the last attempt was not finite.
        MemoryError: the process was killed.
        WordworthError: the process died, or the model's files have changed since the encoder was loaded.
    """
    portable_job = replace(job, encoder=None, report=ignore)  # type: ignore[arg-type]  # loaded where it runs
    remote = RemoteJob(model, fingerprint(job.encoder), portable_job, seed)
    weights: FineTunedWeights = workers.call(run_remote_job, remote, report=job.report)
    return weights.restored(job, seed)


def run_remote_job(remote: RemoteJob, *, report: Callable[[float], None]) -> FineTunedWeights:
    """Fine-tune in this process a job that another process sent.

    Args:
        remote: the job.
        report: function that is called with the fraction of the run done since the last call.
    """
    encoder = load_encoder(remote.model, "auto")
    if fingerprint(encoder) != remote.fingerprint:
        raise BadInput("the model's files have changed while they were used", where=remote.model, mend="start again")
    job = replace(remote.job, encoder=encoder, report=report)
    return FineTunedWeights.of(fine_tune(job, remote.seed))
