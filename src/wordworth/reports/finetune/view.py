"""A finetune record made ready to be told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import Unit, unit
from wordworth.reports.record_view import RecordView, Row

BEST, OTHER, TRIED, FALLEN = (
    SeriesStyle(7, "circle"),
    SeriesStyle(6, "circle"),
    SeriesStyle(0, "circle"),
    SeriesStyle(1, "cross"),
)


@dataclass(frozen=True)
class View(RecordView):
    """The record, its runs, and how each of them is drawn."""

    @cached_property
    def unit(self) -> Unit:
        """How the task's metric is written."""
        return unit(str(self.data["metric"]), str(self.data["metric_title"]))

    @cached_property
    def runs(self) -> list[Row]:
        """The runs of the settings chosen."""
        return [row for row in self.rows("runs") if row["stage"] == "restart"]

    @property
    def unlearned(self) -> str:
        """What needs no model and stands beside the runs, in three words."""
        return "guessing" if self.data["kind"] == "choice" else "the same of all"

    def look(self, run: Row) -> SeriesStyle:
        """How a run is drawn: the kept one stands out, those that learned nothing are crosses."""
        if run["best"]:
            return BEST
        if run["stage"] == "grid":
            return TRIED
        return OTHER if run["state"] == "finished" else FALLEN


def called(run: Row) -> str:
    """What a reader calls a run: its seed, or of a tried one its settings."""
    if run["stage"] == "restart":
        return f"seed {run['seed']}" + (" (kept)" if run["best"] else "")
    return f"{run['rate']:g}, {run['batch']}, {run['epochs']:g}"
