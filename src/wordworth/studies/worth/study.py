"""The study from end to end: a file and settings become a `Record`. The function `study` reads as the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.registry import has_callers_objects
from wordworth.representations.finetuning_settings import QUICK, FineTuning
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.representations.majority import Majority
from wordworth.studies.study import timed
from wordworth.studies.worth.confusion_costs import given_costs
from wordworth.studies.worth.costs import costs_table
from wordworth.studies.worth.incomplete_rungs import demanded_rungs
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.looks import NO_LOOKS, Looks
from wordworth.studies.worth.preregistration.adherence import Adherence
from wordworth.studies.worth.preregistration.contents import contents, with_outcome
from wordworth.studies.worth.quick import left_out, measured, reduced
from wordworth.studies.worth.record import make_record
from wordworth.studies.worth.run_ladder import open_rungs, run_ladder
from wordworth.studies.worth.settings import MOST_ROWS, QUICK_ROWS, ReadSettings, WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.tasks.reading.read_task import read_task
from wordworth.worker_process import WorkerPool

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.representations.rung import RunContext, Rung
    from wordworth.studies.worth.preregistration.plan_file import Preregistration
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Task


def study(
    path: Path,
    reading: ReadSettings,
    settings: WorthSettings,
    run_context: RunContext,
    earlier: Looks = NO_LOOKS,
    plan: Preregistration | None = None,
) -> Record:
    """Measure every rung of the ladder on a file of labelled text and say which is worth it.

    Args:
        path: the file.
        reading: how the file is read.
        settings: the study's settings.
        run_context: cache, seed, threads and progress.
        earlier: the verdicts that were drawn of the same labels before more were added.
        plan: the preregistration of the study; None without one.

    Raises:
        BadInput: the file, a column, a metric or a model that the user named cannot be used.
        NotEnoughMemory: the machine ran out.
    """
    seconds: dict[str, float] = {}
    cost_rows = given_costs(reading, settings)
    reading = with_folds(reading, settings)
    with timed(seconds, "reading"), run_context.progress.step(f"reading {path.name}"):
        task = read(path, reading, settings)
    planned = None if plan is None else contents(task, rungs_of(task, settings), reading, settings)
    if settings.quick:
        with timed(seconds, "planning"):
            task, run_context = within_a_minute(task, path, reading, settings, run_context)
    confusion_costs = None if cost_rows is None else cost_rows.matrix(task)
    with long_fits_in_processes(run_context) as run_context:
        with timed(seconds, "embedding"):
            rung_results = open_rungs(rungs_of(task, settings), task, run_context, demanded_rungs(settings))
        with timed(seconds, "learning"):
            grid = label_grid(task, settings)
            scores = run_ladder(rung_results, task, grid, settings, run_context)
    with timed(seconds, "timing"):
        costs = costs_table(rung_results, task, settings.hourly_price, run_context, quick=settings.quick)
    looks = earlier.next(task)
    result = StudyResult(task, grid, rung_results, scores, settings.metric_margin, costs, seconds, looks)
    result = replace(result, confusion_costs=confusion_costs, left_out=left_out_models(rung_results, settings))
    if plan is not None and planned is not None:
        adherence = Adherence.of(plan, with_outcome(planned, rung_results, looks.number))
        result = replace(result, adherence=adherence)
    with run_context.progress.step("computing the verdict"):
        return make_record(result, reading, settings)


def with_folds(reading: ReadSettings, settings: WorthSettings) -> ReadSettings:
    """Return how the file is read: in folds, where the user named no test part."""
    if reading.test is None and reading.test_share is None and reading.time is None:
        return replace(reading, folds=settings.seeds)
    return reading


@contextmanager
def long_fits_in_processes(run_context: RunContext) -> Iterator[RunContext]:
    """Yield the run context with worker processes, which end with the block.

    With one thread there is no fit beside a long one, and what a caller registered is not known to another process:
    then the run context is yielded as it is.
    """
    if run_context.threads == 1 or has_callers_objects():
        yield run_context
        return
    with closing(WorkerPool()) as workers:
        yield replace(run_context, workers=workers)


def read(path: Path, reading: ReadSettings, settings: WorthSettings) -> Task:
    """Return the task read from `path`, with no more rows than a study of minutes can use, or than the user's limit."""
    most = QUICK_ROWS if settings.quick else MOST_ROWS
    if reading.limit is not None:
        return read_task(path, reading)
    task = read_task(path, replace(reading, limit=most.texts))
    if task.type.labels_words and len(task.used) > most.sentences:
        return read_task(path, replace(reading, limit=most.sentences))
    return task


def within_a_minute(
    task: Task, path: Path, reading: ReadSettings, settings: WorthSettings, run_context: RunContext
) -> tuple[Task, RunContext]:
    """Reduce the task of a quick study to what the encoders can read within a minute: fewer rows, or cut long texts.

    Args:
        task: the task with the rows of a quick study.
        path: the file, which is read again if rows must be left out.
        reading: how the file is read.
        settings: the study's settings.
        run_context: cache, seed, threads, progress, and how long texts are read.

    Returns:
        The task, with a warning of what was left out; and the run context, whose `long_texts` says how they are read.
    """
    with run_context.progress.step("measuring the encoder"):
        rates = measured(task, settings)
    rows, limited = len(task.used), reading.limit is not None
    kept = reduced(rows, rates, tagging=task.type.labels_words, limited=limited)
    if kept.rows < rows:
        task = read_task(path, replace(reading, limit=kept.rows))
    task = left_out(task, rows, kept)
    return task, replace(run_context, long_texts=kept.long_texts)


def rungs_of(task: Task, settings: WorthSettings) -> list[Rung]:
    """Return the rungs that the study measures on a task."""
    ladder = default_ladder(
        task.kind,
        models=settings.models,
        vectors=settings.vectors,
        finetune=(QUICK if settings.quick else FineTuning()) if settings.finetune else None,
        vector_price=settings.vector_price,
        distil=settings.distil and not settings.quick,
    )
    chosen = select_rungs(ladder, settings.rungs)
    return [rung.named_for(task) if isinstance(rung, Majority) else rung for rung in chosen]


def left_out_models(rung_results: Sequence[RungResult], settings: WorthSettings) -> tuple[str, ...]:
    """Return the encoders that the study was to measure, where the rungs that the user named leave all of them out."""
    return () if any(result.rung.contextual for result in rung_results) else settings.models
