"""Run or resume one training run up to a share of its steps, checkpointing on the way."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.files import atomic_write, sha256
from wordworth.progress import SILENT, Step
from wordworth.training.checkpointed_run import CheckpointedRun
from wordworth.training.checkpoints import Checkpoints, Note, save
from wordworth.training.finetuning.run_result import Result, RunSpec, State, evaluation_steps
from wordworth.training.finetuning.trajectory_points import TrajectoryWriter
from wordworth.training.loop import Diverged
from wordworth.training.malloc import retain_freed_memory

if TYPE_CHECKING:
    from wordworth.training.finetuning.run_inputs import Experiment
    from wordworth.training.finetuning.trainer import TrainableRun

_COLLAPSE_SAMPLE = 256
_WORTH_KEEPING_S = 10.0


def run_to(experiment: Experiment, spec: RunSpec, folder: Path, step: Step, note: Note = SILENT.note) -> Result:
    """Train a run up to a share of its steps, resuming from its last checkpoint, and return its result.

    If the run's folder already holds the result at this share, that result is returned without training.

    Args:
        experiment: the encoder, task and settings of the fine-tuning.
        spec: the run, and the share of its steps.
        folder: the run's own folder.
        step: progress display, advanced by 1 for each update and, after the predictions at the end of a whole run, by
            the rest of `spec.cost`.
        note: receives a message about each damaged checkpoint.
    """
    file = folder / "result.npz"
    if file.is_file():
        earlier = Result.read(file)
        if earlier.state != "paused" or earlier.evaluations[-1].step >= spec.due(earlier.steps):
            step.skip(spec.cost(experiment.split))
            return earlier
    result = _Session(experiment, spec, folder, step, note).train()
    result.save(file)
    if result.state != "paused":
        shutil.rmtree(folder / "states", ignore_errors=True)
    return result


def has_ended(folder: Path) -> bool:
    """Return whether a run's folder holds the result of a finished (not paused) run."""
    file = folder / "result.npz"
    return file.is_file() and Result.read(file).state != "paused"


class _Session:
    """One session of a run: restored from its last checkpoint, trained, and checkpointed again."""

    def __init__(self, experiment: Experiment, spec: RunSpec, folder: Path, step: Step, note: Note) -> None:
        self.experiment, self.spec, self.step = experiment, spec, step
        self.weights = folder / "weights.pt"
        self.training: TrainableRun = experiment.begin(spec.hyper_parameters, spec.seed_index)
        self.run = CheckpointedRun(
            loop=self.training.loop,
            evaluate=lambda: experiment.evaluate(self.training),
            due=set(evaluation_steps(self.training.steps)),
            checkpoints=Checkpoints(folder / "states"),
            save_every=experiment.settings.save_every,
            keeps_best=experiment.keeps_best,
            keep_best_after=self.training.steps * (experiment.teacher.outputs_from if experiment.teacher else 0.0),
            after_step=TrajectoryWriter.of(experiment, self.training, folder).write,
        )
        self.run.resume(note)
        step.skip(self.training.loop.step)

    def train(self) -> Result:
        """Train up to the share; checkpoint at intervals, and at the end of a share that is not the whole run.

        Raises:
            KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
        """
        until = self.spec.due(self.training.steps)
        try:
            with retain_freed_memory():
                self.run.advance(until, self.step)
            paused, unsaved = until < self.training.steps, time.monotonic() - self.run.saved
            if paused or unsaved > _WORTH_KEEPING_S:  # predicting takes long, and may be stopped
                self.run.save()
            return self._result("paused") if paused else self._ended()
        except Diverged as error:
            return self._result("failed", reason=str(error))

    def _ended(self) -> Result:
        """Restore the best weights, or keep the last ones; save them and predict the dev and test parts."""
        self.run.best.restore(self.training.loop)
        split = self.experiment.split
        tuned, dev = self.training.tune(split.dev) if len(split.dev) else ({}, ())
        test = self.training.predict(split.test)
        sample, predictions = split.dev, dev
        if not len(split.dev):
            sample = split.train[:_COLLAPSE_SAMPLE]
            predictions = self.training.predict(sample)
        self.step.advance(self.spec.cost(split) - self.training.steps)
        collapsed = self.experiment.task.type.is_degenerate(self.experiment.task.gold(sample), predictions)
        with atomic_write(self.weights) as neighbour, neighbour.open("wb") as file:
            save({name: weight.cpu() for name, weight in self.training.loop.model.state_dict().items()}, file)
        result = self._result("collapsed" if collapsed else "finished")
        dev_score, digest = self.experiment.dev_score(dev), sha256(self.weights)
        return replace(result, tuned=tuned, dev_score=dev_score, test=test, weights_sha256=digest)

    def _result(self, state: State, reason: str = "") -> Result:
        return Result(
            hyper_parameters=self.spec.hyper_parameters,
            seed=self.spec.seed_index,
            state=state,
            reason=reason,
            steps=self.training.steps,
            evaluations=tuple(self.run.evaluations),
            kept_step=self.training.loop.step if self.run.best.weights is None else self.run.best.step,
            seconds=self.run.seconds,
        )
