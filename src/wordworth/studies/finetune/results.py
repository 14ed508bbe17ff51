"""The results of a fine-tuning, and its scores: mean, standard deviation over seeds and interval of each metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import crossed_interval, difference_range, item_weights, run_picks
from wordworth.measures.metrics import metric
from wordworth.record_json_values import finite_or_none
from wordworth.sources import display_name
from wordworth.tasks.stratified_split import cluster_ids

if TYPE_CHECKING:
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.run_inputs import Experiment
    from wordworth.training.finetuning.run_result import HyperParameters, Result

SCORES = {
    "metric": "name of the metric",
    "title": "the metric's readable name",
    "runs": "number of runs that ended, collapsed ones included",
    "mean": "mean over these runs",
    "deviation": "standard deviation over runs",
    "least": "lowest run",
    "most": "highest run",
    "low": "lower end of the 95 % interval of the mean, over runs and test examples",
    "high": "upper end of the interval",
    "best": "score of the run whose weights are saved",
}
_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class StudyResults:
    """All results of a fine-tuning study.

    Attributes:
        experiment: the encoder, task and settings.
        hyper_parameters: the hyper-parameters that were chosen.
        tried: the results of the grid search's runs.
        restarts: the results of the runs with the chosen hyper-parameters, one for each seed.
        best: the result of the run whose weights are saved; None if all runs failed.
        seconds: seconds that this call of the study took.
    """

    experiment: Experiment
    hyper_parameters: HyperParameters
    tried: tuple[Result, ...]
    restarts: tuple[Result, ...]
    best: Result | None
    seconds: float

    @property
    def ended(self) -> list[Result]:
        """The results of the runs with the chosen hyper-parameters that did not fail, and so have test predictions."""
        return [result for result in self.restarts if result.test is not None]

    @property
    def title(self) -> str:
        """The display name of the encoder that is fine-tuned."""
        return display_name(self.experiment.settings.model)


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of all runs on the test part by one metric.

    Attributes:
        name: name of the metric.
        title: readable name of the metric.
        values: float64 [runs], the score of each run, on the metric's scale (most metrics: 0 to 1).
        low, high: the 95 % interval of the mean, over runs and test examples; NaN without runs.
    """

    name: str
    title: str
    values: np.ndarray
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean score of one set of runs minus the mean score of another set; runs of the same seed are paired.

    Attributes:
        runs: number of pairs of runs.
        mean: the difference, on the metric's scale.
        low, high: the 95 % interval of the difference, over runs and test examples.
    """

    runs: int
    mean: float
    low: float
    high: float


def metrics_of(task: Task) -> tuple[str, ...]:
    """Return the names of the metrics to report, each once.

    The task's main metric comes first, then the metrics of its publication, then the usual metrics of its kind.
    """
    parts = task.type.further_metrics(task.gold(task.test))
    return tuple(dict.fromkeys((task.metric, *task.metrics, *task.type.metrics, *parts)))


def scored(task: Task, ended: Sequence[Result], name: str, seed: int) -> Scored:
    """Score the runs that did not fail by one metric, and compute the interval of the mean.

    Test examples of one group (a paragraph's questions, a document's sentences) are resampled together.

    Args:
        task: the task.
        ended: the results of the runs that did not fail.
        name: name of the metric.
        seed: seed of the resampling.
    """
    rule = metric(name, task.classes)
    if not ended:
        return Scored(name, rule.title, np.zeros(0), np.nan, np.nan)
    values, draws, picks = _resampled(task, ended, name, seed)
    span = crossed_interval(values, draws, picks, value_range=rule.score_range)
    return Scored(name, rule.title, values, span.low, span.high)


def paired_difference(task: Task, first: Sequence[Result], other: Sequence[Result], seed: int) -> Difference | None:
    """Return the mean score of some runs minus the mean score of other runs with the same seeds, by the task's metric.

    Args:
        task: the task whose test part all runs predict.
        first: the results of the runs.
        other: the results of the other runs, which are subtracted.
        seed: seed of the resampling.

    Returns:
        The difference with its interval; None if no seed is in both sets of runs.
    """
    by_seed = {result.seed: result for result in other if result.test is not None}
    pairs = [(run, by_seed[run.seed]) for run in first if run.test is not None and run.seed in by_seed]
    if not pairs:
        return None
    values, draws, picks = _resampled(task, [run for run, _ in pairs], task.metric, seed)
    of_other, draws_of_other, _ = _resampled(task, [run for _, run in pairs], task.metric, seed)
    possible = difference_range(metric(task.metric, task.classes).score_range)
    span = crossed_interval(values - of_other, draws - draws_of_other, picks, value_range=possible)
    return Difference(len(pairs), float((values - of_other).mean()), span.low, span.high)


def _resampled(task: Task, ended: Sequence[Result], name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays for the interval of the mean score of some runs.

    The arrays are each run's score on the test part, float64 [runs]; each run's score on resampled test examples,
    float64 [runs, draws]; and the indices of resampled runs, int64 [draws, runs] (`run_picks`). The resamples depend on
    the task, the metric, the seed and the number of runs alone.
    """
    rule, gold = metric(name, task.classes), task.gold(task.test)
    by_run = [result.test for result in ended]
    values = np.array([float(rule.score(gold, predicted)) for predicted in by_run])  # type: ignore[arg-type]  # as the kind has it
    rng = seeds.child(seed, "scores", name)
    weights = item_weights(len(task.test), _DRAWS, rng, cluster_ids(task.kind, task.examples.take(task.test)))
    scores = [rule.score(gold, predicted, weights) for predicted in by_run]  # type: ignore[arg-type]  # likewise
    draws = np.array([rule.centred(drawn, value) for drawn, value in zip(scores, values, strict=True)])
    return values, draws, run_picks(len(values), _DRAWS, rng)


def score_rows(scores: Sequence[Scored], best: int | None) -> list[dict[str, Any]]:
    """Return the rows of the table `scores`, one for each metric.

    Args:
        scores: the scores by each metric.
        best: index, among the runs that did not fail, of the run whose weights are saved; None if all runs failed.
    """
    return [
        {
            "metric": score.name,
            "title": score.title,
            "runs": len(score.values),
            "mean": finite_or_none(score.values.mean()) if len(score.values) else None,
            "deviation": finite_or_none(score.values.std(ddof=1)) if len(score.values) > 1 else None,
            "least": finite_or_none(score.values.min()) if len(score.values) else None,
            "most": finite_or_none(score.values.max()) if len(score.values) else None,
            "low": finite_or_none(score.low),
            "high": finite_or_none(score.high),
            "best": None if best is None else finite_or_none(score.values[best]),
        }
        for score in scores
    ]
