"""`pretrain`: from token stores to a language model in a folder; a run can be stopped and resumed at any step."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from wordworth.files import require_writable, write_text
from wordworth.folder_lock import alone_in
from wordworth.models.devices import device_of
from wordworth.progress import SILENT, Progress, Step
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.interrupts import stop_signals
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.pretraining.build_components import build_objectives, open_stores
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.corpus_statistics import CORPUS, Corpora, corpus_note
from wordworth.training.pretraining.export import write_model
from wordworth.training.pretraining.model_card import card, learning_warnings
from wordworth.training.pretraining.run_identity import CHECKPOINTS, claim, identity, require_own
from wordworth.training.pretraining.run_logger import RunLogger
from wordworth.training.pretraining.setup import TrainingSetup, assemble, gathered_model
from wordworth.training.pretraining.time_budget import (
    EVALUATION_FRACTION,
    MEASURING,
    Clock,
    EvaluationSize,
    batch_within,
    measure_speed,
    plan_run,
    record_batch,
    recorded_batch,
    size_evaluations,
    with_batch,
)
from wordworth.training.process_groups import FullySharded, Processes, processes

_MINUTE = 60.0
_WHOLE = 10_000
"""A whole run in the progress bar: hundredths of a percent, as the number of steps may be planned anew."""


@dataclass(frozen=True, slots=True)
class PretrainingResult:
    """The result of a pretraining run.

    Attributes:
        folder: folder of the model.
        steps: number of updates, including those before the run was resumed.
        tokens: number of tokens read, including those before the run was resumed.
        loss: mean training loss over the last fiftieth of the steps.
        evaluation: the scores of the last evaluation on held-out text; empty without held-out text.
        corpora: for a run with several corpora, a row of the log for each: its share, pieces per word, unknown pieces
            and losses on its held-out text.
    """

    folder: Path
    steps: int
    tokens: int
    loss: float
    evaluation: dict[str, float]
    corpora: tuple[Mapping[str, Any], ...] = ()


def pretrain(settings: PretrainingConfig, progress: Progress = SILENT) -> PretrainingResult:
    """Pretrain as the settings say; if the same run was stopped earlier, resume it.

    The model folder is `settings.out`; its subfolder `training/` holds the log, the checkpoints, and the plan: the
    fraction of training that has passed before each step.

    Raises:
        BadInput: a store is missing, damaged or empty; the folder holds another run, or another process is making this
            run; the disk is full.
        Diverged: a loss or gradient was not finite.
        KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
    """
    require_writable(settings.out)
    joined = processes(device_of(settings.device), sharded=settings.sharded)
    with joined as group, _locked(settings, group), retain_freed_memory(), stop_signals() as stop_requested:
        return _Run(settings, progress if group.rank == 0 else SILENT, group).train(stop_requested)


def _locked(settings: PretrainingConfig, group: Processes) -> AbstractContextManager[None]:
    """Lock the run's folder for process 0, which alone writes there; the others need no lock."""
    return alone_in(settings.out / "training", waits=False) if group.rank == 0 else nullcontext()


class _Run:
    """A run from its start, or its latest checkpoint, until it ends or is stopped."""

    def __init__(self, settings: PretrainingConfig, progress: Progress, group: Processes) -> None:
        self.settings, self.progress, folder = settings, progress, settings.out / "training"
        every = open_stores([*settings.stores, *([settings.held_out] if settings.held_out else [])], progress)
        stores, held_out = every[: len(settings.stores)], every[-1] if settings.held_out else None
        self.objectives = build_objectives(settings, stores[0])
        for objective in self.objectives:
            objective.require_corpora(stores)
        own = identity(settings, stores, held_out, self.objectives) if group.rank == 0 else None
        if own is not None:
            require_own(folder, own)
        self.processes = group
        self.setup = self._assembled(stores, held_out)
        if own is not None:
            claim(folder, own)
        self.checkpoints = Checkpoints(folder / CHECKPOINTS)
        before = self._restored()
        plan_run(self.setup, settings.budget, folder / "plan.json")
        self.setup, self.evaluation_size = size_evaluations(self.setup, settings.budget, folder)
        size = self.evaluation_size
        if size is not None and size.texts < size.total and not self.setup.loop.step:
            progress.note(f"evaluations read {size.texts:,} of {size.total:,} held-out texts, to fit the budget")
        if self.setup.loop.step:
            progress.note(self._resume_note())
        self.clock = Clock(self.setup, settings.budget, folder / "plan.json", before)
        self.logger = RunLogger(self.setup, folder, progress, self.evaluation_size)
        self.corpora = Corpora.of(self.settings, self.setup)
        self.saved, self.evaluation_seconds, self.evaluations_made = time.monotonic(), 0.0, 0

    def _assembled(self, stores: Sequence[TokenStore], held_out: TokenStore | None) -> TrainingSetup:
        """Return the parts of the run, with a batch size that leaves time for enough updates in the budget.

        The batch size is chosen only if the user gave a budget and no batch size.
        """
        settings, folder, group = self.settings, self.settings.out / "training", self.processes
        batch = group.broadcast(recorded_batch(settings, folder))
        if batch is not None:
            self.settings = with_batch(settings, batch)
        setup = assemble(self.settings, stores, held_out, group, self.objectives)
        has_begun = batch is not None or (folder / "plan.json").exists()
        if group.broadcast(has_begun) or settings.budget is None or not settings.fit_batch:
            return setup
        pace = measure_speed(setup, MEASURING * settings.budget)
        batch, recipe_updates = group.broadcast(batch_within(settings, pace, setup.tokens_a_step))
        if batch == settings.recipe.batch_size:
            return setup
        self.progress.note(
            f"batch size {batch}: with the recipe's {settings.recipe.batch_size} this budget would allow only about "
            f"{recipe_updates:,} updates (override batch_size=N sets it)"
        )
        if group.rank == 0:
            record_batch(batch, folder)
        self.settings = with_batch(settings, batch)
        return assemble(self.settings, stores, held_out, group, self.objectives)

    def train(self, stop_requested: Callable[[], bool]) -> PretrainingResult:
        """Make the remaining steps, and write the model."""
        self.logger.begin()
        plan, loop = self.setup.plan, self.setup.loop
        with closing(self.logger.log), self.progress.step("pretraining", total=_WHOLE) as bar:
            if loop.step == 0 and self.settings.initial_model is not None:
                self._evaluate(0.0, 1.0)  # the model that the run starts from
            bar.skip(round(_WHOLE * plan.fraction(loop.step)))
            self.clock.begin()
            learned = loop.step < plan.steps
            while loop.step < plan.steps:
                self._train_until_replan(bar, stop_requested)
            self._evaluate_corpora()
        for sentence in learning_warnings(self.logger.log.rows()) if learned else ():
            self.progress.note(sentence)
        return self._finish()

    def _train_until_replan(self, bar: Step, stop_requested: Callable[[], bool]) -> None:
        """Train to the end, or until the plan is revised, since prefetched batches may then belong to another phase."""
        plan, loop = self.setup.plan, self.setup.loop
        with closing(loop.run()) as steps:
            for result in steps:
                before, passed = plan.fraction(result.step), plan.fraction(loop.step)
                self.logger.step(result, self.clock.seconds)
                self._evaluate(before, passed)
                self._milestone(before, passed)
                revised = self.clock.replan(self.setup.objective.metrics.tokens)
                bar.advance(round(_WHOLE * passed) - round(_WHOLE * before))
                self._save(stopped=stop_requested(), ended=loop.step >= plan.steps)
                if revised or loop.step >= plan.steps:
                    return

    def _evaluate(self, before: float, passed: float) -> None:
        """Evaluate on held-out text if an evaluation is due and earlier evaluations have left time for it.

        Args:
            before: the fraction of training that had passed before the last step.
            passed: the fraction that has passed after it.
        """
        evaluations, held_out = self.settings.evals, self.setup.held_out
        if held_out is None or int(passed * evaluations) <= int(before * evaluations):
            return
        began = time.monotonic()
        size = self.evaluation_size
        if size is not None and passed < 1 and self.processes.broadcast(self._late(size, began)):
            self.logger.note_skipped_evaluation()
            return
        losses = held_out.evaluate(self.setup.objective.network)
        seconds = time.monotonic() - began
        self.evaluation_seconds += seconds
        self.evaluations_made += 1
        self.logger.evaluation(self.setup.loop.step, losses, seconds)

    def _evaluate_corpora(self) -> None:
        """Log for each of several corpora its row of statistics and losses, once the run has ended."""
        rows = self.logger.log.rows() if self.processes.rank == 0 else []
        if self.processes.broadcast(any(row["kind"] == CORPUS for row in rows)):
            return
        for row in self.corpora.rows(self.setup.objective.network):
            self.logger.log.write(CORPUS, self.setup.loop.step, **row)
            self.progress.note(corpus_note(row))

    def _late(self, size: EvaluationSize, now: float) -> bool:
        """Return whether an evaluation now, or one now and one at the end, would exceed the time for evaluations."""
        cost = max(size.seconds, self.evaluation_seconds / max(self.evaluations_made, 1))
        most = EVALUATION_FRACTION * (self.settings.budget or 0.0)
        spent, now_allowed = self.evaluation_seconds, EVALUATION_FRACTION * (now - self.clock.began)
        return spent + cost > now_allowed or spent + 2 * cost > most

    def _save(self, *, stopped: bool, ended: bool) -> None:
        """Write a checkpoint if one is due; if a process was asked to stop, write one and raise KeyboardInterrupt."""
        every, step = self.settings.checkpoint_steps, self.setup.loop.step
        late = time.monotonic() - self.saved > _MINUTE * self.settings.checkpoint_minutes
        flags = torch.tensor([float(stopped), float(late)])
        self.processes.all_reduce([flags])
        if ended or bool(flags.any()) or (every and step % every == 0):
            state = self._whole_state()
            if self.processes.rank == 0:
                self.checkpoints.write(step, {**state, "seconds": self.clock.seconds})
            self.saved = time.monotonic()
        if flags[0] > 0:
            self.processes.broadcast(None)  # when process 0 has written: torchrun ends all once one has ended
            raise KeyboardInterrupt

    def _whole_state(self) -> dict[str, Any]:
        """Return the state of the loop as one process would have it; of a sharded run, all processes must call this."""
        state = self.setup.loop.state()
        if isinstance(self.processes, FullySharded):
            from wordworth.training.fsdp_sharding import gather_full

            state = gather_full(state, keep=self.processes.rank == 0)
        return state

    def _restored(self) -> float:
        """Restore the loop from the newest checkpoint; return the seconds that the run had taken by then."""
        latest = self.checkpoints.latest(self.progress.note)
        if latest is None:
            return 0.0
        _, state = latest
        if isinstance(self.processes, FullySharded):
            from wordworth.training.fsdp_sharding import shard_state

            state = shard_state(state, self.setup.network, self.setup.loop.optimiser)
        self.setup.loop.restore(state)
        return float(state["seconds"])

    def _resume_note(self) -> str:
        """Return the note for the user on the step after which the run resumes."""
        step = self.setup.loop.step
        return (
            f"resuming after step {step:,}" if step < self.setup.plan.steps else f"all {step:,} steps are done already"
        )

    def _milestone(self, before: float, passed: float) -> None:
        """Write the model if the fraction of training rose from `before` to `passed` over a milestone."""
        if any(before < share <= passed for share in self.settings.milestones):
            step = self.setup.loop.step
            folder = self.settings.out / "training" / "milestones" / f"{step:08d}"
            self._write(folder)
            if self.processes.rank == 0:
                tokens = sum(row["tokens"] for row in self.logger.log.rows() if row["kind"] == "step")
                write_text(folder / "milestone.json", json.dumps({"step": step, "tokens": tokens}) + "\n")

    def _write(self, folder: Path) -> None:
        """Write the model as it is now."""
        network = gathered_model(self.settings, self.setup)
        if network is not None:
            text = card(self.settings, self.setup.stores, self.logger.log.rows(), network)
            write_model(
                network, self.setup.stores[0].tokenizer, text, folder, initial_model=self.settings.initial_model
            )

    def _finish(self) -> PretrainingResult:
        self._write(self.settings.out)
        result = self._result() if self.processes.rank == 0 else None
        return self.processes.broadcast(result)  # type: ignore[return-value]  # process 0 has one

    def _result(self) -> PretrainingResult:
        rows = self.logger.log.rows()
        steps = [row for row in rows if row["kind"] == "step"]
        evaluations = [row for row in rows if row["kind"] == "evaluation"]
        last = fmean(row["loss"] for row in steps[-max(1, len(steps) // 50) :])
        last_row = evaluations[-1] if evaluations else {}
        tokens = sum(row["tokens"] for row in steps)
        corpora = tuple(_values(row) for row in rows if row["kind"] == CORPUS)
        return PretrainingResult(self.settings.out, len(steps), tokens, last, _values(last_row), corpora)


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the log without its kind and step."""
    return {name: value for name, value in row.items() if name not in {"kind", "step"}}
