"""The result of one rung after the ladder was run: the predictions of all its runs, its state, and its predictor.

A rung is one way of turning text into predictions; a run is one rung fitted on one subset of the labels.
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
    """One rung fitted on one subset of the labels: its predictions, or why the fit failed.

    Attributes:
        rung: name of the rung.
        labels, seed: the subset: its number of labels, and its seed.
        predictions: one prediction for each item; None where the fit failed.
        chosen: name of each setting that was tuned -> the value that was chosen.
        seconds: seconds of the fit and the predictions.
        error: the message of a failed fit; else "".
        items: int64, the predicted items as indices into the test part; None for all of them.
        calibration: how predicted scores become probabilities.
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
        learner: the rung prepared for the task; None where it was skipped.
        predictor: the predictor of the first run on all labels that did not fail, used to time it and predict texts.
        runs: the runs of the rung.
        state: `measured`, `dropped` (eliminated early), `failed`, or `skipped` (something that it needs is missing).
        reason: why it was dropped, failed or skipped, or had failed runs; else "".
        open_seconds: seconds of the preparation; cached arrays count with the time that they took to compute.
        seed_name: the name that seeds its random draws; if empty, the rung's own name.
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
        """Find the run that learned from so many labelled rows, drawn with this seed; None if there is none.

        Args:
            labels: number of labelled rows.
            seed: seed of the draw.
        """
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> RungResult:
        """Return the result of the same rung with only the runs on `labels` labels."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


@dataclass(frozen=True, slots=True)
class Answers:
    """Predictions for test items.

    Attributes:
        predictions: one prediction for each item.
        items: int64, the items as indices into the test part; None for the whole test part.
    """

    predictions: Predictions
    items: Rows | None = None

    @classmethod
    def pooled(cls, parts: Sequence[Answers]) -> Answers:
        """Return the predictions of several disjoint sets of items as those of one set, in the order of the items."""
        items = np.concatenate([part.items for part in parts if part.items is not None])
        order, predictions = np.argsort(items, kind="stable"), [part.predictions for part in parts]
        if isinstance(predictions[0], tuple):
            sentences = [tags for part in predictions for tags in part]
            return cls(tuple(sentences[index] for index in order), items[order])
        return cls(np.concatenate(predictions)[order], items[order])


def answers_at(result: RungResult, labels: int, rung_results: Sequence[RungResult]) -> list[Answers]:
    """Return a rung's predictions in each run on `labels` labels, by seed.

    A failed run is replaced by the run of the constant rung on the same subset.

    Args:
        result: the rung and its runs.
        labels: the number of labels.
        rung_results: all rungs, including the constant one.
    """
    runs = [run for run in result.runs if run.labels == labels]
    return [
        _constant(rung_results, run) if run.predictions is None else Answers(run.predictions, run.items) for run in runs
    ]


def whole_answers(answers: Sequence[Answers]) -> list[Answers]:
    """Return predictions as one `Answers` for each run; where runs predict folds, as one for all runs together."""
    return [Answers.pooled(answers)] if answers and answers[0].items is not None else list(answers)


def predictions_at(
    result: RungResult, labels: int, rung_results: Sequence[RungResult], items: int
) -> list[Predictions]:
    """Return a rung's predictions for the whole test part, one entry for each run, or one for all folds together.

    The list is empty where the runs predicted only some of the test items.

    Args:
        result: the rung and its runs.
        labels: the number of labels.
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
