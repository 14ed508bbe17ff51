"""`pretrain`: from token stores to a language model in a folder, stopped and taken up at any step."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import torch

from wordworth.files import require_writable, write_text
from wordworth.folder_lock import alone_in
from wordworth.models.devices import device_of
from wordworth.progress import SILENT, Progress, Step
from wordworth.text.corpus.store import TokenStore
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.distributed import Processes, processes
from wordworth.training.fsdp import divided_state, gather_full
from wordworth.training.interrupts import stopping
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.pretraining.batch_size import batch_within, record_batch, recorded_batch, with_batch
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation_size import MOST_LOOKING, LookSize, sized
from wordworth.training.pretraining.export import write_model
from wordworth.training.pretraining.factory import open_stores
from wordworth.training.pretraining.model_card import card, little
from wordworth.training.pretraining.run_identity import CHECKPOINTS, claim, identity, require_own
from wordworth.training.pretraining.run_logger import RunLogger
from wordworth.training.pretraining.setup import TrainingSetup, assemble, undivided
from wordworth.training.pretraining.time_budget import REHEARSING, Clock, measure_speed, plan_run

_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class PretrainingResult:
    """What came of a run.

    Attributes:
        folder: of the model.
        steps: updates made in all.
        tokens: read in all.
        loss: mean of the last fiftieth of the steps.
        look: what held-out text said at the end; empty without any.
    """

    folder: Path
    steps: int
    tokens: int
    loss: float
    look: dict[str, float]


def pretrain(settings: PretrainingConfig, progress: Progress = SILENT) -> PretrainingResult:
    """Pretrain as the settings say, or go on where the same run was stopped.

    The model folder is `settings.out`; the log, the plan and checkpoints are in `training/` there.

    Raises:
        BadInput: a store is missing, damaged or empty; another run is in the folder, or this one by another process;
            the disk is full.
        Diverged: a loss was no number.
        KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
    """
    require_writable(settings.out)
    together = processes(device_of(settings.device), sharded=settings.sharded)
    with together as beside, _alone(settings, beside), retain_freed_memory(), stopping() as asked:
        return _Run(settings, progress if beside.number == 0 else SILENT, beside).train(asked)


def _alone(settings: PretrainingConfig, beside: Processes) -> AbstractContextManager[None]:
    """The run's folder for process 0, which alone writes there, and for those beside it."""
    return alone_in(settings.out / "training", waits=False) if beside.number == 0 else nullcontext()


class _Run:
    """One sitting of a run."""

    def __init__(self, settings: PretrainingConfig, progress: Progress, beside: Processes) -> None:
        self.settings, self.progress, folder = settings, progress, settings.out / "training"
        every = open_stores([*settings.stores, *([settings.held_out] if settings.held_out else [])])
        stores, held_out = every[: len(settings.stores)], every[-1] if settings.held_out else None
        own = identity(settings, stores, held_out) if beside.number == 0 else None
        if own is not None:
            require_own(folder, own)
        self.beside = beside
        self.parts = self._assembled(stores, held_out)
        if own is not None:
            claim(folder, own)
        self.checkpoints = Checkpoints(folder / CHECKPOINTS)
        before = self._restored()
        plan_run(self.parts, settings.budget, folder / "plan.json")
        self.parts, self.look_size = sized(self.parts, settings.budget, folder)
        if self.look_size is not None and self.look_size.texts < self.look_size.of and not self.parts.loop.step:
            progress.note(
                f"looks read {self.look_size.texts:,} of {self.look_size.of:,} held-out texts, for the budget"
            )
        if self.parts.loop.step:
            progress.note(self._found())
        self.clock = Clock(self.parts, settings.budget, folder / "plan.json", before)
        self.teller = RunLogger(self.parts, folder, progress, self.look_size)
        self.saved, self.looked, self.looks_made = time.monotonic(), 0.0, 0

    def _assembled(self, stores: Sequence[TokenStore], held_out: TokenStore | None) -> TrainingSetup:
        """The parts, with a batch that leaves the budget time for updates enough where nobody named one."""
        settings, folder, beside = self.settings, self.settings.out / "training", self.beside
        batch = beside.broadcast(recorded_batch(settings, folder))
        if batch is not None:
            self.settings = with_batch(settings, batch)
        parts = assemble(self.settings, stores, held_out, beside)
        begun = batch is not None or (folder / "plan.json").exists()
        if beside.broadcast(begun) or settings.budget is None or not settings.fit_batch:
            return parts
        pace = measure_speed(parts, REHEARSING * settings.budget)
        batch, usual = beside.broadcast(batch_within(settings, pace, parts.tokens_a_step))
        if batch == settings.recipe.batch:
            return parts
        self.progress.note(
            f"batch {batch}: with the recipe's {settings.recipe.batch} this budget has time for some {usual:,} updates "
            "only (--with batch=N chooses)"
        )
        if beside.number == 0:
            record_batch(batch, folder)
        self.settings = with_batch(settings, batch)
        return assemble(self.settings, stores, held_out, beside)

    def train(self, asked: Callable[[], bool]) -> PretrainingResult:
        """Make the steps that are left, and write the model."""
        self.teller.begin()
        plan, loop = self.parts.plan, self.parts.loop
        with closing(self.teller.log), self.progress.step("pretraining", total=1.0) as shown:
            if loop.step == 0 and self.settings.start is not None:
                self._look(0.0, 1.0)  # where it starts from
            shown.skip(plan.share(loop.step))
            self.clock.begin()
            learned = loop.step < plan.steps
            while loop.step < plan.steps:
                self._train_until_replan(shown, asked)
        for sentence in little(self.teller.log.rows()) if learned else ():
            self.progress.note(sentence)
        return self._finish()

    def _train_until_replan(self, shown: Step, asked: Callable[[], bool]) -> None:
        """Steps to the end, or until the plan is revised: batches that were made ahead may be of another phase."""
        plan, loop = self.parts.plan, self.parts.loop
        with closing(loop.run()) as steps:
            for done in steps:
                before, passed = plan.share(done.step), plan.share(loop.step)
                self.teller.step(done, self.clock.seconds)
                self._look(before, passed)
                self._milestone(before, passed)
                revised = self.clock.revised(self.parts.objective.tally.tokens)
                shown.advance(passed - before)
                self._save(stopped=asked(), ended=loop.step >= plan.steps)
                if revised or loop.step >= plan.steps:
                    return

    def _look(self, before: float, passed: float) -> None:
        """Look at held-out text where one of the looks is due, and those before it have left time for it."""
        looks, held_out = self.settings.looks, self.parts.held_out
        if held_out is None or int(passed * looks) <= int(before * looks):
            return
        began = time.monotonic()
        if self.look_size is not None and passed < 1 and self.beside.broadcast(self._late(self.look_size, began)):
            self.teller.leave_out()
            return
        found = held_out.evaluate(self.parts.objective.network)
        seconds = time.monotonic() - began
        self.looked += seconds
        self.looks_made += 1
        self.teller.look(self.parts.loop.step, found, seconds)

    def _late(self, size: LookSize, now: float) -> bool:
        """Whether a look now, or now and at the end, would take more than looks may."""
        cost = max(size.seconds, self.looked / max(self.looks_made, 1))
        most = MOST_LOOKING * (self.settings.budget or 0.0)
        return self.looked + cost > MOST_LOOKING * (now - self.clock.began) or self.looked + 2 * cost > most

    def _save(self, *, stopped: bool, ended: bool) -> None:
        """A checkpoint where one is due; one who was asked to stop does so after it."""
        every, step = self.settings.checkpoint_steps, self.parts.loop.step
        late = time.monotonic() - self.saved > _MINUTE * self.settings.checkpoint_minutes
        asked = torch.tensor([float(stopped), float(late)])
        self.beside.all_reduce([asked])
        if ended or bool(asked.any()) or (every and step % every == 0):
            state = gather_full(self.parts.loop.state(), kept=self.beside.number == 0)
            if self.beside.number == 0:
                self.checkpoints.write(step, {**state, "seconds": self.clock.seconds})
            self.saved = time.monotonic()
        if asked[0] > 0:
            self.beside.broadcast(None)  # when process 0 has written: torchrun ends all once one has ended
            raise KeyboardInterrupt

    def _restored(self) -> float:
        """Bring the loop to the newest checkpoint; the seconds that were taken until then."""
        found = self.checkpoints.latest(self.progress.note)
        if found is None:
            return 0.0
        _, state = found
        self.parts.loop.restore(divided_state(state, self.parts.network, self.parts.loop.optimiser))
        return float(state["seconds"])

    def _found(self) -> str:
        """How far the run was found."""
        step = self.parts.loop.step
        return (
            f"going on after step {step:,}" if step < self.parts.plan.steps else f"all {step:,} steps were made before"
        )

    def _milestone(self, before: float, passed: float) -> None:
        """Keep the model where one of the milestones is passed."""
        if any(before < share <= passed for share in self.settings.milestones):
            step = self.parts.loop.step
            folder = self.settings.out / "training" / "milestones" / f"{step:08d}"
            self._write(folder)
            if self.beside.number == 0:
                tokens = sum(row["tokens"] for row in self.teller.log.rows() if row["kind"] == "step")
                write_text(folder / "milestone.json", json.dumps({"step": step, "tokens": tokens}) + "\n")

    def _write(self, folder: Path) -> None:
        """The model as it is now."""
        network = undivided(self.settings, self.parts)
        if network is not None:
            said = card(self.settings, self.parts.stores, self.teller.log.rows(), network)
            write_model(network, self.parts.stores[0].tokenizer, said, folder, start=self.settings.start)

    def _finish(self) -> PretrainingResult:
        self._write(self.settings.out)
        found = self._result() if self.beside.number == 0 else None
        return self.beside.broadcast(found)  # type: ignore[return-value]  # process 0 has one

    def _result(self) -> PretrainingResult:
        rows = self.teller.log.rows()
        steps = [row for row in rows if row["kind"] == "step"]
        looks = [row for row in rows if row["kind"] == "look"]
        last = fmean(row["loss"] for row in steps[-max(1, len(steps) // 50) :])
        look = {name: value for name, value in looks[-1].items() if name not in {"kind", "step"}} if looks else {}
        return PretrainingResult(self.settings.out, len(steps), sum(row["tokens"] for row in steps), last, look)
