"""What a rung left behind when the ladder was run: its predictions in every run, its state and its costs."""

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
        learner: the rung once prepared for the task; None where it was skipped.
        predictor: fitted in the first run on all labels that did not fail; kept to time it and to predict texts.
        state, reason: `measured`, `dropped` (eliminated early), `failed`, or `skipped` (something it needs is missing).
        open_seconds: seconds of the preparation; cached arrays count with the time that they took to compute.
        seed_name: the name that its random draws are seeded by; the rung's own where none is given.
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
        """Return the run on the subset of `labels` labels of `seed`; None if there was none."""
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> RungResult:
        """Return the result of the same rung with only the runs on `labels` labels."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


@dataclass(frozen=True, slots=True)
class Answers:
    """Predictions for some test items.

    Attributes:
        predictions: one for each item.
        items: int64, indices into the test part; None for all of them.
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
    """Return a rung's predictions in each run on `labels` labels, by seed; a failed run counts as the constant rung's.

    Args:
        result: the rung's runs.
        labels: the number of labels.
        rung_results: all rungs, the constant one among them.
    """
    runs = [run for run in result.runs if run.labels == labels]
    return [
        _constant(rung_results, run) if run.predictions is None else Answers(run.predictions, run.items) for run in runs
    ]


def whole_answers(answers: Sequence[Answers]) -> list[Answers]:
    """Return each run's predictions of the whole test part, or those of all folds together as one."""
    return [Answers.pooled(answers)] if answers and answers[0].items is not None else list(answers)


def predictions_at(
    result: RungResult, labels: int, rung_results: Sequence[RungResult], items: int
) -> list[Predictions]:
    """Return predictions for the whole test part: those of each run, or those of all folds together.

    Args:
        result: the rung's runs.
        labels: the number of labels.
        rung_results: all rungs, the constant one among them.
        items: number of test items; the list is empty where runs predicted some of them only.
    """
    whole = whole_answers(answers_at(result, labels, rung_results))
    return [each.predictions for each in whole if each.items is None or len(each.items) == items]


def _constant(rung_results: Sequence[RungResult], failed: Run) -> Answers:
    constant = next(result for result in rung_results if result.rung.is_baseline)
    run = constant.run(failed.labels, failed.seed)
    assert run is not None  # noqa: S101 - the constant rung runs at every size and seed and cannot fail
    assert run.predictions is not None  # noqa: S101 - see above
    return Answers(run.predictions, run.items)
