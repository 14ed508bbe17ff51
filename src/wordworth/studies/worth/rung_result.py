"""What a rung left behind when the ladder was run: its predictions in every run, its state and its costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from wordworth.representations.rung import Learner, Predictions, Predictor, Rung


@dataclass(frozen=True, slots=True)
class Run:
    """One rung fitted on one subset of the labels: the predictions for the test part, or why the fit failed."""

    rung: str
    labels: int
    seed: int
    predictions: Predictions | None
    chosen: Mapping[str, object]
    seconds: float
    error: str = ""


@dataclass(slots=True)
class RungResult:
    """The runs and the state of one rung.

    Attributes:
        learner: the rung once prepared for the task; None where it was skipped.
        predictor: fitted in the first run on all labels that did not fail; kept to time it and to predict texts.
        state, reason: `measured`, `dropped` (eliminated early), `failed`, or `skipped` (something it needs is missing).
        open_seconds: seconds of the preparation; cached arrays count with the time that they took to compute.
    """

    rung: Rung
    learner: Learner | None = None
    predictor: Predictor | None = None
    runs: list[Run] = field(default_factory=list)
    state: str = "measured"
    reason: str = ""
    open_seconds: float = 0.0

    def run(self, labels: int, seed: int) -> Run | None:
        """Return the run on the subset of `labels` labels of `seed`; None if there was none."""
        return next((run for run in self.runs if (run.labels, run.seed) == (labels, seed)), None)

    def at(self, labels: int) -> RungResult:
        """Return the result of the same rung with only the runs on `labels` labels."""
        return replace(self, runs=[run for run in self.runs if run.labels == labels])


def predictions_at(result: RungResult, labels: int, rung_results: Sequence[RungResult]) -> list[Predictions]:
    """Return a rung's predictions in each run on `labels` labels; a failed run counts as the constant rung's."""
    runs = [run for run in result.runs if run.labels == labels]
    return [_constant(rung_results, run) if run.predictions is None else run.predictions for run in runs]


def _constant(rung_results: Sequence[RungResult], failed: Run) -> Predictions:
    constant = next(result for result in rung_results if result.rung.is_baseline)
    run = constant.run(failed.labels, failed.seed)
    assert run is not None  # noqa: S101 - the constant rung runs at every size and seed and cannot fail
    assert run.predictions is not None  # noqa: S101 - see above
    return run.predictions
