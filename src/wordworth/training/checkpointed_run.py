"""`CheckpointedRun`: a training run that is evaluated and saved on the way, and resumes where it was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch

from wordworth.progress import SILENT, Step
from wordworth.training.checkpoints import Checkpoints, Note
from wordworth.training.finetuning.run_result import Evaluation
from wordworth.training.interrupts import stop_signals
from wordworth.training.loop import BestWeights, Loop


def _nothing(step: int) -> None:
    """Do nothing after a step."""


@dataclass(slots=True, kw_only=True)
class CheckpointedRun:
    """A training loop with its checkpoints, its evaluations and the weights of the best evaluation.

    Attributes:
        loop: the training loop.
        evaluate: returns the score of the current model on held-out examples, higher is better; None without such
            examples.
        due: the steps after which the model is evaluated, each as the number of steps done.
        checkpoints: the checkpoints of the run.
        save_every: seconds between checkpoints.
        keeps_best: whether the weights of the best evaluation are kept.
        keep_best_after: number of steps after which evaluations begin to compete for the best weights; above 0 for a
            distillation that learns inner states first and outputs later.
        after_step: called with the number of steps done, before the first step and after each.
        evaluations: the evaluations so far.
        best: the best weights so far.
        earlier_seconds: seconds that the run took in earlier processes, before it was resumed.
        began: `time.monotonic()` when this process began.
        saved: `time.monotonic()` at the last checkpoint.
    """

    loop: Loop[Any]
    evaluate: Callable[[], float | None]
    due: Collection[int]
    checkpoints: Checkpoints
    save_every: float
    keeps_best: bool = True
    keep_best_after: float = 0.0
    after_step: Callable[[int], None] = _nothing
    evaluations: list[Evaluation] = field(default_factory=list)
    best: BestWeights = field(default_factory=BestWeights)
    earlier_seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)
    saved: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """The seconds that the run has taken, including the time before it was resumed."""
        return self.earlier_seconds + time.monotonic() - self.began

    def resume(self, note: Note = SILENT.note) -> None:
        """Restore the newest intact checkpoint, if any; report damaged ones through `note`."""
        latest = self.checkpoints.latest(note)
        if latest is not None:
            self._restore(latest[1])

    def advance(self, until: int, step: Step) -> None:
        """Train until `until` updates are done; evaluate the model and save checkpoints when they are due.

        Args:
            until: number of updates, counted from the beginning of the run; if so many are done, nothing happens.
            step: progress display, advanced by 1 after each update.

        Raises:
            Diverged: a loss or gradient is not finite.
            KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
        """
        if self.loop.step >= until:
            return
        self.after_step(self.loop.step)
        with stop_signals() as stop_requested:
            for done in self.loop.run():
                step.advance()
                self.after_step(done.step + 1)
                if done.step + 1 in self.due:
                    self._evaluate()
                stopped = self._any_stops(stop_requested)
                if stopped or done.step + 1 >= until:
                    break
                if time.monotonic() - self.saved > self.save_every:
                    self.save()
        if stopped:
            self.save()
            self.loop.processes.broadcast(None)  # when process 0 has written: torchrun ends all once one has ended
            raise KeyboardInterrupt

    def _any_stops(self, stop_requested: Callable[[], bool]) -> bool:
        """Return whether any of the processes was asked to stop: all of them end after the same step."""
        flag = torch.tensor([float(stop_requested())])
        self.loop.processes.all_reduce([flag])
        return bool(flag)

    def save(self) -> None:
        """Write a checkpoint; of several processes, only process 0 writes."""
        if self.loop.processes.rank == 0:
            self.checkpoints.write(self.loop.step, self._state())
        self.saved = time.monotonic()

    def _state(self) -> dict[str, Any]:
        """Return the state of the run from which `_restore` resumes it."""
        evaluations = [asdict(evaluation) for evaluation in self.evaluations]
        best = {} if self.best.weights is None else {"step": self.best.step, "weights": self.best.weights}
        return {"loop": self.loop.state(), "evaluations": evaluations, "best": best, "seconds": self.seconds}

    def _evaluate(self) -> None:
        last = self.evaluations[-1].step if self.evaluations else 0
        score = self.evaluate()
        if self.keeps_best and score is not None and self.loop.step > self.keep_best_after:
            self.best.offer(self.loop, score)
        self.evaluations.append(Evaluation(self.loop.step, float(np.mean(self.loop.losses[last:])), score))

    def _restore(self, state: dict[str, Any]) -> None:
        self.loop.restore(state["loop"])
        evaluations = state["looks"] if "looks" in state else state["evaluations"]  # its former name
        self.evaluations = [Evaluation(**evaluation) for evaluation in evaluations]
        if state["best"]:
            best_score = max(each.dev for each in self.evaluations if each.dev is not None)
            self.best = BestWeights(state["best"]["step"], best_score, state["best"]["weights"])
        self.earlier_seconds = state["seconds"]
