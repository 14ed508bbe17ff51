"""One sitting at one run: taken up where it stood, carried to a share of its steps, and its state kept on the way."""

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
"""Looks at the dev part in a run; a quarter and a half of it, where races decide, are among them."""
_LOOKED_AT = 256
_WORTH_KEEPING_S = 10.0


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run to carry to `share` of its steps."""

    point: HyperParameters
    seed: int
    share: float = 1.0

    @property
    def name(self) -> str:
        """Of the run's folder."""
        return f"{self.point.name}-seed-{self.seed}"

    def due(self, steps: int) -> int:
        """The update after which a run of so many has come to its share."""
        return evaluation_steps(steps)[max(0, round(self.share * LOOKS) - 1)]

    def cost(self, parts: Split) -> int:
        """What it takes, in updates: a run that ends answers, and answering takes a third of learning."""
        due = self.due(self.point.steps(len(parts.train)))
        return due if self.share < 1 else due + -(-(len(parts.dev) + len(parts.test)) // (3 * self.point.batch))


def run_to(bench: Experiment, work: RunSpec, folder: Path, step: Step, note: Note = SILENT.note) -> Result:
    """Carry a run to its share, from where it stood. One that has ended is only read.

    Args:
        bench: what all runs share.
        work: which run, and how far.
        folder: of this run alone.
        step: is told of what is done now, or found done, of the assignment's cost.
        note: is told where a state on the disk is damaged.
    """
    place = folder / "result.npz"
    if place.is_file():
        found = Result.read(place)
        if found.state != "paused" or found.looks[-1].step >= work.due(found.steps):
            step.skip(work.cost(bench.parts))
            return found
    result = _Session(bench, work, folder, step, note).carry_on()
    result.save(place)
    if result.state != "paused":
        shutil.rmtree(folder / "states", ignore_errors=True)
    return result


def has_ended(folder: Path) -> bool:
    """Whether a run's folder holds what came of it."""
    place = folder / "result.npz"
    return place.is_file() and Result.read(place).state != "paused"


class _Session:
    """A run between two moments at which its folder tells all about it."""

    def __init__(self, bench: Experiment, work: RunSpec, folder: Path, step: Step, note: Note) -> None:
        self.bench, self.work, self.step = bench, work, step
        self.weights = folder / "weights.pt"
        self.checkpoints = Checkpoints(folder / "states")
        self.attempt: TrainableRun = bench.begin(work.point, work.seed)
        self.looks: list[Evaluation] = []
        self.best: dict[str, Any] = {}
        self.before, self.began = 0.0, time.monotonic()
        self.saved = self.began
        found = self.checkpoints.latest(note)
        if found is not None:
            self._restore(found[1])
        step.skip(self.attempt.loop.step)

    def carry_on(self) -> Result:
        """Step by step to the share; a state is kept now and then, and where the share is not the whole.

        Raises:
            KeyboardInterrupt: the process was asked to stop; a state has been kept.
        """
        until = self.work.due(self.attempt.steps)
        try:
            with retain_freed_memory():
                self._advance(until)
            paused = until < self.attempt.steps
            if paused or time.monotonic() - self.saved > _WORTH_KEEPING_S:  # answering takes long, and may be stopped
                self._save()
            return self._result("paused") if paused else self._ended()
        except Diverged as error:
            return self._result("failed", reason=str(error))

    def _advance(self, until: int) -> None:
        loop, looked_at = self.attempt.loop, set(evaluation_steps(self.attempt.steps))
        if loop.step >= until:
            return
        with stopping() as asked:
            for done in loop.run():
                self.step.advance()
                if done.step + 1 in looked_at:
                    self._look()
                if asked() or done.step + 1 >= until:
                    break
                if time.monotonic() - self.saved > self.bench.settings.save_every:
                    self._save()
        if asked():
            self._save()
            raise KeyboardInterrupt

    def _look(self) -> None:
        loop, last = self.attempt.loop, self.looks[-1].step if self.looks else 0
        score = self.bench.judged(self.attempt)
        before = max((look.dev for look in self.looks if look.dev is not None), default=-np.inf)
        if self.bench.keeps_best and score is not None and score >= before:
            self.best = {"step": loop.step, "weights": copy.deepcopy(loop.model.state_dict())}
        self.looks.append(Evaluation(loop.step, float(np.mean(loop.losses[last:])), score))

    def _ended(self) -> Result:
        """The weights that were best, or the last ones, and what they say."""
        if self.best and self.best["step"] < self.attempt.steps:
            self.attempt.loop.rollback_to(self.best["step"], self.best["weights"])
        parts = self.bench.parts
        given, dev = self.attempt.tune(parts.dev) if len(parts.dev) else ({}, ())
        test = self.attempt.predict(parts.test)
        looked_at, said = parts.dev, dev
        if not len(parts.dev):
            looked_at = parts.train[:_LOOKED_AT]
            said = self.attempt.predict(looked_at)
        self.step.advance(self.work.cost(parts) - self.attempt.steps)
        nothing = is_degenerate(self.bench.task.kind, self.bench.task.gold(looked_at), said)
        with atomic_write(self.weights) as neighbour, neighbour.open("wb") as file:
            save({name: one.cpu() for name, one in self.attempt.loop.model.state_dict().items()}, file)
        result = self._result("collapsed" if nothing else "finished")
        return replace(result, chosen=given, dev_score=self.bench.dev_score(dev), test=test)

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
    """After which updates of a run it is looked at, the last one among them.

    >>> stops(20)
    [2, 5, 8, 10, 12, 15, 18, 20]
    """
    return [max(1, round(steps * look / LOOKS)) for look in range(1, LOOKS + 1)]
