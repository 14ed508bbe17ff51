"""Run the ladder: fit every rung on subsets of the labelled examples, and drop expensive rungs that cannot win.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.

Early elimination (racing) concerns only rungs with expensive fits (fine-tuning, and every tagging head): a linear head
takes milliseconds, and its whole curve is needed for the label multiple. The first run of fine-tuning, and the first
two of a tagging head, are on all labelled examples, the size of the verdict. After these a rung is dropped if the 99 %
upper bound of its paired difference from the best rung lies below -margin, and the record says so. Smaller sizes never
decide: contextual rungs may lead with few labels and be caught up with later, so small sizes could drop the eventual
winner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.errors import BadInput, MissingExtra, NotEnoughMemory, WordworthError
from wordworth.measures.metrics import metric
from wordworth.progress import ignore
from wordworth.representations.heads.temperature_scaling import calibration_of
from wordworth.representations.random_seed_names import seed_names
from wordworth.representations.rung import Learner, Predictor, RunContext, Rung
from wordworth.sentence_formatting import count_of
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.fit_progress import FitBar, FitProgress, FitSecondsOf
from wordworth.studies.worth.label_grid import DECISIVE_SEEDS
from wordworth.studies.worth.run_cache import Fitted, RunCache
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Rows, Task

FIRST_RUNS, FIRST_SLOW_RUNS = 2, 1
"""Number of runs before an expensive rung may be dropped: of a tagging head, and of a slow rung, which takes minutes
and whose variance between runs has a prior."""
LEVEL = 0.98
"""Two-sided level of the interval by which a rung is dropped; its upper bound alone errs in 1 % of cases."""
Pairs = Mapping[str, Sequence[tuple[int, int]]]
_FAILURES = (WordworthError, ArithmeticError, np.linalg.LinAlgError)
"""Errors of one fit that do not stop the others."""


def open_rungs(
    rungs: Sequence[Rung], task: Task, run_context: RunContext, requested: Collection[str]
) -> list[RungResult]:
    """Prepare every rung for the task, and return a result without runs for each, in the order of `rungs`.

    A rung that lacks something, such as the files of its model, gets the state `skipped`, unless the user asked for it.
    The rungs that the user asked for are prepared first, so that a mistake in a name or a file is reported at once.

    Args:
        rungs: the rungs, the cheapest first.
        task: the task.
        run_context: cache, seed, number of threads, and receiver of progress.
        requested: names of the rungs that the user asked for.

    Raises:
        BadInput: a rung whose name is among `requested` cannot be prepared.
        NotEnoughMemory: the machine ran out of memory.
    """
    names = seed_names(rungs)
    rung_results = [RungResult(rung, seed_name=names.get(rung.name, "")) for rung in rungs]
    for result in sorted(rung_results, key=lambda result: result.rung.name not in requested):
        began, spared = time.perf_counter(), run_context.cache.spared
        try:
            result.learner = result.rung.prepare(task, run_context)
        except BadInput as error:
            if result.rung.name in requested and not isinstance(error, MissingExtra):
                raise
            result.state, result.reason = "skipped", str(error)
        except MemoryError as error:
            raise out_of_memory(result.rung.name) from error
        result.open_seconds = time.perf_counter() - began + run_context.cache.spared - spared
    return rung_results


def run_ladder(
    rung_results: list[RungResult],
    task: Task,
    grid: LabelGrid,
    settings: WorthSettings,
    run_context: RunContext,
    fit_seconds: FitSecondsOf | None = None,
) -> Scores:
    """Fit every rung on its subsets of the labelled examples, and return all scores.

    Expensive rungs that cannot win are dropped after their first runs. A slow rung gets one more run on all labelled
    examples if it is the best rung after the first runs, or one of the two rungs that the verdict compares.

    Args:
        rung_results: the prepared rungs; their runs, states and reasons are set in place.
        task: the task.
        grid: the subsets of the training rows.
        settings: margin, number of resamples and seed.
        run_context: cache, seed, number of threads, and receiver of progress.
        fit_seconds: function of a rung and a number of labelled examples that returns the expected seconds of a fit,
            from which progress estimates the time left; None if nothing was measured.
    """
    names = {result.rung.name: result.seed_name for result in rung_results}
    bootstrap, scored_by = Bootstrap(settings.draws, settings.seed, names), metric(task.metric, task.classes)
    first, rest = schedule(rung_results, grid, task)
    fit_all(rung_results, first, task, grid, run_context, FitBar(fit_seconds=fit_seconds))
    mark_failed(rung_results)
    scores = measure(rung_results, task, scored_by, bootstrap)
    drop_hopeless(rung_results, scores, task, grid.top, settings.metric_margin)
    remaining = [result for result in rung_results if result.state == "measured"]
    for name in indecisive(remaining, scores, grid.top, settings.metric_margin):
        rest[name] = [pair for pair in rest[name] if pair != (grid.top, DECISIVE_SEEDS - 1)]
    fit_all(remaining, rest, task, grid, run_context, FitBar("learning from fewer labels", fit_seconds))
    mark_failed(rung_results)
    return measure(rung_results, task, scored_by, bootstrap)


def mark_failed(rung_results: Sequence[RungResult]) -> None:
    """Set the state `failed` of rungs whose runs all failed, and the reason of rungs with some failed runs.

    Args:
        rung_results: the rungs after their runs; states and reasons are set in place.
    """
    for result in rung_results:
        failed = [run for run in result.runs if run.error]
        if failed and len(failed) == len(result.runs):
            result.state, result.reason = "failed", failed[0].error
        elif failed:
            result.reason = (
                f"{len(failed)} of {len(result.runs)} runs failed and count as the constant rung: {failed[0].error}"
            )


def indecisive(rung_results: Sequence[RungResult], scores: Scores, labels: int, margin: float) -> list[str]:
    """Return the names of the slow rungs on which the verdict does not depend.

    The verdict depends on the best rung, and on the two rungs that the verdict compares.

    Args:
        rung_results: the rungs that were not dropped.
        scores: the scores of the rungs' first runs.
        labels: the number of labelled examples that these first runs learned from.
        margin: how far behind the best a rung may be, on the metric's scale.
    """
    verdict = judge(scores, [result.rung for result in rung_results], labels, margin)
    slow = [result.rung.name for result in rung_results if result.rung.slow]
    return [name for name in slow if name not in {verdict.best, *verdict.compared_pair}]


def schedule(
    rung_results: Sequence[RungResult], grid: LabelGrid, task: Task
) -> tuple[Pairs, dict[str, list[tuple[int, int]]]]:
    """Divide the runs of all rungs into runs before and runs after the early elimination of expensive rungs.

    The first few runs of expensive rungs, and all runs of other rungs, come before the elimination. Expensive rungs
    start first, because a long fit that starts last would leave threads idle.

    Args:
        rung_results: the prepared rungs.
        grid: the subsets of the training rows.
        task: the task, whose kind decides which rungs are expensive.

    Returns:
        Two mappings: name of each rung -> its runs before the elimination, and name of each expensive rung -> its runs
        after it. A run is given as (number of labelled examples, seed).
    """
    every = {result.rung.name: grid.runs(result.rung) for result in rung_results}
    expensive = {
        result.rung.name: FIRST_SLOW_RUNS if result.rung.slow else FIRST_RUNS
        for result in rung_results
        if result.rung.is_expensive(task.kind)
    }
    first_runs = {
        name: [pair for pair in every[name] if pair[0] == grid.top and pair[1] < count]
        for name, count in expensive.items()
    }
    first = first_runs | {name: pairs for name, pairs in every.items() if name not in first_runs}
    rest = {name: [pair for pair in every[name] if pair not in first_runs[name]] for name in expensive}
    return first, rest


def drop_hopeless(rung_results: Sequence[RungResult], scores: Scores, task: Task, labels: int, margin: float) -> None:
    """Set the state `dropped`, and the reason, of the expensive rungs that cannot win.

    A rung cannot win if the 99 % upper bound of its score minus the best rung's score lies below -margin.

    Args:
        rung_results: the rungs; those dropped are changed in place.
        scores: the scores of the rungs' first runs.
        task: the task, whose kind decides which rungs are expensive.
        labels: the number of labelled examples that these first runs learned from.
        margin: how far behind the best a rung may be, on the metric's scale.
    """
    present = [result for result in rung_results if scores.has(result.rung.name, labels)]
    best = max((result.rung for result in present), key=lambda rung: scores.mean(rung.name, labels))
    for result in present:
        name = result.rung.name
        if not result.rung.is_expensive(task.kind) or name == best.name:
            continue
        high = scores.gap_interval(name, best.name, labels, LEVEL).high
        if high < -margin:
            result.state = "dropped"
            result.reason = (
                f"after {count_of(scores.seeds_of(name, labels), 'run')} on all {labels:,} labels it was at least "
                f"{100 * -high:.1f} points behind {best.title} on the texts that these runs answer (99 % bound), more "
                "than the margin"
            )


def fit_all(
    results: Sequence[RungResult],
    pairs: Mapping[str, Sequence[tuple[int, int]]],
    task: Task,
    grid: LabelGrid,
    run_context: RunContext,
    bar: FitBar = FitBar(),  # noqa: B008 - frozen
) -> None:
    """Fit rungs on subsets of the labelled examples in threads; the results do not depend on the number of threads.

    Args:
        results: the prepared rungs; their runs are added in place.
        pairs: name of a rung -> the subsets to fit it on, each as (number of labelled examples, seed), in the order in
            which the fits start.
        task: the task.
        grid: the subsets of the training rows.
        run_context: cache, seed, number of threads, and receiver of progress.
        bar: the title of the progress bar, and what each fit counts for in it.
    """
    named = {result.rung.name: result for result in results}
    jobs = [
        _Job(
            result,
            result.learner,
            task,
            grid.rows(labels, seed),
            grid.items(labels, seed),
            seed,
            run_context.seed,
            bar.weight(result.rung, labels, task.kind),
        )
        for name, requested in pairs.items()
        if (result := named.get(name)) and result.learner
        for labels, seed in requested
    ]
    if not jobs:
        return
    cache = RunCache.of(results, task, run_context)
    pool = ThreadPoolExecutor(run_context.threads)
    try:
        total = sum(job.weight for job in jobs)
        with run_context.progress.step(bar.title, total) as step, threadpool_limits(limits=1):
            futures = [pool.submit(_fit, job, cache, grid.top, FitProgress(job.weight, step)) for job in jobs]
            for future in as_completed(futures):
                future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after an error or an interrupt, no further fit starts
    for job in jobs:
        _take_predictor(job, grid.top)
    for result in results:
        result.runs.sort(key=lambda run: (run.labels, run.seed))


@dataclass(frozen=True, slots=True)
class _Job:
    """A fit of one rung on one subset of the labelled examples that is still to be done.

    Attributes:
        result: the rung's result, to which the run is added.
        learner: the rung prepared for the task.
        task: the task.
        rows: int64 [n], the indices of the training rows of the subset.
        items: indices of the test items to predict; None for all of them.
        seed: the seed of the subset.
        study_seed: the seed of the study.
        weight: the fit's expected duration relative to the others, for the estimate of the time left.
    """

    result: RungResult
    learner: Learner
    task: Task
    rows: Rows
    items: Rows | None
    seed: int
    study_seed: int
    weight: int

    def fit(self, report: Callable[[float], None] = ignore) -> tuple[Fitted, Predictor]:
        """Fit the rung and predict the test items; `report` is called with each fraction of the fit that is done."""
        began = time.perf_counter()
        rng = seeds.child(self.study_seed, "fit", self.result.seed_name, len(self.rows), self.seed)
        learner = self.learner.redraw(self.seed)
        if self.task.folds:
            learner = learner.without_texts(self.task.folds[self.seed])
        predictor = learner.with_progress(report).fit(self.rows, rng)
        predictions = predictor.predict(self.task.test if self.items is None else self.task.test[self.items])
        seconds = time.perf_counter() - began
        return Fitted(predictions, predictor.chosen, seconds, calibration_of(predictor)), predictor


def _fit(job: _Job, cache: RunCache, top: int, progress: FitProgress) -> None:
    """Add one run to its rung's result, from the cache or fitted; a run that fails is added with the error's message.

    The first run on all labelled examples is always fitted, as its predictor is needed.
    """
    result, seed = job.result, job.seed
    name, labels, began = result.rung.name, len(job.rows), time.perf_counter()
    try:
        if (labels, seed) == (top, 0):
            fitted, result.predictor = progress.fit(job.fit)
        else:
            fitted = cache.get_or_fit(name, job.rows, seed, lambda: progress.fit(job.fit)[0], job.items)
    except MemoryError as error:
        raise out_of_memory(name) from error
    except _FAILURES as error:
        message = str(error) or type(error).__name__
        result.runs.append(Run(name, labels, seed, None, {}, time.perf_counter() - began, message, job.items))
    else:
        run = Run(name, labels, seed, fitted.predictions, fitted.chosen, fitted.seconds, "", job.items)
        result.runs.append(replace(run, calibration=fitted.calibration))
    progress.finish()


def _take_predictor(job: _Job, top: int) -> None:
    """Fit a run on all labelled examples again for its predictor, if the first such run failed and this one did not."""
    result, labels = job.result, len(job.rows)
    run = result.run(labels, job.seed)
    if labels < top or result.predictor is not None or run is None or run.error:
        return
    try:
        result.predictor = job.fit()[1]
    except MemoryError as error:
        raise out_of_memory(result.rung.name) from error
    except _FAILURES:
        return  # a run from the cache may fail today: the next one is tried; without any, nothing is timed


def out_of_memory(rung: str) -> NotEnoughMemory:
    """Return the error for a machine with too little memory to fit `rung`."""
    return NotEnoughMemory("the machine ran out of memory", where=f"rung {rung}", mend="use --quick or fewer rows")
