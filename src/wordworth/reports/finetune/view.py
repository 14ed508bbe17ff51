"""A view of a finetune record for its page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import Unit, unit
from wordworth.reports.record_view import RecordView, Row
from wordworth.tasks.task_types import TaskType, of_record

BEST, OTHER, TRIED, FALLEN = (
    SeriesStyle(7, "circle"),
    SeriesStyle(6, "circle"),
    SeriesStyle(0, "circle"),
    SeriesStyle(1, "cross"),
)


@dataclass(frozen=True)
class View(RecordView):
    """The record, its runs, and the style of each."""

    needed = frozenset({"scores", "runs", "looks", "confusion", "classes", "examples"})

    @cached_property
    def unit(self) -> Unit:
        """The unit of the task's metric."""
        return unit(str(self.data["metric"]), str(self.data["metric_title"]))

    @cached_property
    def runs(self) -> list[Row]:
        """The runs with the chosen settings."""
        return [row for row in self.rows("runs") if row["stage"] == "restart"]

    @cached_property
    def task_type(self) -> TaskType:
        """The kind of the task."""
        return of_record(str(self.data["kind"]))

    @property
    def unlearned(self) -> str:
        """A short name of the baseline beside the runs, which needs no model."""
        return self.task_type.wording.baseline_name

    def look(self, run: Row) -> SeriesStyle:
        """The style of a run: the best one is highlighted, runs that learned nothing are crosses."""
        if run["best"]:
            return BEST
        if run["stage"] == "grid":
            return TRIED
        return OTHER if run["state"] == "finished" else FALLEN


def called(run: Row) -> str:
    """The name of a run for readers: its seed, or the settings of one that was tried."""
    if run["stage"] == "restart":
        return f"seed {run['seed']}" + (" (kept)" if run["best"] else "")
    return f"{run['learning_rate']:g}, {run['batch_size']}, {run['epochs']:g}"
