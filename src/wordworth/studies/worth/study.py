"""The study from end to end: a file and settings become a `Record`. The function `study` reads as the method."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.measures.metrics import metric
from wordworth.representations.finetuning_settings import QUICK, FineTuning
from wordworth.representations.ladder import default_ladder, demanded
from wordworth.studies.worth.costs import costs_table
from wordworth.studies.worth.early_elimination import drop_hopeless, schedule
from wordworth.studies.worth.label_grid import LabelGrid, plan
from wordworth.studies.worth.quick import left_out, measured, reduced
from wordworth.studies.worth.record import Evidence, make_record
from wordworth.studies.worth.run_ladder import RungResult, fit_all, open_rungs
from wordworth.studies.worth.scores import Scores, measure
from wordworth.studies.worth.sensitivity import VerdictInputs
from wordworth.studies.worth.settings import DEFAULT_MODELS, MOST_ROWS, QUICK_ROWS, ReadSettings, WorthSettings
from wordworth.tasks.reading.read_task import read_task

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.representations.rung import RunContext, Rung
    from wordworth.tasks.task import Task


def study(path: Path, reading: ReadSettings, settings: WorthSettings, run_context: RunContext) -> Record:
    """Measure every rung of the ladder on a file of labelled text and say which is worth it.

    Args:
        path: the file.
        reading: how the file is read.
        settings: the study's settings.
        run_context: cache, seed, threads and progress.

    Raises:
        BadInput: the file, a column, a metric or a model that the user named cannot be used.
        NotEnoughMemory: the machine ran out.
    """
    seconds: dict[str, float] = {}
    began = time.perf_counter()
    with run_context.progress.step(f"reading {path.name}"):
        task = read(path, reading, settings)
    seconds["reading"] = _lap(began)
    if settings.quick:
        began = time.perf_counter()
        task, run_context = within_a_minute(task, path, reading, settings, run_context)
        seconds["planning"] = _lap(began)
    began = time.perf_counter()
    rung_results = open_rungs(_ladder(task, settings), task, run_context, _demanded(settings))
    seconds["embedding"] = _lap(began)
    began = time.perf_counter()
    grid = plan(task, settings)
    scores = climb(rung_results, task, grid, settings, run_context)
    seconds["learning"] = _lap(began)
    began = time.perf_counter()
    costs = costs_table(rung_results, task, settings.hourly_price, run_context, quick=settings.quick)
    seconds["timing"] = _lap(began)
    case = VerdictInputs(rung_results, task, grid.top, settings.margin, (settings.draws, settings.seed))
    with run_context.progress.step("computing the verdict"):
        return make_record(Evidence(case, grid, scores, costs, seconds), reading, settings)


def read(path: Path, reading: ReadSettings, settings: WorthSettings) -> Task:
    """The task, with no more rows than a study of minutes can use unless the user set a limit; the record says so."""
    most = QUICK_ROWS if settings.quick else MOST_ROWS
    if reading.limit is not None:
        return read_task(path, reading)
    task = read_task(path, replace(reading, limit=most.texts))
    if task.kind == "tags" and len(task.train) + len(task.test) > most.sentences:
        return read_task(path, replace(reading, limit=most.sentences))
    return task


def within_a_minute(
    task: Task, path: Path, reading: ReadSettings, settings: WorthSettings, run_context: RunContext
) -> tuple[Task, RunContext]:
    """Reduce a quick study to what its encoders can read within a minute: fewer rows, or truncated long texts.

    Args:
        task: the task with the rows of a quick study.
        path: the file, which is read again if rows must be left out.
        reading: how the file is read.
        settings: the study's settings.
        run_context: its `long_texts` is replaced.

    Returns:
        The task, with a warning of what was left out, and the run context.
    """
    with run_context.progress.step("measuring the encoder"):
        rates = measured(task, settings)
    rows, limited = len(task.train) + len(task.test), reading.limit is not None
    kept = reduced(rows, rates, tagging=task.kind == "tags", limited=limited)
    if kept.rows < rows:
        task = read_task(path, replace(reading, limit=kept.rows))
    task = left_out(task, rows, kept)
    return task, replace(run_context, long_texts=kept.long_texts)


def climb(
    rung_results: list[RungResult], task: Task, grid: LabelGrid, settings: WorthSettings, run_context: RunContext
) -> Scores:
    """Fit every rung on every subset, and drop expensive rungs that cannot win after their first runs.

    Args:
        rung_results: the prepared rungs; runs, states and reasons are set in place.
        task: the task.
        grid: the subsets of the training rows.
        settings: margin, number of resamples and seed.
        run_context: cache, seed, threads and progress.
    """
    bootstrap, scored_by = (settings.draws, settings.seed), metric(task.metric, task.classes)
    first, rest = schedule(rung_results, grid, task)
    fit_all(rung_results, first, task, grid, run_context)
    drop_hopeless(rung_results, measure(rung_results, task, scored_by, bootstrap), task, (grid.top, settings.margin))
    remaining = [entry for entry in rung_results if entry.state == "measured"]
    fit_all(remaining, rest, task, grid, run_context, "learning from fewer labels")
    for entry in rung_results:
        failed = [run for run in entry.runs if run.error]
        if failed and len(failed) == len(entry.runs):
            entry.state, entry.reason = "failed", failed[0].error
        elif failed:
            entry.reason = (
                f"{len(failed)} of {len(entry.runs)} runs failed and count as the constant rung: {failed[0].error}"
            )
    return measure(rung_results, task, scored_by, bootstrap)


def _ladder(task: Task, settings: WorthSettings) -> list[Rung]:
    return default_ladder(
        task.kind,
        models=settings.models,
        vectors=settings.vectors,
        finetune=(QUICK if settings.quick else FineTuning()) if settings.finetune else None,
        vector_price=settings.vector_price,
        distil=settings.distil and not settings.quick,
    )


def _demanded(settings: WorthSettings) -> frozenset[str]:
    """The rungs that the user asked for; the default encoder may be missing, and the verdict then says so."""
    return demanded(() if settings.models == DEFAULT_MODELS else settings.models, settings.vectors)


def _lap(began: float) -> float:
    return round(time.perf_counter() - began, 3)
