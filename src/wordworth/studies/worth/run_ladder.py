"""Climbing the ladder: every rung learns from every subset of the plan, and what it predicts is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.errors import BadInput, MissingExtra, NotEnoughMemory, WordworthError
from wordworth.progress import Step, ignore
from wordworth.representations.rung import Drawn, Learner, Predictions, Predictor, RunContext, Rung, Watched
from wordworth.studies.worth.label_grid import is_expensive
from wordworth.studies.worth.run_cache import Fitted, RunCache

_EXPENSIVE = 200.0
"""A fit of minutes beside one of a fraction of a second."""

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.tasks.task import Rows, Task


_FAILURES = (WordworthError, ArithmeticError, np.linalg.LinAlgError)
"""What may go wrong with one fit and leaves the others as they are."""


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
class RungResult:
    """What came of one rung.

    Attributes:
        learner: the rung after its once-only work; None where it was skipped.
        predictor: of the first run on all labels that did not fail, kept for its costs and its answers.
        state, reason: `measured`, `dropped` (raced out), `failed`, or `skipped` (something it needs is missing).
        open_seconds: time of the once-only work; what was kept on disk counts with the time it took when it was made.
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

    def at(self, labels: int) -> RungResult:
        """The same rung with its runs at one size only."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


def predicted(entry: RungResult, labels: int, rung_results: Sequence[RungResult]) -> list[Predictions]:
    """What a rung predicts at a size, by seed; a failed run counts as the constant rung's prediction."""
    runs = [run for run in entry.runs if run.labels == labels]
    return [_constant(rung_results, run) if run.predictions is None else run.predictions for run in runs]


def _constant(rung_results: Sequence[RungResult], failed: Run) -> Predictions:
    constant = next(entry for entry in rung_results if entry.rung.family == "constant")
    run = constant.run(failed.labels, failed.seed)
    assert run is not None  # noqa: S101 - the constant rung runs at every size and seed and cannot fail
    assert run.predictions is not None  # noqa: S101 - see above
    return run.predictions


def open_rungs(
    rungs: Sequence[Rung], task: Task, run_context: RunContext, demanded: Collection[str]
) -> list[RungResult]:
    """Every rung after its once-only work; one that misses something is skipped, unless the user asked for it.

    What the user asked for is opened first: a mistake in its name or its files is told at once.

    Raises:
        BadInput: a rung whose name is among `demanded` cannot be opened.
        NotEnoughMemory: the machine ran out.
    """
    rung_results = [RungResult(rung) for rung in rungs]
    for entry in sorted(rung_results, key=lambda entry: entry.rung.name not in demanded):
        began, spared = time.perf_counter(), run_context.cache.spared
        try:
            entry.learner = entry.rung.open(task, run_context)
        except BadInput as error:
            if entry.rung.name in demanded and not isinstance(error, MissingExtra):
                raise
            entry.state, entry.reason = "skipped", str(error)
        except MemoryError as error:
            raise out_of_memory(entry.rung.name) from error
        entry.open_seconds = time.perf_counter() - began + run_context.cache.spared - spared
    return rung_results


def fit_all(
    entries: Sequence[RungResult],
    pairs: Mapping[str, Sequence[tuple[int, int]]],
    task: Task,
    plan: LabelGrid,
    run_context: RunContext,
    title: str = "learning from the labels",
) -> None:
    """Fit entries on their (labels, seed) pairs, in order; the number of threads decides no figure."""
    named = {entry.rung.name: entry for entry in entries}
    jobs = [
        _Job(entry, entry.learner, task, plan.rows(labels, seed), (seed, run_context.seed))
        for name, wanted in pairs.items()
        if (entry := named.get(name)) and entry.learner
        for labels, seed in wanted
    ]
    if not jobs:
        return
    kept = RunCache.of(entries, task, run_context)
    pool = ThreadPoolExecutor(run_context.threads)
    try:
        whole = sum(job.weight for job in jobs)
        with run_context.progress.step(title, whole) as step, threadpool_limits(limits=1):
            made = [pool.submit(_fit, job, kept, plan.top, _FitProgress(job.weight, step)) for job in jobs]
            for future in as_completed(made):
                future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after an error or an interrupt, what has not begun never does
    for job in jobs:
        _take_predictor(job, plan.top)
    for entry in entries:
        entry.runs.sort(key=lambda run: (run.labels, run.seed))


class _FitProgress:
    """How much of a fit the bar was told: a fit that begins again tells nothing twice, and none tells too little."""

    def __init__(self, weight: float, step: Step) -> None:
        self._weight, self._step, self._done = weight, step, 0.0
        self.recalled = True

    def fit(self, job: _Job) -> tuple[Fitted, Predictor]:
        """Make the fit, which is then no recalled one."""
        self.recalled = False
        return job.fit(self._share)

    def rest(self) -> None:
        """It is over."""
        if self.recalled:
            self._step.skip(self._weight)
        else:
            self._share(1.0)

    def _share(self, more: float) -> None:
        new = min(more, 1 - self._done)
        self._done += new
        self._step.advance(new * self._weight)


@dataclass(frozen=True, slots=True)
class _Job:
    """One fit to make; `at` is the seed of its subset and that of the study."""

    entry: RungResult
    learner: Learner
    task: Task
    rows: Rows
    at: tuple[int, int]

    @property
    def weight(self) -> float:
        """About how long it takes, beside the others: what the time left is reckoned with."""
        return len(self.rows) * (_EXPENSIVE if is_expensive(self.entry.rung.family, self.task.kind) else 1.0)

    def fit(self, told: Callable[[float], None] = ignore) -> tuple[Fitted, Predictor]:
        """Learn and predict the test part; `told` hears how far it is."""
        began, (seed, root) = time.perf_counter(), self.at
        rng = seeds.child(root, "fit", self.entry.rung.name, len(self.rows), seed)
        learner = self.learner.drawn(seed) if isinstance(self.learner, Drawn) else self.learner
        learner = learner.watched(told) if isinstance(learner, Watched) else learner
        predictor = learner.fit(self.rows, rng)
        predictions = predictor.predict(self.task.test)
        return Fitted(predictions, predictor.chosen, time.perf_counter() - began), predictor


def _fit(job: _Job, kept: RunCache, top: int, told: _FitProgress) -> None:
    """Make one run, or recall it; the first on all labels is made, for its predictor. One that fails says why."""
    entry, (seed, _) = job.entry, job.at
    name, labels, began = entry.rung.name, len(job.rows), time.perf_counter()
    try:
        if (labels, seed) == (top, 0):
            fitted, entry.predictor = told.fit(job)
        else:
            fitted = kept.get_or_fit(name, job.rows, seed, lambda: told.fit(job)[0])
    except MemoryError as error:
        raise out_of_memory(name) from error
    except _FAILURES as error:
        said = str(error) or type(error).__name__
        entry.runs.append(Run(name, labels, seed, None, {}, time.perf_counter() - began, said))
    else:
        entry.runs.append(Run(name, labels, seed, fitted.predictions, fitted.chosen, fitted.seconds))
    told.rest()


def _take_predictor(job: _Job, top: int) -> None:
    """Where the first run on all labels failed, make one that did not once more, for its predictor."""
    entry, labels = job.entry, len(job.rows)
    run = entry.run(labels, job.at[0])
    if labels < top or entry.predictor is not None or run is None or run.error:
        return
    try:
        entry.predictor = job.fit()[1]
    except MemoryError as error:
        raise out_of_memory(entry.rung.name) from error
    except _FAILURES:
        return  # a run that an earlier study kept may fail today: the next is tried, and without any nothing is timed


def out_of_memory(rung: str) -> NotEnoughMemory:
    """The user's words for a machine that is too small."""
    return NotEnoughMemory("the machine ran out of memory", where=f"rung {rung}", mend="use --quick or fewer rows")
