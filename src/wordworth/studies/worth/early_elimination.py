"""Early elimination (racing): an expensive rung that cannot win is dropped after two runs, and the record says so.

Only rungs with expensive fits are raced (fine-tuning, and every tagging head): a linear head takes milliseconds, and
its whole curve is needed for the label multiple. The first look is at all labels, the size of the verdict, with two
runs; a rung is dropped when even the 99 % upper bound of its paired difference to the best lies below -epsilon. Small
sizes never decide: contextual rungs may lead early and be caught later, so small sizes could drop the eventual winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordworth.studies.worth.label_grid import is_expensive
from wordworth.studies.worth.scores import Scores
from wordworth.text_format import count_of, inline_title

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.tasks.task import Task

FIRST_LOOK = 2
"""Runs of an expensive rung before it may be dropped."""
LEVEL = 0.98
"""Two-sided level, so that one upper bound errs once in a hundred."""

Pairs = Mapping[str, Sequence[tuple[int, int]]]


def schedule(rung_results: Sequence[RungResult], plan: LabelGrid, task: Task) -> tuple[Pairs, Pairs]:
    """The (labels, seed) pairs before and after the elimination, for every rung by name, expensive rungs first.

    Only expensive rungs wait for the elimination. They start first, as a long fit that starts last would leave a thread
    idle.
    """
    every = {entry.rung.name: plan.runs(entry.rung.family) for entry in rung_results}
    expensive = [entry.rung.name for entry in rung_results if is_expensive(entry.rung.family, task.kind)]
    first_look = {
        name: [pair for pair in every[name] if pair[0] == plan.top and pair[1] < FIRST_LOOK] for name in expensive
    }
    first = first_look | {name: pairs for name, pairs in every.items() if name not in first_look}
    rest = {name: [pair for pair in every[name] if pair not in first_look[name]] for name in expensive}
    return first, rest


def drop_hopeless(rung_results: Sequence[RungResult], scores: Scores, task: Task, at: tuple[int, float]) -> None:
    """Mark the expensive rungs that cannot win as dropped, with the reason.

    Args:
        rung_results: the rungs; those dropped are changed in place.
        scores: the scores of their first runs.
        task: the task, whose kind decides which rungs are expensive.
        at: the number of labels, and epsilon on the metric's scale.
    """
    labels, epsilon = at
    present = [entry for entry in rung_results if scores.has(entry.rung.name, labels)]
    best = max((entry.rung for entry in present), key=lambda rung: scores.mean(rung.name, labels))
    for entry in present:
        name = entry.rung.name
        if not is_expensive(entry.rung.family, task.kind) or name == best.name:
            continue
        high = scores.gap_interval(name, best.name, labels, LEVEL).high
        if high < -epsilon:
            entry.state = "dropped"
            entry.reason = (
                f"after {count_of(scores.seeds_of(name, labels), 'run')} on all {labels:,} labels it was at least "
                f"{100 * -high:.1f} points behind {inline_title(best.title)} (99 % bound), more than epsilon"
            )
