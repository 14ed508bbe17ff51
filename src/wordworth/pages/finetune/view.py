"""A finetune record made ready to be told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordworth.pages.charts.palette import Look
from wordworth.pages.numbers import Unit, unit
from wordworth.records import Record

Row = Mapping[str, Any]
BEST, OTHER, TRIED, FALLEN = Look(7, "circle"), Look(6, "circle"), Look(0, "circle"), Look(1, "cross")


@dataclass(frozen=True)
class View:
    """The record as its JSON file would hold it, so that a page is the same before and after saving."""

    plain: Mapping[str, Any]

    @classmethod
    def of(cls, record: Record) -> View:
        """The view of a record."""
        return cls(json.loads(record.to_json()))

    @property
    def data(self) -> Row:
        """What was learned from: name, kind, metric, counts, sources."""
        return self.plain["data"]  # type: ignore[no-any-return]  # JSON has any type

    @property
    def settings(self) -> Row:
        """What was asked for, and what was chosen for it."""
        return self.plain["settings"]  # type: ignore[no-any-return]  # JSON has any type

    @cached_property
    def unit(self) -> Unit:
        """How the task's metric is written."""
        return unit(str(self.data["metric"]), str(self.data["metric_title"]))

    @cached_property
    def verdict(self) -> Row:
        """The numbers behind the verdict."""
        found = self.findings("verdict")
        return found[0]["numbers"] if found else {}

    @cached_property
    def runs(self) -> list[Row]:
        """The runs of the settings chosen."""
        return [row for row in self.rows("runs") if row["stage"] == "restart"]

    def rows(self, table: str) -> list[Row]:
        """A table of the record row by row."""
        columns: Mapping[str, Sequence[Any]] = self.plain["tables"][table]["columns"]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def findings(self, prefix: str) -> list[Row]:
        """The findings named `prefix` or `prefix.*`."""
        return [row for row in self.plain["findings"] if row["name"].split(".")[0] == prefix]

    def look(self, run: Row) -> Look:
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
