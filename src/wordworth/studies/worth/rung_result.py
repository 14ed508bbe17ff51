"""The result of one rung after the ladder was run: the predictions of all its runs, its state, and its predictor.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first. A run is one rung fitted on one subset of the labelled examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.rung import Learner, Predictions, Predictor, Rung
from wordworth.tasks.task import Rows


@dataclass(frozen=True, slots=True)
class Run:
    """One rung fitted on one subset of the labelled examples, with its predictions, or with the error of the fit.

    Attributes:
        rung: name of the rung.
        labels: number of labelled examples of the subset.
        seed: seed of the draw of the subset.
        predictions: one prediction for each item; None if the fit failed.
        chosen: name of each setting that was tuned -> the value that was chosen.
        seconds: seconds of the fit and the predictions.
        error: the error message if the fit failed; else "".
        items: int64 [n], the predicted items as indices into the test part; None for all of them.
        calibration: the temperature and shift by which predicted scores become probabilities.
    """

    rung: str
    labels: int
    seed: int
    predictions: Predictions | None
    chosen: Mapping[str, object]
    seconds: float
    error: str = ""
    items: Rows | None = None
    calibration: Calibration = NOT_CALIBRATED


@dataclass(slots=True)
class RungResult:
    """The runs and the state of one rung.

    Attributes:
        rung: the rung.
        learner: the rung prepared for the task; None if it was skipped.
        predictor: the predictor of the first successful run on all labelled examples, used to time the rung and to
            predict texts.
        runs: the runs of the rung.
        state: `measured`, `dropped` (eliminated early), `failed`, or `skipped` (something that it needs is missing).
        reason: why the rung was dropped, failed, was skipped, or has failed runs; else "".
        open_seconds: seconds of the preparation; cached arrays count with the time that they took to compute.
        seed_name: the name that seeds the rung's random draws; if empty, the rung's own name does so.
    """

    rung: Rung
    learner: Learner | None = None
    predictor: Predictor | None = None
    runs: list[Run] = field(default_factory=list)
    state: str = "measured"
    reason: str = ""
    open_seconds: float = 0.0
    seed_name: str = ""

    def __post_init__(self) -> None:
        self.seed_name = self.seed_name or self.rung.name

    def run(self, labels: int, seed: int) -> Run | None:
        """Return the rung's run on the subset of this size and seed; None if the rung was not fitted on this subset.

        Args:
            labels: number of labelled examples of the subset.
            seed: seed of the draw of the subset.
        """
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> RungResult:
        """Return the result of the same rung with only its runs on `labels` labelled examples."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


@dataclass(frozen=True, slots=True)
class Answers:
    """The predictions of one run for test items.

    Attributes:
        predictions: one prediction for each item.
        items: int64 [items], the items as indices into the test part; None for the whole test part.
    """

    predictions: Predictions
    items: Rows | None = None

    @classmethod
    def pooled(cls, parts: Sequence[Answers]) -> Answers:
        """Join the predictions for several disjoint sets of test items, in the order of the items.

        Args:
            parts: the predictions for each set.
        """
        items = np.concatenate([part.items for part in parts if part.items is not None])
        order, predictions = np.argsort(items, kind="stable"), [part.predictions for part in parts]
        if isinstance(predictions[0], tuple):
            sentences = [tags for part in predictions for tags in part]
            return cls(tuple(sentences[index] for index in order), items[order])
        return cls(np.concatenate(predictions)[order], items[order])


def answers_at(result: RungResult, labels: int, rung_results: Sequence[RungResult]) -> list[Answers]:
    """Return a rung's predictions in each run on `labels` labelled examples, by seed.

    In place of a failed run, the run of the constant rung on the same subset is returned.

    Args:
        result: the rung and its runs.
        labels: the number of labelled examples that the runs learned from.
        rung_results: all rungs, including the constant one.
    """
    runs = [run for run in result.runs if run.labels == labels]
    return [
        _constant(rung_results, run) if run.predictions is None else Answers(run.predictions, run.items) for run in runs
    ]


def whole_answers(answers: Sequence[Answers]) -> list[Answers]:
    """Return the predictions of runs for all test items; runs that predict one fold each are joined into one `Answers`.

    Args:
        answers: the predictions of each run, either for all test items or for one fold.
    """
    return [Answers.pooled(answers)] if answers and answers[0].items is not None else list(answers)


def predictions_at(
    result: RungResult, labels: int, rung_results: Sequence[RungResult], items: int
) -> list[Predictions]:
    """Return a rung's predictions for the whole test part, with an entry for each run.

    If runs predict one fold each, there is one entry for all folds together. The list is empty if the runs predicted
    only some of the test items.

    Args:
        result: the rung and its runs.
        labels: the number of labelled examples that the runs learned from.
        rung_results: all rungs, including the constant one.
        items: number of test items.
    """
    whole = whole_answers(answers_at(result, labels, rung_results))
    return [each.predictions for each in whole if each.items is None or len(each.items) == items]


def _constant(rung_results: Sequence[RungResult], failed: Run) -> Answers:
    constant = next(result for result in rung_results if result.rung.is_baseline)
    run = constant.run(failed.labels, failed.seed)
    assert run is not None  # noqa: S101 - the constant rung runs at every size and seed and cannot fail
    assert run.predictions is not None  # noqa: S101 - see above
    return Answers(run.predictions, run.items)
