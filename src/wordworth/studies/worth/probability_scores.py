"""The record's table of probabilities: losses, calibration error and ranking measures of each rung's probabilities.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The table is for single-label classification. A run's scores become probabilities by the temperature that was fitted on
its training labels (`representations/heads/temperature_scaling.py`). The losses are scored like the task's metric, run
by run on the resamples of the study's one bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.calibration import CalibrationError, calibration_error
from wordworth.measures.log_loss_and_brier import brier_scores, log_losses
from wordworth.measures.metrics import CLASS_F1, Metric
from wordworth.measures.ranking import area_under_roc, average_precision, one_against_rest, precision_at
from wordworth.measures.weighted_sums import Flags, Floats, Gold, Integers, Predicted, ratio, weighted
from wordworth.records import Table
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.studies.worth.rung_result import Answers, RungResult, answers_at, whole_answers
from wordworth.studies.worth.score_predictions import draws_stretch, measure, test_weights
from wordworth.studies.worth.scores import SIZES_LIKE

if TYPE_CHECKING:
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.task import Task

WORKLOADS = {"precision_10": 0.1, "precision_20": 0.2}
"""Column of a precision -> the share of texts, those with the highest probability, among which it is measured."""
_SPAN = {"low": "lower end of its 95 % interval", "high": "upper end of its 95 % interval"}
PROBABILITIES = {
    "rung": "short name",
    "positive": "with two classes, the one that average precision and the precisions are of: that of the metric "
    "f1:CLASS, else the rarer in training",
    "log_loss": "minus the natural log of the probability of a text's class (2.2e-16 at least), mean over test texts",
    **{f"log_loss_{end}": f"{text}, too narrow where hardly any text is wrong" for end, text in _SPAN.items()},
    "brier": "half the squared distance of the probabilities from 1 for a text's class and 0 for others, mean over "
    "test texts, from 0 to 1",
    **{f"brier_{end}": text for end, text in _SPAN.items()},
    "calibration_error": "root mean square difference between the probability of the most probable class and how often "
    "that is right, in at most 15 bins of equally many texts, less what chance adds (Kumar et al. 2019)",
    **{f"calibration_error_{end}": f"{text}, over other test texts" for end, text in _SPAN.items()},
    "auroc": "area under the ROC curve, with more than two classes the mean of each against the rest; mean over runs",
    "average_precision": "of the positive class, or the mean of each class against the rest; mean over runs",
    "precision_10": "with two classes, the share of the positive class among the 10 % of texts with the highest "
    "probability of it; mean over runs",
    "precision_20": "the same among 20 % of the texts",
    "temperature": "what scores were divided by before their softmax, mean over runs; 1 where none was fitted",
    "held_out": "training texts on whose held-out scores the temperature was fitted, mean over runs; 0 for none",
}


def probabilities_table(study: StudyResult) -> Table:
    """Return the table of losses, calibration error and ranking measures of the probabilities that each rung predicts.

    The rungs have learned from all labelled examples. The table is empty for tasks other than single-label
    classification.
    """
    if not study.task.type.multiclass:
        return Table.of([], PROBABILITIES)
    losses = {"log_loss": loss_scores(study, log_losses), "brier": loss_scores(study, brier_scores, most=1.0)}
    on_all_labels = [with_probabilities(result, study.labels) for result in study.rung_results]
    measured = {result.rung.name for result in study.measured}
    rows = []
    for result in on_all_labels:
        if result.rung.name in measured:
            row: dict[str, Any] = {"rung": result.rung.name}
            for name, scores in losses.items():
                row |= _loss(scores, result.rung.name, study.labels, name)
            answers = answers_at(result, study.labels, on_all_labels)
            runs = [AnsweredItems.of(study.task, each) for each in answers]
            rows.append(row | _calibration(study, result, answers) | _rankings(study.task, runs))
    return Table.of(rows, PROBABILITIES)


def loss_scores(study: StudyResult, losses: Callable[[Integers, Floats], Floats], *, most: float = math.inf) -> Scores:
    """Return the scores of all runs, where the score is minus the mean loss of the predicted probabilities.

    If the loss is bounded, intervals have the items of `measures.added_test_items`, like intervals of accuracy: where
    hardly any answer is wrong, the few largest losses may be missing in the test part. An unbounded loss has no worst
    answer to add, and its interval is too narrow there.

    Args:
        study: the study, with the runs of its rungs.
        losses: function that takes classes, int64 [n], and probabilities, float64 [n, classes], and returns the losses,
            float64 [n].
        most: the largest possible loss of an item.
    """

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        sums = weighted(losses(np.asarray(gold), np.asarray(predicted)), weights)[0]
        return ratio(-sums, weights.sum(axis=1))

    metric = Metric("loss", "loss", frozenset(), rule, -most)
    return scores_by(study, metric, Calibration.probabilities)


def scores_by(study: StudyResult, metric: Metric, convert: Callable[[Calibration, Floats], Predicted]) -> Scores:
    """Return the scores of all runs by a metric, after the runs' outputs are converted into predictions for it.

    The variance between runs of slow rungs is estimated from these runs alone, without a prior (`Scores.run_priors` is
    empty): priors from other data sets exist for the usual metrics only.

    Args:
        study: the study, with the runs of its rungs.
        metric: the metric, which scores the predictions that `convert` returns.
        convert: function that takes a run's calibration and its outputs, float64 [n, classes], and returns predictions.
    """
    results = [converted(result, study.labels / SIZES_LIKE, convert) for result in study.rung_results]
    return replace(measure(results, study.task, metric, study.scores.bootstrap), run_priors={})


def with_probabilities(result: RungResult, fewest_labels: float) -> RungResult:
    """Return a rung's result with the scores of its runs converted to calibrated probabilities.

    Args:
        result: the result of the rung.
        fewest_labels: least number of labelled examples of a run; runs that learned from fewer are left out.
    """
    return converted(result, fewest_labels, Calibration.probabilities)


def converted(
    result: RungResult, fewest_labels: float, convert: Callable[[Calibration, Floats], Predicted]
) -> RungResult:
    """Return a rung's result with only its runs on `fewest_labels` labels or more, and with their scores converted.

    Args:
        result: the rung and its runs.
        fewest_labels: least number of labelled examples of a run; runs that learned from fewer are left out.
        convert: function that takes a run's calibration and its scores, float64 [n, classes], and returns predictions.
    """
    runs = [
        replace(run, predictions=convert(run.calibration, np.asarray(run.predictions)))
        if run.predictions is not None
        else run
        for run in result.runs
        if run.labels >= fewest_labels
    ]
    return replace(result, runs=runs)


def _loss(scores: Scores, rung: str, labels: int, name: str) -> dict[str, float]:
    span = scores.score_interval(rung, labels).negated()
    return {name: -scores.mean(rung, labels), **span.columns(f"{name}_")}


def _calibration(study: StudyResult, result: RungResult, answers: Sequence[Answers]) -> dict[str, float]:
    """Return the columns of the calibration error and of the temperature that was fitted to reduce it."""
    calibrations = [run.calibration for run in result.runs]
    error = _calibration_error(study, answers)
    return {
        "calibration_error": error.value,
        **error.span.columns("calibration_error_"),
        "temperature": float(np.mean([each.temperature for each in calibrations])),
        "held_out": round(float(np.mean([each.held_out for each in calibrations]))),
    }


@dataclass(frozen=True, slots=True)
class AnsweredItems:
    """The test items that one run predicted, with their gold classes and predicted probabilities.

    Attributes:
        items: int64 [n], indices into the test part.
        gold: int64 [n], index of the gold class of each item.
        probabilities: float64 [n, classes], the predicted probability of each class.
    """

    items: Integers
    gold: Integers
    probabilities: Floats

    @classmethod
    def of(cls, task: Task, answers: Answers) -> AnsweredItems:
        """Return the test items that a run predicted, together with their gold classes and probabilities.

        Args:
            task: the task, which has the gold classes.
            answers: the predictions of the run, which must be probabilities.
        """
        items = np.arange(len(task.test)) if answers.items is None else answers.items
        return cls(items, np.asarray(task.gold(task.test[items])), np.asarray(answers.predictions))


def _calibration_error(study: StudyResult, answers: Sequence[Answers]) -> CalibrationError:
    """Return the calibration error of the runs on the test part, or of the predictions of all folds together."""
    runs = [AnsweredItems.of(study.task, each) for each in whole_answers(answers)]
    weights = test_weights(study.task, study.scores.bootstrap)[:, runs[0].items]
    return calibration_error(*confidence_and_right(runs), weights, stretch=draws_stretch(study.task))


def confidence_and_right(runs: Sequence[AnsweredItems]) -> tuple[Floats, Flags]:
    """Return each run's highest class probability for each item, and whether the class that has it is right.

    Args:
        runs: the runs, which predicted the same n items.

    Returns:
        The probabilities, float64 [runs, n], and the flags, bool [runs, n].
    """
    confidence = np.stack([run.probabilities.max(axis=1) for run in runs])
    return confidence, np.stack([run.probabilities.argmax(axis=1) == run.gold for run in runs])


def _rankings(task: Task, answers: Sequence[AnsweredItems]) -> dict[str, Any]:
    """Return the columns of the ranking measures (ROC area, average precision, precisions), mean over the runs."""
    if len(task.classes) > 2:  # noqa: PLR2004 - the two classes of a binary task
        against_rest = {"auroc": area_under_roc, "average_precision": average_precision}
        means = {
            name: _mean([one_against_rest(by, run.gold, run.probabilities) for run in answers])
            for name, by in against_rest.items()
        }
        return {"positive": None, **means, **dict.fromkeys(WORKLOADS)}
    positive = positive_class(task)

    def mean(by: Callable[[Flags, Floats], float]) -> float:
        return _mean([by(run.gold == positive, run.probabilities[:, positive]) for run in answers])

    precisions = {
        name: mean(lambda flags, scores, share=share: precision_at(flags, scores, share))  # type: ignore[misc] # bound now
        for name, share in WORKLOADS.items()
    }
    areas = {"auroc": mean(area_under_roc), "average_precision": mean(average_precision)}
    return {"positive": task.classes[positive], **areas, **precisions}


def positive_class(task: Task) -> int:
    """Return the index of the positive class: CLASS if the metric is `f1:CLASS`, else the rarer class in training."""
    named = task.metric.removeprefix(CLASS_F1)
    if named != task.metric and named in task.classes:
        return task.classes.index(named)
    counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes))
    return int(len(counts) - 1 - np.argmin(counts[::-1]))


def _mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN if all are NaN."""
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan
