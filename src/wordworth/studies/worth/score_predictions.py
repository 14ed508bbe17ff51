"""Score predictions: compute the metric of every run on the test part and on each bootstrap resample of it.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.added_test_items import added_items
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.calibrated_sampling_weights import calibration_factors, population_means
from wordworth.measures.design_effect import design_effect, few_groups_stretch
from wordworth.measures.intervals_from_few_runs import PRIOR_DEGREES, RunVariance
from wordworth.measures.metrics import errors
from wordworth.measures.training_sample_variance import RowCounts
from wordworth.studies.worth.run_scores import CrossFittedScores, RunScores, regressed
from wordworth.studies.worth.rung_result import Answers, answers_at, predictions_at
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.tasks.labels import take
from wordworth.tasks.stratified_split import cluster_ids

if TYPE_CHECKING:
    from wordworth.measures.added_test_items import AddedItems
    from wordworth.measures.metrics import Metric
    from wordworth.measures.weighted_sums import Floats
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Labels, Rows, Task


def measure(
    rung_results: Sequence[RungResult],
    task: Task,
    metric: Metric,
    bootstrap: Bootstrap,
    *,
    keep: NDArray[np.float64] | None = None,
) -> Scores:
    """Score every run by one metric, on the test part and on each resample of it; a rung that failed has no score.

    If the task has folds, the runs that learn from all labelled examples predict one fold each, and have one score
    together.

    Args:
        rung_results: the rungs and their runs.
        task: the task whose test part was predicted.
        metric: the metric to score with.
        bootstrap: the resamples of the test items and runs.
        keep: float64 [test items], a factor on the sampling weight of each item; 0 leaves the item out. None means 1
            for all items.
    """
    weight = task.sampling_weights * (1.0 if keep is None else keep)
    scored = [result for result in rung_results if result.state != "failed"]
    baselines = {result.rung.name for result in scored if result.rung.is_baseline}
    sizes = sorted({run.labels for result in scored for run in result.runs})
    scorer = scorer_of(rung_results, task, metric, bootstrap, keep=keep)
    table: dict[tuple[str, int], RunScores] = {}
    for labels in sizes:
        every = {result.rung.name: answers_at(result, labels, rung_results) for result in scored}
        answers = {name: runs for name, runs in every.items() if runs}
        score = partial(_cross_fitted, baselines=baselines) if task.folds and labels == sizes[-1] else _by_run
        table |= {(name, labels): scores for name, scores in score(scorer, answers).items()}
    assumed = {result.rung.name: result.rung.assumed_run_sd for result in rung_results}
    priors = {name: RunVariance(sd**2, PRIOR_DEGREES) for name, sd in assumed.items() if sd}
    dropped = frozenset(result.rung.name for result in rung_results if result.state == "dropped")
    row_counts = RowCounts(len(task.test), float(weight.sum())) if task.folds else None
    return Scores(table, bootstrap, priors, dropped, (metric.least, 1.0), row_counts)


def scorer_of(
    rung_results: Sequence[RungResult],
    task: Task,
    metric: Metric,
    bootstrap: Bootstrap,
    *,
    keep: NDArray[np.float64] | None = None,
) -> Scorer:
    """Return the scorer of predictions of a task's test part.

    Args:
        rung_results: the rungs and their runs, whose errors say how much a group of rows is worth.
        task: the task whose test part was predicted.
        metric: the metric to score with.
        bootstrap: the resamples of the test items.
        keep: float64 [test items], a factor on the sampling weight of each item; None means 1 for all items.
    """
    design = task.design_weights / task.design_weights.mean() * (1.0 if keep is None else keep)
    scored = [result for result in rung_results if result.state != "failed"]
    return Scorer.of(task, metric, bootstrap, design, _added_weight(task, scored, rung_results))


def _added_weight(task: Task, scored: Sequence[RungResult], rung_results: Sequence[RungResult]) -> float:
    """Return the weight of an added test item: the design effect times the median sampling weight.

    The design effect is the number of test rows in groups that are as informative as one independent row. For equal
    texts, or sentences of one document, it is the mean size of a group. For groups that the user names, it is measured
    by how alike the errors of the rungs are within groups. The median of the sampling weights is the weight of one
    more typical row, as rows drawn because rungs disagree on them have small weights.
    """
    usual = float(np.median(task.sampling_weights))
    groups = cluster_ids(task.kind, task.examples.take(task.test))
    if task.examples.groups is None:
        return usual * len(groups) / len(np.unique(groups))
    top = max((run.labels for result in scored for run in result.runs), default=0)
    predicted = [(result, predictions_at(result, top, rung_results, len(task.test))[:1]) for result in scored]
    learned = [predictions for result, first in predicted if not result.rung.is_baseline for predictions in first]
    every = [predictions for _, first in predicted for predictions in first]
    systems, gold = learned if len(learned) > 1 else every, task.gold(task.test)
    return usual * design_effect(np.stack([errors(gold, predictions) for predictions in systems]), groups)


def draws_stretch(task: Task) -> float:
    """Return the factor by which the deviations of resampled scores from the score are multiplied.

    The factor widens intervals, which are too narrow if there are few groups of rows that belong together. The factor
    is above 1 if the user names groups, and otherwise 1.
    """
    groups = task.examples.groups
    return 1.0 if groups is None else few_groups_stretch(len({groups[row] for row in task.test.tolist()}))


def test_weights(task: Task, bootstrap: Bootstrap) -> NDArray[np.float64]:
    """Return how often each test item occurs in each bootstrap resample, float64 [draws, test items].

    Items of a group that the user named are drawn together.
    """
    return _weights(cluster_ids(task.kind, task.examples.take(task.test)).tobytes(), bootstrap)


@lru_cache(maxsize=4)
def _weights(group_bytes: bytes, bootstrap: Bootstrap) -> NDArray[np.float64]:
    """Return `test_weights` from the group of each test item.

    Args:
        group_bytes: the bytes of int64 [test items], the group of each item; bytes can be hashed by the cache.
        bootstrap: the resamples.
    """
    groups = np.frombuffer(group_bytes, dtype=np.int64)
    return item_weights(len(groups), bootstrap.draws, seeds.child(bootstrap.seed, "bootstrap items"), groups)


def _calibration(task: Task, controls: Floats, bootstrap: Bootstrap) -> Floats:
    """Return the factors that calibrate the weights of the test items, float64 [1 + draws, items].

    The first row is for the test part, whose control variables are calibrated to the mean 0. The others are for the
    resamples, each calibrated to means drawn by `population_means`, so that scores vary as with a sample from another
    pool of texts.

    Args:
        task: the task, whose test rows have sampling weights.
        controls: float64 [items, controls], the control variables of the test items.
        bootstrap: the resamples of the test items.
    """
    design = task.design_weights
    weights = np.concatenate([np.ones((1, len(design))), test_weights(task, bootstrap)]) * design
    rng = seeds.child(bootstrap.seed, "control variables")
    means = population_means(design, controls, bootstrap.draws, rng)
    return calibration_factors(weights, controls, np.concatenate([np.zeros((1, controls.shape[1])), means]))


def _by_run(scorer: Scorer, answers: Mapping[str, Sequence[Answers]]) -> dict[str, RunScores]:
    """Return name of each rung -> the scores of its runs, each scored on the test items that it predicted.

    The runs at one position of all lists of `answers`, which have the same seed, must have predicted the same items.
    """
    scores: dict[str, list[RunScores]] = {name: [] for name in answers}
    for seed in range(max(map(len, answers.values()))):
        of_seed = {name: runs[seed] for name, runs in answers.items() if seed < len(runs)}
        on_items = scorer.on(next(iter(of_seed.values())).items)
        for name, answer in of_seed.items():
            scores[name].append(on_items.scores(answer.predictions))
    return {name: RunScores.stacked(runs) for name, runs in scores.items()}


def _cross_fitted(
    scorer: Scorer, answers: Mapping[str, Sequence[Answers]], *, baselines: Collection[str]
) -> dict[str, CrossFittedScores]:
    """Score the predictions of all folds of each rung together; estimate the score of a rung that predicted only some.

    Args:
        scorer: scores the test part.
        answers: name of a rung -> its predictions for each fold, or for the first folds if it made fewer runs.
        baselines: names of the rungs that are not used to estimate the scores of others, unless there are no others.
    """
    folds = max(map(len, answers.values()))
    whole = [name for name, runs in answers.items() if len(runs) == folds]
    others = [name for name in whole if name not in baselines] or whole
    on_all = scorer.on(Answers.pooled(answers[whole[0]]).items)
    scores = {name: on_all.pooled(answers[name]) for name in whole}
    others_on_all = RunScores.stacked([scores[name] for name in others])
    for few in sorted({len(runs) for runs in answers.values()} - {folds}):
        on_part = scorer.on(Answers.pooled(answers[whole[0]][:few]).items)
        others_on_part = RunScores.stacked([on_part.pooled(answers[name][:few]) for name in others])
        for name in (name for name, runs in answers.items() if len(runs) == few):
            part = on_part.pooled(answers[name])
            scores[name] = regressed(part, others_on_part, others_on_all, scorer.metric.score_range)
    return {
        name: CrossFittedScores.of(scores[name], np.array([scorer.point(fold) for fold in runs]))
        for name, runs in answers.items()
    }


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores predictions of test items by one metric, on these items and on their resamples.

    Attributes:
        metric: the metric.
        gold: the gold labels of the items.
        weights: float64 [1 + draws, items], the weight of each item in the test part, then in each resample.
        added: the items added to comparisons; None where the metric needs none.
        added_weights: float64 [draws, 2 x added items], how often each of them is in each resample.
        stretch: the factor on deviations of resampled scores, as `draws_stretch` returns it.
    """

    metric: Metric
    gold: Labels
    weights: NDArray[np.float64]
    added: AddedItems | None
    added_weights: NDArray[np.float64]
    stretch: float = 1.0

    @classmethod
    def of(
        cls, task: Task, metric: Metric, bootstrap: Bootstrap, keep: NDArray[np.float64], added_weight: float
    ) -> Scorer:
        """Return the scorer of a task's test part.

        Args:
            task: the task.
            metric: the metric to score by.
            bootstrap: the resamples of the test items.
            keep: float64 [test items], a weight for each item, before any calibration.
            added_weight: the weight of an added item.
        """
        gold = task.gold(task.test)
        weights = np.concatenate([keep[:, None], test_weights(task, bootstrap).T * keep[:, None]], axis=1).T
        if task.controls is not None:
            weights = weights * _calibration(task, task.controls, bootstrap)
        added = added_items(metric, gold, task.classes)
        rng = seeds.child(bootstrap.seed, "added items")
        added_weights = added.weights(bootstrap.draws, added_weight, rng) if added else np.zeros((bootstrap.draws, 0))
        return cls(metric, gold, weights, added, added_weights, draws_stretch(task))

    def on(self, items: Rows | None) -> Scorer:
        """Return the scorer of some of the items, given as ascending int64 indices [n]; None means all items."""
        if items is None or len(items) == len(self.gold):
            return self
        return replace(self, gold=take(self.gold, items), weights=self.weights.T[items].T)

    def point(self, answer: Answers) -> float:
        """Return the score of the predictions of some items, without resamples."""
        rows = np.arange(len(self.gold)) if answer.items is None else answer.items
        gold, weights = take(self.gold, rows), self.weights[:1, rows]
        return float(np.asarray(self.metric.score(gold, answer.predictions, weights))[0])

    def pooled(self, folds: Sequence[Answers]) -> RunScores:
        """Return the score of the predictions of several folds together, which have to be of this scorer's items."""
        return self.scores(Answers.pooled(folds).predictions)

    def scores(self, predictions: Predictions) -> RunScores:
        """Return the scores of one run's predictions."""
        values = np.asarray(self.metric.score(self.gold, predictions, self.weights))
        point, farther = float(values[0]), self.stretch
        by_draw = self.metric.centred(values[None, 1:], point)
        compared = None if self.added is None else self._compared(self.added, predictions)
        if farther != 1:
            by_draw = point + farther * (by_draw - point)
            compared = None if compared is None else point + farther * (compared - point)
        bias = 0.0 if compared is None else self.metric.resampling_bias(compared[0], point)
        return RunScores(values[:1], by_draw, compared, bias)

    def _compared(self, added: AddedItems, predictions: Predictions) -> NDArray[np.float64]:
        """Return a run's scores on resamples with added items, as first and as second rung, float64 [2, 1, draws]."""
        gold, weights = added.gold_with(self.gold), np.concatenate([self.weights[1:].T, self.added_weights.T]).T
        sides = [added.predicted_with(predictions, first=first) for first in (True, False)]
        return np.stack([np.asarray(self.metric.score(gold, side, weights))[None] for side in sides])
