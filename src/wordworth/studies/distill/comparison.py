"""Compare students with their teacher, and with students trained without a teacher, on the same test rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import difference_range, run_picks
from wordworth.measures.metrics import Metric, metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.studies.distill.settings import ANSWERS, CONTROL
from wordworth.studies.estimate import Estimate
from wordworth.studies.finetune.results import Scored, scored
from wordworth.tasks.stratified_split import cluster_ids
from wordworth.tasks.task import Task
from wordworth.training.distillation.methods import Method, Weights
from wordworth.training.finetuning.run_result import Result

_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Students:
    """The students that were trained by one method of distillation.

    Attributes:
        method: the method.
        weights: the weights of the terms of the loss.
        results: the results of the runs, one for each seed.
        best: the result of the run that is best on the dev part; None if all runs failed.
    """

    method: Method
    weights: Weights
    results: tuple[Result, ...]
    best: Result | None

    @property
    def ended(self) -> dict[int, Predicted]:
        """Seed of each finished run -> the predictions of that run for the test part."""
        return {run.seed: cast("Predicted", run.test) for run in self.results if run.test is not None}


@dataclass(frozen=True, slots=True)
class Measured:
    """The scores of the students of one method on the test rows.

    Attributes:
        students: the students of the method.
        scored: the students' scores by the task's metric.
        change_from_teacher: the students' score minus the teacher's; None if no run has finished.
        gain: the students' score minus the score of students trained without a teacher, paired by seed; None for
            students without a teacher, or if no seed has a finished run with and one without a teacher.
        over_kd: the score of students that learned from the teacher's hidden states too, minus the score of students
            that learned from its answers alone (kd), paired by seed; None for other students, or if no seed has a
            finished run of both methods.
    """

    students: Students
    scored: Scored
    change_from_teacher: Estimate | None
    gain: Estimate | None
    over_kd: Estimate | None

    @property
    def name(self) -> str:
        """The name of the method of distillation."""
        return self.students.method.name


@dataclass(frozen=True, slots=True)
class Comparison:
    """The scores of the teacher and of the students of all methods on the test rows.

    Attributes:
        teacher: the teacher's score.
        start: the score of the teacher's first layers without further training; None for a BiLSTM.
        start_change: `start` minus `teacher`, with its interval; None for a BiLSTM.
        measured: the scores of the students of each method.
    """

    teacher: float
    start: float | None
    start_change: Change | None
    measured: tuple[Measured, ...]


def compare(
    task: Task, students: Sequence[Students], teacher: Predicted, start: Predicted | None, seed: int
) -> Comparison:
    """Score students and their teacher on the test part of a task, and return the scores and their differences.

    Args:
        task: the task.
        students: the students of each method.
        teacher: the teacher's predictions for the test part.
        start: the predictions of the teacher's first layers without further training; None for a BiLSTM.
        seed: seed of the resamples.
    """
    rule, groups = metric(task.metric, task.classes), cluster_ids(task.kind, task.examples.take(task.test))
    rng = seeds.child(seed, "distill", "draws")
    paired = PairedChanges.of(rule, task.gold(task.test), task.classes, _DRAWS, rng, groups)
    by_method = {each.method.name: each.ended for each in students}
    control = by_method.get(CONTROL, {})
    comparisons = max(1, len(students) - bool(control))
    measured = []
    for each in students:
        of_answers = by_method.get(ANSWERS, {}) if each.method.weights.beta else {}
        changes = {
            "loss": [paired.change(run, teacher) for run in each.ended.values()],
            "gain": _changes(paired, each.ended, {} if each.method.name == CONTROL else control),
            "over_kd": _changes(paired, each.ended, of_answers),
        }
        differences = [
            mean_change(of_runs, comparisons, seeds.child(seed, "distill", name), rule) if of_runs else None
            for name, of_runs in changes.items()
        ]
        ended = [run for run in each.results if run.test is not None]
        measured.append(Measured(each, scored(task, ended, task.metric, seed), *differences))
    score, change = (None, None) if start is None else (paired.score(start), paired.change(start, teacher))
    return Comparison(paired.score(teacher), score, change, tuple(measured))


def mean_change(changes: Sequence[Change], comparisons: int, rng: np.random.Generator, rule: Metric) -> Estimate:
    """Return the mean score difference over several runs, with its interval and whether it is significant.

    Args:
        changes: the score difference of each run; all runs were scored on the same resamples of test rows.
        comparisons: number of comparisons among which an error rate of 5 % is divided (Bonferroni).
        rng: source of randomness, which resamples the runs.
        rule: the metric of the scores; its lowest and highest possible values bound the interval.
    """
    values, draws = np.array([each.value for each in changes]), np.stack([each.draws for each in changes])
    picks = run_picks(len(changes), draws.shape[1], rng)
    possible = difference_range(rule.score_range)
    return Estimate.of(values, draws, picks, value_range=possible, comparisons=comparisons)


def _changes(paired: PairedChanges, runs: Mapping[int, Predicted], others: Mapping[int, Predicted]) -> list[Change]:
    """Return the difference of scores between each run and the other run of the same seed, where both have finished."""
    return [paired.change(runs[number], others[number]) for number in runs if number in others]
