"""Run or resume one training run up to a share of its steps, checkpointing on the way."""

from __future__ import annotations

import copy
import shutil
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.files import atomic_write
from wordworth.progress import SILENT, Step
from wordworth.studies.finetune.run_result import Evaluation, Result, State
from wordworth.training.checkpoints import Checkpoints, Note, save
from wordworth.training.finetuning.collapse import is_degenerate
from wordworth.training.interrupts import stopping
from wordworth.training.loop import Diverged
from wordworth.training.malloc import retain_freed_memory

if TYPE_CHECKING:
    from wordworth.studies.finetune.attempts import TrainableRun
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.experiment import Experiment
    from wordworth.studies.finetune.grid import HyperParameters

LOOKS = 8
"""Evaluations on the dev part in a run; they include its quarter and half, where the grid search compares runs."""
_COLLAPSE_SAMPLE = 256
_WORTH_KEEPING_S = 10.0


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run, and the share of its steps to train it to."""

    point: HyperParameters
    seed: int
    share: float = 1.0

    @property
    def name(self) -> str:
        """Name of the run's folder."""
        return f"{self.point.name}-seed-{self.seed}"

    def due(self, steps: int) -> int:
        """Return the update at which a run of `steps` updates reaches the share."""
        return evaluation_steps(steps)[max(0, round(self.share * LOOKS) - 1)]

    def cost(self, parts: Split) -> int:
        """Estimate the run's cost in updates; a finished run also predicts, at a third of the cost of training."""
        due = self.due(self.point.steps(len(parts.train)))
        return due if self.share < 1 else due + -(-(len(parts.dev) + len(parts.test)) // (3 * self.point.batch))


def run_to(bench: Experiment, work: RunSpec, folder: Path, step: Step, note: Note = SILENT.note) -> Result:
    """Train a run up to its share, from its last checkpoint; the result of an ended run is only read.

    Args:
        bench: the encoder, task and settings of the study.
        work: which run, and how far.
        folder: the run's own folder.
        step: receives progress in units of the run's cost, whether done now or earlier.
        note: receives a message about each damaged checkpoint.
    """
    file = folder / "result.npz"
    if file.is_file():
        earlier = Result.read(file)
        if earlier.state != "paused" or earlier.looks[-1].step >= work.due(earlier.steps):
            step.skip(work.cost(bench.parts))
            return earlier
    result = _Session(bench, work, folder, step, note).train()
    result.save(file)
    if result.state != "paused":
        shutil.rmtree(folder / "states", ignore_errors=True)
    return result


def has_ended(folder: Path) -> bool:
    """Whether a run's folder has the result of a run that ended."""
    file = folder / "result.npz"
    return file.is_file() and Result.read(file).state != "paused"


class _Session:
    """One session of a run: restored from its last checkpoint, trained, and checkpointed again."""

    def __init__(self, bench: Experiment, work: RunSpec, folder: Path, step: Step, note: Note) -> None:
        self.bench, self.work, self.step = bench, work, step
        self.weights = folder / "weights.pt"
        self.checkpoints = Checkpoints(folder / "states")
        self.attempt: TrainableRun = bench.begin(work.point, work.seed)
        self.looks: list[Evaluation] = []
        self.best: dict[str, Any] = {}
        self.before, self.began = 0.0, time.monotonic()
        self.saved = self.began
        latest = self.checkpoints.latest(note)
        if latest is not None:
            self._restore(latest[1])
        step.skip(self.attempt.loop.step)

    def train(self) -> Result:
        """Train up to the share; checkpoint at intervals, and at the end of a share that is not the whole run.

        Raises:
            KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
        """
        until = self.work.due(self.attempt.steps)
        try:
            with retain_freed_memory():
                self._advance(until)
            paused = until < self.attempt.steps
            if paused or time.monotonic() - self.saved > _WORTH_KEEPING_S:  # predicting takes long, and may be stopped
                self._save()
            return self._result("paused") if paused else self._ended()
        except Diverged as error:
            return self._result("failed", reason=str(error))

    def _advance(self, until: int) -> None:
        loop, evaluated = self.attempt.loop, set(evaluation_steps(self.attempt.steps))
        if loop.step >= until:
            return
        with stopping() as stop_requested:
            for done in loop.run():
                self.step.advance()
                if done.step + 1 in evaluated:
                    self._evaluate()
                if stop_requested() or done.step + 1 >= until:
                    break
                if time.monotonic() - self.saved > self.bench.settings.save_every:
                    self._save()
        if stop_requested():
            self._save()
            raise KeyboardInterrupt

    def _evaluate(self) -> None:
        loop, last = self.attempt.loop, self.looks[-1].step if self.looks else 0
        score = self.bench.judged(self.attempt)
        before = max((look.dev for look in self.looks if look.dev is not None), default=-np.inf)
        if self.bench.keeps_best and score is not None and score >= before:
            self.best = {"step": loop.step, "weights": copy.deepcopy(loop.model.state_dict())}
        self.looks.append(Evaluation(loop.step, float(np.mean(loop.losses[last:])), score))

    def _ended(self) -> Result:
        """Restore the best weights, or keep the last ones; save them and predict the dev and test parts."""
        if self.best and self.best["step"] < self.attempt.steps:
            self.attempt.loop.rollback_to(self.best["step"], self.best["weights"])
        parts = self.bench.parts
        tuned, dev = self.attempt.tune(parts.dev) if len(parts.dev) else ({}, ())
        test = self.attempt.predict(parts.test)
        sample, predictions = parts.dev, dev
        if not len(parts.dev):
            sample = parts.train[:_COLLAPSE_SAMPLE]
            predictions = self.attempt.predict(sample)
        self.step.advance(self.work.cost(parts) - self.attempt.steps)
        collapsed = is_degenerate(self.bench.task.kind, self.bench.task.gold(sample), predictions)
        with atomic_write(self.weights) as neighbour, neighbour.open("wb") as file:
            save({name: weight.cpu() for name, weight in self.attempt.loop.model.state_dict().items()}, file)
        result = self._result("collapsed" if collapsed else "finished")
        return replace(result, chosen=tuned, dev_score=self.bench.dev_score(dev), test=test)

    def _result(self, state: State, reason: str = "") -> Result:
        return Result(
            point=self.work.point,
            seed=self.work.seed,
            state=state,
            reason=reason,
            steps=self.attempt.steps,
            looks=tuple(self.looks),
            kept=self.best.get("step", self.attempt.loop.step),
            seconds=self._seconds(),
        )

    def _seconds(self) -> float:
        return self.before + time.monotonic() - self.began

    def _save(self) -> None:
        looks = [asdict(look) for look in self.looks]
        state = {"loop": self.attempt.loop.state(), "looks": looks, "best": self.best, "seconds": self._seconds()}
        self.checkpoints.write(self.attempt.loop.step, state)
        self.saved = time.monotonic()

    def _restore(self, state: dict[str, Any]) -> None:
        self.attempt.loop.restore(state["loop"])
        self.looks = [Evaluation(**look) for look in state["looks"]]
        self.best, self.before = state["best"], state["seconds"]


def evaluation_steps(steps: int) -> list[int]:
    """Return the updates of a run after which it is evaluated, the last one included.

    >>> evaluation_steps(20)
    [2, 5, 8, 10, 12, 15, 18, 20]
    """
    return [max(1, round(steps * look / LOOKS)) for look in range(1, LOOKS + 1)]
