"""The forecast of a study's time on this machine, phase by phase, from measured speeds.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordworth.representations.distilled_vectors import MOST_CHARACTERS
from wordworth.representations.encoder_training_rung import TrainedEncoderRung
from wordworth.sentence_formatting import duration
from wordworth.studies.worth.running_costs import TIMED
from wordworth.studies.worth.time_plan.fit_seconds import FitSeconds

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.time_plan.scope import Scope
    from wordworth.studies.worth.time_plan.speeds import Speeds
    from wordworth.tasks.task import Task

_DISTILLING = 1.5
"""Time of a static table's distillation, as a multiple of the encoder's pass over its texts."""
_SIDE_BY_SIDE, _ONE_INTERPRETER = 1.15, 1.75
"""Factors by which fits in several threads take longer than one alone, including the wait for the last one: where some
are in processes of their own, as fine-tuning is, and where all take turns at Python's lock."""
_START_S, _ANSWERS_S, _VERDICT_S = 3.0, 0.8, 0.001
"""Seconds of the start, of timing the answers of one rung, and of the bootstrap for each test item."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The seconds that a study is expected to take, by part of the work, on a machine as busy as when it was measured.

    Attributes:
        reading: seconds in which encoders encode the texts, including the distillation of static tables.
        finetuning: wall-clock seconds of all fine-tuning runs.
        fits: wall-clock seconds of the fits of other rungs.
        rest: seconds of starting, of measuring the speed of answers, and of computing the verdict.
    """

    reading: float
    finetuning: float
    fits: float
    rest: float

    @property
    def total(self) -> float:
        """The seconds that the whole study is expected to take."""
        return self.reading + self.finetuning + self.fits + self.rest

    def __str__(self) -> str:
        """Return the forecast in words.

        >>> print(Forecast(30.0, 200.0, 60.0, 14.0))
        about 5 min: reading the texts 30 s, fine-tuning 3 min, other fits 1 min, the rest 14 s
        """
        parts = {"reading the texts": self.reading, "fine-tuning": self.finetuning, "other fits": self.fits}
        listed = [f"{name} {duration(seconds)}" for name, seconds in parts.items() if round(seconds)]
        return f"about {duration(self.total)}: {', '.join([*listed, f'the rest {duration(self.rest)}'])}"


def forecast(
    task: Task, rungs: Sequence[Rung], whole: LabelGrid, scope: Scope, speeds: Speeds, threads: int
) -> Forecast:
    """Return the seconds that a study of a given scope is expected to take, by part of the work.

    Args:
        task: the task with all its rows.
        rungs: the rungs that the scope includes.
        whole: the label grid (subsets and sizes) of all rows.
        scope: what the study reads and runs.
        speeds: the measured speeds of this machine.
        threads: number of fits at the same time.
    """
    share = scope.rows / max(1, len(task.used) - scope.test_rows)
    test_items = scope.test_rows or share * len(task.test)
    grid = whole.scaled(share, few_runs=scope.few_runs)
    per_text = speeds.truncated_seconds if scope.long_texts == "cut" else speeds.windowed_seconds
    reading = (scope.rows + scope.test_rows) * per_text
    distilled = _DISTILLING * speeds.windowed_seconds * min(_distilled_texts(task), scope.rows) if scope.distil else 0.0
    one_fit = FitSeconds.of(task, speeds, test_items)
    finetuning = sum(
        one_fit(rung, labels) for rung in rungs if isinstance(rung, TrainedEncoderRung) for labels, _ in grid.runs(rung)
    )
    fits = sum(one_fit(rung, labels) for rung in rungs if not rung.slow for labels, _ in grid.runs(rung))
    a_thread = _SIDE_BY_SIDE / threads
    a_fit = a_thread if finetuning or threads == 1 else _ONE_INTERPRETER / threads
    answered = min(TIMED, test_items) * sum(rung.contextual and not rung.slow for rung in rungs)
    rest = _START_S + _ANSWERS_S * len(rungs) + per_text * answered + _VERDICT_S * test_items
    return Forecast(reading + distilled, a_thread * finetuning, a_fit * fits, rest)


def _distilled_texts(task: Task) -> float:
    """Return how many training texts a static table is made from."""
    characters = sum(map(len, task.examples.first)) / max(1, len(task.examples))
    return min(float(len(task.train)), MOST_CHARACTERS / max(1.0, characters))
