"""`TimePlan`: what a study reads and runs within its budget of time, and how long that takes on this machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.sentence_formatting import duration
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.rows_to_decide import has_test_file
from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.time_plan.forecast import Forecast, forecast
from wordworth.studies.worth.time_plan.scope import Scope
from wordworth.studies.worth.time_plan.speeds import Speeds, measure_learning, measure_reading

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Task

_BUSY = 1.3
"""Least ratio of elapsed time to processor time of a fit at which the machine counts as busy."""


@dataclass(frozen=True, slots=True)
class TimePlan:
    """The scope of a study within its budget of time, and the forecast of its duration.

    Speeds are measured by the clock, so that the budget holds on a machine that other programs use too.

    Attributes:
        scope: what the study reads and runs.
        whole: what the study would read and run without a budget.
        forecast: the seconds that `scope` takes.
        speeds: the measured speeds of this machine.
        busy: whether other programs used the processor while the speeds were measured.
    """

    scope: Scope
    whole: Scope
    forecast: Forecast
    speeds: Speeds
    busy: bool = False

    @property
    def seconds(self) -> dict[str, float]:
        """Name of each part of the study's work -> its forecast in seconds; the whole is named `in all`."""
        parts = {**asdict(self.forecast), "in all": self.forecast.total}
        return {name: round(seconds, 1) for name, seconds in parts.items()}

    def warning(self, settings: WorthSettings) -> Finding | None:
        """Return a warning that names what the study leaves out to keep to its budget; None if nothing is left out."""
        omissions = self.scope.omissions(self.whole)
        if not omissions:
            return None
        numbers = {"rows": self.scope.rows, "of": self.whole.rows, "long_texts": self.scope.long_texts}
        if settings.quick:
            text = (
                f"For an answer in about a minute, {' and '.join(omissions)}: leave out the option quick to use more."
            )
            return Finding("warning.quick", f"{text}{self._while_busy()}", numbers)
        listed, budget, time = "; ".join(omissions), settings.budget, duration(self.forecast.total)
        if self.forecast.total > settings.budget_seconds:
            text = f"{budget} is too little on this machine: although {listed}, the study takes about {time}."
        else:
            text = f"To keep to {budget} on this machine, {listed}: the option budget gives more time."
        return Finding("warning.budget", f"{text}{self._while_busy()}", numbers)

    def _while_busy(self) -> str:
        beside = " Other programs were running while the speed of the machine was measured"
        return f"{beside}: without them, less may be left out." if self.busy else ""


def time_plan(task: Task, settings: WorthSettings, run_context: RunContext, *, limited: bool) -> TimePlan:
    """Measure this machine on a few texts of the task, and return the plan that keeps to the study's budget of time.

    Args:
        task: the task, with all rows that the study would use.
        settings: the study's settings, with its budget; a quick study keeps to a minute instead.
        run_context: threads, and progress, which receives the forecast.
        limited: whether the user set a limit of rows; the plan then leaves out no rows.
    """
    test_rows = len(task.test) if has_test_file(task) else 0
    whole = Scope.of(settings, len(task.used) - test_rows, test_rows)
    tagging = task.type.labels_words
    rungs = rungs_of(task, settings)
    used = {getattr(rung, "model", None) for rung in rungs}
    models = tuple(model for model in settings.models if model in used)
    with run_context.progress.step("measuring this machine", 1 + len(rungs)) as step:
        speeds = measure_reading(task, models, settings.seed, rungs, settings.device)
        step.advance()
        speeds = measure_learning(speeds, task, rungs, settings, step.advance)
    grid, busy = label_grid(task, settings), speeds.slowdown >= _BUSY
    threads = 1 if busy else settings.threads  # other programs leave no processor free for a second fit

    def forecast_of(scope: Scope) -> Forecast:
        return forecast(task, rungs_of(task, settings, scope), grid, scope, speeds, threads)

    def seconds_of(scope: Scope) -> float:
        return forecast_of(scope).total

    if settings.quick:
        scope = whole.within_a_minute(speeds, seconds_of, tagging=tagging, limited=limited)
    else:
        scope = whole.within(
            settings.budget_seconds,
            seconds_of,
            truncate=bool(speeds.long_share) and not tagging,
            limited=limited,
            named=bool(settings.rungs),
        )
    plan = TimePlan(scope, whole, forecast_of(scope), speeds, busy)
    beside = "beside the other programs that run now" if plan.busy else "with nothing else running"
    run_context.progress.note(f"On this machine, {beside}, the study takes {plan.forecast}.")
    return plan
