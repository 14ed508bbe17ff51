"""The study `worth` from file to `StudyResult`; the function `measure` shows the method step by step.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.registry import has_callers_objects
from wordworth.studies.study import timed
from wordworth.studies.worth.confusion_costs import read_confusion_costs
from wordworth.studies.worth.incomplete_rung_warnings import requested_rungs
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.preregistration.adherence import Adherence
from wordworth.studies.worth.preregistration.contents import contents, with_outcome
from wordworth.studies.worth.random_split_score import random_split
from wordworth.studies.worth.run_ladder import open_rungs, run_ladder
from wordworth.studies.worth.rungs import left_out_models, rungs_of
from wordworth.studies.worth.running_costs import costs_table
from wordworth.studies.worth.sequential_looks import NO_LOOKS, Looks
from wordworth.studies.worth.settings import MOST_ROWS, QUICK_ROWS, ReadSettings, WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.time_plan.fit_seconds import FitSeconds
from wordworth.studies.worth.time_plan.plan import TimePlan, time_plan
from wordworth.tasks.reading.read_task import read_task
from wordworth.worker_process import WorkerPool

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.preregistration.preregistration_file import Preregistration
    from wordworth.tasks.task import Task


def measure(
    path: Path,
    reading: ReadSettings,
    settings: WorthSettings,
    run_context: RunContext,
    earlier: Looks = NO_LOOKS,
    plan: Preregistration | None = None,
) -> StudyResult:
    """Measure every rung on a file of labelled text.

    Args:
        path: the file.
        reading: how the file is read.
        settings: the study's settings.
        run_context: cache, seed, number of threads, and receiver of progress.
        earlier: the looks before this one: verdicts that were drawn of the same labels before more were added.
        plan: the preregistration of the study; None if the study was not preregistered.

    Returns:
        The runs, scores and costs of all rungs, from which the verdict follows.

    Raises:
        BadInput: the file, a column, a metric or a model that the user named cannot be used.
        NotEnoughMemory: the machine ran out of memory.
    """
    seconds: dict[str, float] = {}
    cost_rows = read_confusion_costs(reading, settings)
    reading = with_folds(reading, settings)
    with timed(seconds, "reading"), run_context.progress.step(f"reading {path.name}"):
        task = read(path, reading, settings)
    if cost_rows is not None:
        cost_rows.matrix(task)  # refused before the machine is measured
    planned = None if plan is None else contents(task, rungs_of(task, settings), reading, settings)
    with timed(seconds, "planning"):
        plan_of_time = time_plan(task, settings, run_context, limited=reading.limit is not None)
        task = reduced(task, path, reading, plan_of_time, settings)
    scope = plan_of_time.scope
    run_context = replace(run_context, long_texts=scope.long_texts)
    confusion_costs = None if cost_rows is None else cost_rows.matrix(task)
    with long_fits_in_processes(run_context) as run_context:
        with timed(seconds, "embedding"):
            rung_results = open_rungs(rungs_of(task, settings, scope), task, run_context, requested_rungs(settings))
        with timed(seconds, "learning"):
            grid = label_grid(task, settings, few_runs=scope.few_runs)
            fit_seconds = FitSeconds.of(task, plan_of_time.speeds, len(task.test))
            scores = run_ladder(rung_results, task, grid, settings, run_context, fit_seconds)
    with timed(seconds, "timing"):
        costs = costs_table(rung_results, task, settings.hourly_price, run_context, quick=settings.quick)
    looks = earlier.next(task)
    result = StudyResult(task, grid, rung_results, scores, settings.metric_margin, costs, seconds, looks)
    result = replace(result, confusion_costs=confusion_costs, unused_encoders=left_out_models(rung_results, settings))
    result = replace(result, forecast=plan_of_time.seconds, progress=run_context.progress)
    if reading.time is not None or task.examples.groups is not None:
        with timed(seconds, "random split"), run_context.progress.step("learning from a random split"):
            by_time = reading.time is not None
            split = random_split(result.measured, task, result.labels, scores.bootstrap, by_time=by_time)
            result = replace(result, random_split=split)
    if plan is not None and planned is not None:
        adherence = Adherence.of(plan, with_outcome(planned, rung_results, looks.number))
        result = replace(result, adherence=adherence)
    return result


def with_folds(reading: ReadSettings, settings: WorthSettings) -> ReadSettings:
    """Return `reading` with `settings.seeds` folds added, unless it names a test part (file, share or time)."""
    if reading.test is None and reading.test_share is None and reading.time is None:
        return replace(reading, folds=settings.seeds)
    return reading


@contextmanager
def long_fits_in_processes(run_context: RunContext) -> Iterator[RunContext]:
    """Yield the run context with worker processes for long fits, which end when the `with` block ends.

    The run context is yielded unchanged if it has one thread, since no other fit then runs beside a long one, or if the
    caller has registered objects, which a worker process would not know.
    """
    if run_context.threads == 1 or has_callers_objects():
        yield run_context
        return
    with closing(WorkerPool()) as workers:
        yield replace(run_context, workers=workers)


def read(path: Path, reading: ReadSettings, settings: WorthSettings) -> Task:
    """Return the task read from a file, with at most the user's limit of rows, or else `MOST_ROWS` or `QUICK_ROWS`.

    Args:
        path: the file.
        reading: how the file is read.
        settings: the study's settings.
    """
    most = QUICK_ROWS if settings.quick else MOST_ROWS
    if reading.limit is not None:
        return read_task(path, reading)
    task = read_task(path, replace(reading, limit=most.texts))
    if task.type.labels_words and len(task.used) > most.sentences:
        task = read_task(path, replace(reading, limit=most.sentences))
    return replace(task, warnings=tuple(_with_reason(finding, quick=settings.quick) for finding in task.warnings))


def _with_reason(finding: Finding, *, quick: bool) -> Finding:
    """Return the finding; if it is on a limit of rows, add that the study sets the limit and how to use more rows."""
    if finding.name != "warning.limit":
        return finding
    reason = "a quick study uses no more" if quick else "more are used where the option limit says so"
    return replace(finding, text=f"{finding.text.removesuffix('.')}: {reason}.")


def reduced(task: Task, path: Path, reading: ReadSettings, plan: TimePlan, settings: WorthSettings) -> Task:
    """Return the task with as many rows as the time plan allows, with warnings that name what the plan leaves out.

    Args:
        task: the task with all rows.
        path: the file, which is read again if rows are left out.
        reading: how the file is read.
        plan: the plan of the study's time.
        settings: the study's settings.
    """
    if plan.scope.rows < plan.whole.rows:
        task = read_task(path, replace(reading, limit=plan.scope.rows))
    warning = plan.warning(settings)
    return task if warning is None else replace(task, warnings=(*task.warnings, warning))
