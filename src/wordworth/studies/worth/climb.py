"""Climbing the ladder: every rung learns from every subset of the plan, and what it predicts is kept."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.errors import BadInput, MissingExtra, NotEnoughMemory, WordworthError
from wordworth.representations.rung import Desk, Learner, Predictions, Predictor, Rung

if TYPE_CHECKING:
    from wordworth.studies.worth.plan import Plan
    from wordworth.tasks.task import Rows, Task


@dataclass(frozen=True, slots=True)
class Run:
    """One rung fitted on one subset: what it predicted for the test part, or why it failed."""

    rung: str
    labels: int
    seed: int
    predictions: Predictions | None
    chosen: Mapping[str, object]
    seconds: float
    error: str = ""


@dataclass(slots=True)
class Climbed:
    """What came of one rung.

    Attributes:
        learner: the rung after its once-only work; None where it was skipped.
        predictor: the first run on all labels, kept for its costs and its answers.
        state, reason: `measured`, `dropped` (raced out), `failed`, or `skipped` (something it needs is missing).
        open_seconds: time of the once-only work.
    """

    rung: Rung
    learner: Learner | None = None
    predictor: Predictor | None = None
    runs: list[Run] = field(default_factory=list)
    state: str = "measured"
    reason: str = ""
    open_seconds: float = 0.0

    def run(self, labels: int, seed: int) -> Run | None:
        """The run of that subset, if there was one."""
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> Climbed:
        """The same rung with its runs at one size only."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


def open_rungs(rungs: Sequence[Rung], task: Task, desk: Desk, demanded: Iterable[str]) -> list[Climbed]:
    """Every rung after its once-only work; one that misses something is skipped, unless the user asked for it.

    Raises:
        BadInput: a rung whose name is among `demanded` cannot be opened.
        NotEnoughMemory: the machine ran out.
    """
    wanted = set(demanded)
    climbed = []
    for rung in rungs:
        entry = Climbed(rung)
        began = time.perf_counter()
        try:
            entry.learner = rung.open(task, desk)
        except BadInput as error:
            if rung.name in wanted and not isinstance(error, MissingExtra):
                raise
            entry.state, entry.reason = "skipped", str(error)
        except MemoryError as error:
            raise out_of_memory(rung.name) from error
        entry.open_seconds = time.perf_counter() - began
        climbed.append(entry)
    return climbed


def fit_all(
    entries: Sequence[Climbed], pairs: Mapping[str, Sequence[tuple[int, int]]], task: Task, plan: Plan, desk: Desk
) -> None:
    """Fit each entry on its (labels, seed) pairs, `desk.threads` at a time; the results do not depend on how many."""
    jobs = [(entry, *pair) for entry in entries if entry.learner for pair in pairs.get(entry.rung.name, ())]
    pool = ThreadPoolExecutor(desk.threads)
    try:
        with desk.progress.step("learning from the labels", len(jobs)) as step, threadpool_limits(limits=1):
            futures = {
                pool.submit(_fit, entry, task, plan.rows(labels, seed), (seed, desk.seed)): entry
                for entry, labels, seed in jobs
            }
            for future in as_completed(futures):
                _keep(futures[future], *future.result(), plan.top)
                step.advance()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after an error or an interrupt, what has not begun never does
    for entry in entries:
        entry.runs.sort(key=lambda run: (run.labels, run.seed))


def _keep(entry: Climbed, run: Run, predictor: Predictor | None, top: int) -> None:
    entry.runs.append(run)
    if run.labels == top and run.seed == 0:
        entry.predictor = predictor


def _fit(entry: Climbed, task: Task, rows: Rows, at: tuple[int, int]) -> tuple[Run, Predictor | None]:
    """One run. A run that fails is kept as such: failed runs count."""
    assert entry.learner is not None  # noqa: S101 - fit_all leaves skipped rungs out
    name, began = entry.rung.name, time.perf_counter()
    seed, root = at
    try:
        predictor = entry.learner.fit(rows, seeds.child(root, "fit", name, len(rows), seed))
        predictions = predictor.predict(task.test)
    except MemoryError as error:
        raise out_of_memory(name) from error
    except (WordworthError, ArithmeticError, np.linalg.LinAlgError) as error:
        return Run(
            name, len(rows), seed, None, {}, time.perf_counter() - began, str(error) or type(error).__name__
        ), None
    return Run(name, len(rows), seed, predictions, predictor.chosen, time.perf_counter() - began), predictor


def out_of_memory(rung: str) -> NotEnoughMemory:
    """The user's words for a machine that is too small."""
    return NotEnoughMemory("the machine ran out of memory", where=f"rung {rung}", mend="use --quick or fewer rows")
