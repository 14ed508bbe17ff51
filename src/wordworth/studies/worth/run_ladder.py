"""Running the ladder: every rung learns from every subset, but an expensive one that cannot win is dropped early.

Early elimination (racing) concerns only rungs with expensive fits (fine-tuning, and every tagging head): a linear head
takes milliseconds, and its whole curve is needed for the label multiple. The first two runs are on all labels, the size
of the verdict; a rung is dropped when even the 99 % upper bound of its paired difference to the best lies below
-margin, and the record says so. Small sizes never decide: contextual rungs may lead early and be caught later, so small
sizes could drop the eventual winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordworth.measures.metrics import metric
from wordworth.studies.worth.fit_rungs import fit_all
from wordworth.studies.worth.scores import Bootstrap, Scores, measure
from wordworth.text_format import count_of, inline_title

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Task

FIRST_RUNS = 2
"""Runs of an expensive rung before it may be dropped."""
LEVEL = 0.98
"""Two-sided level, so that one upper bound errs once in a hundred."""

Pairs = Mapping[str, Sequence[tuple[int, int]]]


def run_ladder(
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
    bootstrap, scored_by = Bootstrap(settings.draws, settings.seed), metric(task.metric, task.classes)
    first, rest = schedule(rung_results, grid, task)
    fit_all(rung_results, first, task, grid, run_context)
    drop_hopeless(rung_results, measure(rung_results, task, scored_by, bootstrap), task, grid.top, settings.margin)
    remaining = [result for result in rung_results if result.state == "measured"]
    fit_all(remaining, rest, task, grid, run_context, "learning from fewer labels")
    for result in rung_results:
        failed = [run for run in result.runs if run.error]
        if failed and len(failed) == len(result.runs):
            result.state, result.reason = "failed", failed[0].error
        elif failed:
            result.reason = (
                f"{len(failed)} of {len(result.runs)} runs failed and count as the constant rung: {failed[0].error}"
            )
    return measure(rung_results, task, scored_by, bootstrap)


def schedule(rung_results: Sequence[RungResult], grid: LabelGrid, task: Task) -> tuple[Pairs, Pairs]:
    """The (labels, seed) pairs before and after the elimination, for every rung by name, expensive rungs first.

    Only expensive rungs wait for the elimination. They start first, as a long fit that starts last would leave a thread
    idle.
    """
    every = {result.rung.name: grid.runs(result.rung) for result in rung_results}
    expensive = [result.rung.name for result in rung_results if result.rung.is_expensive(task.kind)]
    first_runs = {
        name: [pair for pair in every[name] if pair[0] == grid.top and pair[1] < FIRST_RUNS] for name in expensive
    }
    first = first_runs | {name: pairs for name, pairs in every.items() if name not in first_runs}
    rest = {name: [pair for pair in every[name] if pair not in first_runs[name]] for name in expensive}
    return first, rest


def drop_hopeless(rung_results: Sequence[RungResult], scores: Scores, task: Task, labels: int, margin: float) -> None:
    """Mark the expensive rungs that cannot win as dropped, with the reason.

    Args:
        rung_results: the rungs; those dropped are changed in place.
        scores: the scores of their first runs.
        task: the task, whose kind decides which rungs are expensive.
        labels: the number of labels of those runs.
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
                f"{100 * -high:.1f} points behind {inline_title(best.title)} (99 % bound), more than epsilon"
            )
