"""One fine-tuning run as a cell, and the scores of one model's runs on a task's test part."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from parts.scored import DRAWS, Runs, Scored
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import STILL
from wordworth.seeds import child
from wordworth.tasks.stratified_split import cluster_ids
from wordworth.tasks.task import Task
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.grid_search import candidates
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_inputs import Experiment
from wordworth.training.finetuning.run_result import Result, RunSpec
from wordworth.training.finetuning.settings import FinetuneSettings

Rate = TypeVar("Rate", bound=float | None)


def tune(settings: FinetuneSettings, task: Task, seed: int, made: Path) -> None:
    """Make or resume one run and write its result to `made`; its weights are not kept.

    Args:
        settings: the model, and how it learns.
        task: what is learned.
        seed: number of the run.
        made: the file its result goes to.
    """
    experiment = Experiment.open(settings, task, dev_split(task, settings.dev_share, settings.seed))
    (point,) = candidates(settings, experiment.encoder.model.width, len(experiment.split.train))
    folder = made.with_suffix(".run")
    result = run_to(experiment, RunSpec(point, seed), folder, STILL)
    result.save(made)
    shutil.rmtree(folder)


def best_rate(results: Mapping[Rate, Sequence[Result]]) -> Rate:
    """Return the rate with the best mean score on the held-out share of the training part; a failed run scores 0.

    Raises:
        BadInput: there are several rates, and no part of the training data was held out to choose by.
    """
    finished = [result for group in results.values() for result in group if result.state == "finished"]
    unjudged = [result for result in finished if result.dev_score is None]
    if len(results) > 1 and unjudged:
        raise BadInput("several rates and no dev part to choose one by", mend="hold a dev part back, or give one rate")
    means = {rate: np.mean([result.dev_score or 0.0 for result in group]) for rate, group in results.items() if group}
    return max(means, key=means.__getitem__, default=next(iter(results)))


def runs_of(results: Sequence[Result], task: Task) -> Runs:
    """Return the task's metric of each run on the test part and on resampled ones; a failed run predicts `usual`."""
    rule, gold = metric(task.metric, task.classes), task.gold(task.test)
    weights = resampled(task, slice(None), task.name)
    answers: dict[int, Any] = {result.seed: usual(task) if result.test is None else result.test for result in results}
    return {
        seed: (float(rule.score(gold, answer)), rule.score(gold, answer, weights)) for seed, answer in answers.items()
    }


def scored_on(results: Sequence[Result], task: Task, rows: slice, *names: str) -> Scored:
    """Return the task's metric of runs on a slice of its test rows; a failed run predicts `usual`.

    Args:
        results: results of the runs.
        task: the task.
        rows: the slice of the test part.
        names: names that decide the seed of the resamples, so that every model has the same.
    """
    rule, gold, weights = metric(task.metric, task.classes), task.gold(task.test)[rows], resampled(task, rows, *names)
    answers: list[Any] = [(usual(task) if result.test is None else result.test)[rows] for result in results]
    points = np.array([rule.score(gold, answer) for answer in answers], dtype=np.float64)
    return Scored(points, np.array([rule.score(gold, answer, weights) for answer in answers]))


def resampled(task: Task, rows: slice, *names: str) -> Floats:
    """Return how often each test row is drawn in each bootstrap resample, float64 [draws, rows].

    Args:
        task: the task with the test part.
        rows: the slice of the test part to resample.
        names: names that decide the seed of the resamples, so that every model has the same.
    """
    examples = task.examples.take(task.test[rows])
    return item_weights(len(examples), DRAWS, child(0, "items", *names), cluster_ids(task.kind, examples))


def floor(task: Task) -> float:
    """Return the task's metric of the predictions of `usual`; 0 if it is undefined for one class."""
    value = float(metric(task.metric, task.classes).score(task.gold(task.test), usual(task)))
    return value if np.isfinite(value) else 0.0


def usual(task: Task) -> Any:
    """Return predictions that need no learning: the most frequent class or labels, the mean, no entity, no answer."""
    if task.type.labels_words:
        return tuple(np.full_like(gold, task.classes.index("O")) for gold in task.gold(task.test))
    if task.type.reads_windows:
        return ("",) * len(task.test)
    gold = np.asarray(task.gold(task.train))
    if gold.dtype != np.int64:  # several labels a text, or numbers
        scores = task.type.constant_scores(gold, task.classes)
        return np.broadcast_to(scores, (len(task.test), *scores.shape))
    shares = np.bincount(gold, minlength=len(task.classes)).astype(np.float64)
    return np.tile(shares, (len(task.test), 1))
