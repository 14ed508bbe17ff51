"""Running the ladder: every rung learns from every subset of the plan, and its predictions are kept."""

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

_EXPENSIVE_WEIGHT = 200.0
"""Weight of an expensive fit in the progress bar, where a cheap one counts 1."""

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.tasks.task import Rows, Task


_FAILURES = (WordworthError, ArithmeticError, np.linalg.LinAlgError)
"""Errors of one fit that do not stop the others."""


@dataclass(frozen=True, slots=True)
class Run:
    """One rung fitted on one subset: its predictions for the test part, or why it failed."""

    rung: str
    labels: int
    seed: int
    predictions: Predictions | None
    chosen: Mapping[str, object]
    seconds: float
    error: str = ""


@dataclass(slots=True)
class RungResult:
    """The runs and the state of one rung.

    Attributes:
        learner: the rung once prepared for the task; None where it was skipped.
        predictor: of the first run on all labels that did not fail, kept to measure its costs and to predict texts.
        state, reason: `measured`, `dropped` (eliminated early), `failed`, or `skipped` (something it needs is missing).
        open_seconds: time of the preparation; cached arrays count with the time that they took to compute.
    """

    rung: Rung
    learner: Learner | None = None
    predictor: Predictor | None = None
    runs: list[Run] = field(default_factory=list)
    state: str = "measured"
    reason: str = ""
    open_seconds: float = 0.0

    def run(self, labels: int, seed: int) -> Run | None:
        """The run on that subset; None if there was none."""
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> RungResult:
        """The same rung with its runs at one size only."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


def predicted(entry: RungResult, labels: int, rung_results: Sequence[RungResult]) -> list[Predictions]:
    """A rung's predictions at one size, by seed; a failed run counts as the constant rung's prediction."""
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
    """Prepare every rung for the task; one that lacks something is skipped, unless the user asked for it.

    The rungs that the user asked for are prepared first, so that a mistake in a name or a file is reported at once.

    Args:
        rungs: the ladder.
        task: the task.
        run_context: cache, seed, threads and progress.
        demanded: names of the rungs that the user asked for.

    Raises:
        BadInput: a rung whose name is among `demanded` cannot be prepared.
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
    """Fit rungs on their (labels, seed) pairs, in order; no number depends on the number of threads.

    Args:
        entries: the prepared rungs; their runs are added in place.
        pairs: by rung, the pairs to fit.
        task: the task.
        plan: the subsets of the training rows.
        run_context: cache, seed, threads and progress.
        title: the title of the progress bar.
    """
    named = {entry.rung.name: entry for entry in entries}
    jobs = [
        _Job(entry, entry.learner, task, plan.rows(labels, seed), (seed, run_context.seed))
        for name, requested in pairs.items()
        if (entry := named.get(name)) and entry.learner
        for labels, seed in requested
    ]
    if not jobs:
        return
    cache = RunCache.of(entries, task, run_context)
    pool = ThreadPoolExecutor(run_context.threads)
    try:
        total = sum(job.weight for job in jobs)
        with run_context.progress.step(title, total) as step, threadpool_limits(limits=1):
            futures = [pool.submit(_fit, job, cache, plan.top, _FitProgress(job.weight, step)) for job in jobs]
            for future in as_completed(futures):
                future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after an error or an interrupt, no further fit starts
    for job in jobs:
        _take_predictor(job, plan.top)
    for entry in entries:
        entry.runs.sort(key=lambda run: (run.labels, run.seed))


class _FitProgress:
    """The progress of one fit in the shared bar: a fit that starts again counts once, and each ends complete."""

    def __init__(self, weight: float, step: Step) -> None:
        self._weight, self._step, self._done = weight, step, 0.0
        self.cached = True

    def fit(self, job: _Job) -> tuple[Fitted, Predictor]:
        """Run the fit, which is then not a cached one."""
        self.cached = False
        return job.fit(self._share)

    def finish(self) -> None:
        """Report the rest of this fit as done."""
        if self.cached:
            self._step.skip(self._weight)
        else:
            self._share(1.0)

    def _share(self, fraction: float) -> None:
        uncounted = min(fraction, 1 - self._done)
        self._done += uncounted
        self._step.advance(uncounted * self._weight)


@dataclass(frozen=True, slots=True)
class _Job:
    """One fit to run; `at` is the seed of its subset and that of the study."""

    entry: RungResult
    learner: Learner
    task: Task
    rows: Rows
    at: tuple[int, int]

    @property
    def weight(self) -> float:
        """The fit's approximate duration relative to others, for the estimate of the time left."""
        return len(self.rows) * (_EXPENSIVE_WEIGHT if is_expensive(self.entry.rung.family, self.task.kind) else 1.0)

    def fit(self, report: Callable[[float], None] = ignore) -> tuple[Fitted, Predictor]:
        """Fit, and predict the test part; `report` is called with each fraction done."""
        began, (seed, root) = time.perf_counter(), self.at
        rng = seeds.child(root, "fit", self.entry.rung.name, len(self.rows), seed)
        learner = self.learner.drawn(seed) if isinstance(self.learner, Drawn) else self.learner
        learner = learner.watched(report) if isinstance(learner, Watched) else learner
        predictor = learner.fit(self.rows, rng)
        predictions = predictor.predict(self.task.test)
        return Fitted(predictions, predictor.chosen, time.perf_counter() - began), predictor


def _fit(job: _Job, cache: RunCache, top: int, progress: _FitProgress) -> None:
    """Add one run, cached or fitted; the first on all labels is fitted, for its predictor. A failed run says why."""
    entry, (seed, _) = job.entry, job.at
    name, labels, began = entry.rung.name, len(job.rows), time.perf_counter()
    try:
        if (labels, seed) == (top, 0):
            fitted, entry.predictor = progress.fit(job)
        else:
            fitted = cache.get_or_fit(name, job.rows, seed, lambda: progress.fit(job)[0])
    except MemoryError as error:
        raise out_of_memory(name) from error
    except _FAILURES as error:
        message = str(error) or type(error).__name__
        entry.runs.append(Run(name, labels, seed, None, {}, time.perf_counter() - began, message))
    else:
        entry.runs.append(Run(name, labels, seed, fitted.predictions, fitted.chosen, fitted.seconds))
    progress.finish()


def _take_predictor(job: _Job, top: int) -> None:
    """Where the first run on all labels failed, repeat one that succeeded, for its predictor."""
    entry, labels = job.entry, len(job.rows)
    run = entry.run(labels, job.at[0])
    if labels < top or entry.predictor is not None or run is None or run.error:
        return
    try:
        entry.predictor = job.fit()[1]
    except MemoryError as error:
        raise out_of_memory(entry.rung.name) from error
    except _FAILURES:
        return  # a run from the cache may fail today: the next one is tried; without any, nothing is timed


def out_of_memory(rung: str) -> NotEnoughMemory:
    """The error for a machine with too little memory."""
    return NotEnoughMemory("the machine ran out of memory", where=f"rung {rung}", mend="use --quick or fewer rows")
