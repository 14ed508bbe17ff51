"""Students beside their teacher and beside those without one, on the same test rows: scores, differences and speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.studies.distill.settings import CONTROL
from wordworth.studies.finetune.results import Scored, scored
from wordworth.tasks.split import group_ids
from wordworth.tasks.task import Task
from wordworth.training.distillation.methods import Method, Weights
from wordworth.training.finetuning.run_result import Result

_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Students:
    """The students of one method.

    Attributes:
        method: what they learned from the teacher.
        weights: of the parts of the loss.
        results: of the runs, one for each seed.
        best: the run that is best on the dev part; None if all failed.
    """

    method: Method
    weights: Weights
    results: tuple[Result, ...]
    best: Result | None

    @property
    def ended(self) -> dict[int, Predicted]:
        """The test predictions of each run that ended, by the number of its seed."""
        return {run.seed: cast("Predicted", run.test) for run in self.results if run.test is not None}


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean over runs of a paired difference of scores.

    Attributes:
        value: the mean.
        interval: of 95 %, over runs and test rows.
        sure: whether the interval at a level corrected for the number of methods excludes 0.
    """

    value: float
    interval: Interval
    sure: bool

    @classmethod
    def of(cls, changes: Sequence[Change], comparisons: int, rng: np.random.Generator) -> Difference:
        """Return the mean of the changes of several runs on the same resamples.

        Args:
            changes: one for each run.
            comparisons: number of comparisons that are made.
            rng: draws the runs of each resample.
        """
        values, draws = np.array([each.value for each in changes]), np.stack([each.draws for each in changes])
        picks = run_picks(len(changes), draws.shape[1], rng)
        ends = [crossed_interval(values, draws, picks, level) for level in (0.95, 1 - 0.05 / comparisons)]
        return cls(float(values.mean()), ends[0], 0.0 not in ends[1])


@dataclass(frozen=True, slots=True)
class Measured:
    """The score of the students of one method on the test rows.

    Attributes:
        students: of the method.
        scored: their scores by the task's metric.
        loss: their score less the teacher's; None where no run ended.
        gain: their score less that of the students without a teacher and with the same seeds; None for these
            themselves, and where no pair of runs ended.
    """

    students: Students
    scored: Scored
    loss: Difference | None
    gain: Difference | None

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.students.method.name


@dataclass(frozen=True, slots=True)
class Comparison:
    """All students beside the teacher.

    Attributes:
        teacher: the teacher's score.
        start: the score of its first layers without further training; None for students of other layers.
        start_loss: the latter less the former.
        measured: the students of each method.
    """

    teacher: float
    start: float | None
    start_loss: Change | None
    measured: tuple[Measured, ...]


def compare(
    task: Task, students: Sequence[Students], teacher: Predicted, start: Predicted | None, seed: int
) -> Comparison:
    """Score students beside their teacher on the test part of a task.

    Args:
        task: the task.
        students: of each method.
        teacher: its predictions for the test part.
        start: those of its first layers without further training; None for students of other layers.
        seed: of the resamples.
    """
    rule, groups = metric(task.metric, task.classes), group_ids(task.kind, task.examples.take(task.test))
    rng = seeds.child(seed, "distill", "draws")
    paired = PairedChanges.of(rule, task.gold(task.test), task.classes, _DRAWS, rng, groups)
    control = next((each.ended for each in students if each.method.name == CONTROL), {})
    comparisons = max(1, len(students) - bool(control))
    measured = []
    for each in students:
        losses = [paired.change(run, teacher) for run in each.ended.values()]
        twins = [] if each.method.name == CONTROL else [number for number in each.ended if number in control]
        gains = [paired.change(each.ended[number], control[number]) for number in twins]
        differences = [
            Difference.of(changes, comparisons, seeds.child(seed, "distill", name)) if changes else None
            for name, changes in (("loss", losses), ("gain", gains))
        ]
        ended = [run for run in each.results if run.test is not None]
        measured.append(Measured(each, scored(task, ended, task.metric, seed), *differences))
    score, change = (None, None) if start is None else (paired.score(start), paired.change(start, teacher))
    return Comparison(paired.score(teacher), score, change, tuple(measured))
