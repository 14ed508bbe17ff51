"""Run or resume one training run up to a share of its steps, checkpointing on the way."""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.files import atomic_write
from wordworth.progress import SILENT, Step
from wordworth.training.checkpoints import Checkpoints, Note, save
from wordworth.training.finetuning.path_points import PathWriter
from wordworth.training.finetuning.run_result import Evaluation, Result, RunSpec, State, evaluation_steps
from wordworth.training.interrupts import stopping
from wordworth.training.loop import BestWeights, Diverged
from wordworth.training.malloc import retain_freed_memory

if TYPE_CHECKING:
    from wordworth.training.finetuning.experiment import Experiment
    from wordworth.training.finetuning.trainer import TrainableRun

_COLLAPSE_SAMPLE = 256
_WORTH_KEEPING_S = 10.0


def run_to(experiment: Experiment, spec: RunSpec, folder: Path, step: Step, note: Note = SILENT.note) -> Result:
    """Train a run up to its share, from its last checkpoint, and return its result; one that ended is only read.

    Args:
        experiment: the encoder, task and settings of the study.
        spec: which run, and how far.
        folder: the run's own folder.
        step: receives progress in units of the run's cost, whether done now or earlier.
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
    """Return whether a run's folder has the result of a run that ended."""
    file = folder / "result.npz"
    return file.is_file() and Result.read(file).state != "paused"


class _Session:
    """One session of a run: restored from its last checkpoint, trained, and checkpointed again."""

    def __init__(self, experiment: Experiment, spec: RunSpec, folder: Path, step: Step, note: Note) -> None:
        self.experiment, self.spec, self.step = experiment, spec, step
        self.weights = folder / "weights.pt"
        self.checkpoints = Checkpoints(folder / "states")
        self.training: TrainableRun = experiment.begin(spec.hyper_parameters, spec.seed)
        self.evaluations: list[Evaluation] = []
        self.best = BestWeights()
        self.before, self.began = 0.0, time.monotonic()
        self.saved = self.began
        self.path = PathWriter.of(experiment, self.training, folder)
        latest = self.checkpoints.latest(note)
        if latest is not None:
            self._restore(latest[1])
        step.skip(self.training.loop.step)

    def train(self) -> Result:
        """Train up to the share; checkpoint at intervals, and at the end of a share that is not the whole run.

        Raises:
            KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
        """
        until = self.spec.due(self.training.steps)
        try:
            with retain_freed_memory():
                self._advance(until)
            paused = until < self.training.steps
            if paused or time.monotonic() - self.saved > _WORTH_KEEPING_S:  # predicting takes long, and may be stopped
                self._save()
            return self._result("paused") if paused else self._ended()
        except Diverged as error:
            return self._result("failed", reason=str(error))

    def _advance(self, until: int) -> None:
        loop, evaluated = self.training.loop, set(evaluation_steps(self.training.steps))
        if loop.step >= until:
            return
        self.path.write(loop.step)
        with stopping() as stop_requested:
            for done in loop.run():
                self.step.advance()
                self.path.write(done.step + 1)
                if done.step + 1 in evaluated:
                    self._evaluate()
                if stop_requested() or done.step + 1 >= until:
                    break
                if time.monotonic() - self.saved > self.experiment.settings.save_every:
                    self._save()
        if stop_requested():
            self._save()
            raise KeyboardInterrupt

    def _evaluate(self) -> None:
        loop, last = self.training.loop, self.evaluations[-1].step if self.evaluations else 0
        score = self.experiment.evaluate(self.training)
        if self.experiment.keeps_best and score is not None:
            self.best.offer(loop, score)
        self.evaluations.append(Evaluation(loop.step, float(np.mean(loop.losses[last:])), score))

    def _ended(self) -> Result:
        """Restore the best weights, or keep the last ones; save them and predict the dev and test parts."""
        self.best.restore(self.training.loop)
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
        return replace(result, tuned=tuned, dev_score=self.experiment.dev_score(dev), test=test)

    def _result(self, state: State, reason: str = "") -> Result:
        return Result(
            hyper_parameters=self.spec.hyper_parameters,
            seed=self.spec.seed,
            state=state,
            reason=reason,
            steps=self.training.steps,
            evaluations=tuple(self.evaluations),
            kept_step=self.training.loop.step if self.best.weights is None else self.best.step,
            seconds=self._seconds(),
        )

    def _seconds(self) -> float:
        return self.before + time.monotonic() - self.began

    def _save(self) -> None:
        loop, evaluations = self.training.loop, [asdict(evaluation) for evaluation in self.evaluations]
        best = {} if self.best.weights is None else {"step": self.best.step, "weights": self.best.weights}
        state = {"loop": loop.state(), "evaluations": evaluations, "best": best, "seconds": self._seconds()}
        self.checkpoints.write(loop.step, state)
        self.saved = time.monotonic()

    def _restore(self, state: dict[str, Any]) -> None:
        self.training.loop.restore(state["loop"])
        evaluations = state["looks"] if "looks" in state else state["evaluations"]  # its former name
        self.evaluations = [Evaluation(**evaluation) for evaluation in evaluations]
        if state["best"]:
            best_score = max(each.dev for each in self.evaluations if each.dev is not None)
            self.best = BestWeights(state["best"]["step"], best_score, state["best"]["weights"])
        self.before = state["seconds"]
