"""Staged transfer: every run of a task starts from the run of the earlier stage that has the same seed.

Li et al. 2019 (TransBERT, arXiv 1905.07504): a pretrained encoder learns a supervised transfer task, and the resulting
encoder then learns the target task. Runs are paired by seed, so that the differences between runs of the last stage
include the randomness of all stages.

    pretrained encoder ─► stage 1, seed 0 ─► stage 2, seed 0
                       └► stage 1, seed 1 ─► stage 2, seed 1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.training.finetuning.best_model import rebuild
from wordworth.training.finetuning.checkpoint import finetuned_encoder
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_inputs import EncoderTraining, Experiment, RunStart
from wordworth.training.finetuning.run_result import RunSpec
from wordworth.training.finetuning.worker_pool import WorkerSpec

if TYPE_CHECKING:
    from wordworth.models.encoder_base import Encoder
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.model import FineTuningModel
    from wordworth.training.finetuning.run_result import HyperParameters, Result


@dataclass(frozen=True, slots=True)
class StagedSpec(WorkerSpec):
    """The specification of fine-tuning runs that start from the final weights of the runs of an earlier stage.

    Attributes:
        earlier: the specification of the earlier stage's runs.
        hyper_parameters: the hyper-parameters of the earlier stage's runs.
    """

    earlier: WorkerSpec
    hyper_parameters: HyperParameters

    def load(self) -> Experiment:
        """Load the pretrained encoder and tokenize every example; the earlier stage is read when a run begins."""
        opened = Experiment.open(self.settings, self.task, self.split)
        starts = StageStarts(self.earlier, self.hyper_parameters, keeps_output(self.earlier.task, self.task))
        return replace(opened, starts=starts)

    def for_gpu(self, number: int) -> StagedSpec:
        """Return the specification for process `number`, which reads earlier stages onto the GPU of that process."""
        settings = WorkerSpec.for_gpu(self, number).settings
        return replace(self, settings=settings, earlier=self.earlier.for_gpu(number))


@dataclass(frozen=True)
class StageStarts:
    """The initial weights of each run of a stage: the final weights of the earlier stage's run with the same seed.

    Attributes:
        earlier: the specification of the earlier stage's runs.
        hyper_parameters: the hyper-parameters of the earlier stage's runs.
        keeps_output: whether the output layer is taken over too.
    """

    earlier: WorkerSpec
    hyper_parameters: HyperParameters
    keeps_output: bool

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment of the earlier stage."""
        return self.earlier.load()

    def of(self, seed_index: int) -> RunStart:
        """Return the initial weights of the run whose seed has this index, counted from 0.

        Raises:
            BadInput: the earlier stage's run failed.
        """
        spec = RunSpec(self.hyper_parameters, seed_index)
        result = run_to(self.experiment, spec, self.earlier.run_folder(spec), STILL)
        require_ended(result, self.earlier.task)
        training = rebuild(self.experiment, result, self.earlier.folder)
        assert isinstance(training, EncoderTraining)  # noqa: S101 - a stage has no frozen features
        network = training.run.tuned.network
        return RunStart(self._encoder(network), network if self.keeps_output else None)

    def _encoder(self, network: FineTuningModel) -> Encoder:
        """Return a copy of the encoder with the weights that a stage trained; an unused pooler is unchanged."""
        pretrained = self.experiment.encoder.model
        own = network.pooler if network.pooler is not None else pretrained.pooler
        model = finetuned_encoder(self.experiment.encoder, network, pooler=own is not None)
        if own is not None and model.pooler is not None:
            model.pooler.load_state_dict(own.state_dict())
        return model.to(pretrained.device)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of all earlier stages of the transfer, in order."""
        spec, tasks = self.earlier, [self.earlier.task]
        while isinstance(spec, StagedSpec):
            spec = spec.earlier
            tasks.append(spec.task)
        return tuple(tasks[::-1])


def keeps_output(earlier: Task, task: Task) -> bool:
    """Return whether a stage takes over the output layer of the stage before it.

    The layer is taken over if both tasks are of the same kind and have the same classes.

    Args:
        earlier: the task of the earlier stage.
        task: the task of this stage.
    """
    return earlier.kind == task.kind and earlier.classes == task.classes


def require_ended(result: Result, task: Task) -> None:
    """Check that a run of an earlier stage did not fail, so that the next stage can start from it.

    Raises:
        BadInput: the run failed.
    """
    if result.state == "failed":
        what = f"the run of the stage {task.name} with seed {result.seed} failed, so that no stage can start from it"
        raise BadInput(f"{what}: {result.reason}", mend="give a lower --learning-rate")
