"""The tables of a staged transfer on a `finetune` page: its controls with the gain over each, and all stages."""

from __future__ import annotations

from collections.abc import Callable

from wordworth.reports.finetune.record_view import FinetuneView
from wordworth.reports.number_format import count, finite, signed_points, unit
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, row_table, value, with_interval

_FAILED = "no run ended"
_GAIN = Column("gain of the transfer", note="score after the transfer minus the control's, paired by seed")


def controls(view: FinetuneView) -> Grid | None:
    """Return the table of control runs of a staged transfer, each with the gain of the staged transfer over it.

    A staged transfer fine-tunes a model on other tasks before the target task. The result is None for a record without
    controls.
    """
    rows = view.rows("controls")
    cells: CellMakers = {
        "control": "arm",
        "test": lambda row: with_interval(row, "mean", _in_unit(view), why=_FAILED),
        _GAIN: lambda row: with_interval(row, "gain", signed_points, prefix="gain_", why=_FAILED),
        "seeds": value("runs", count),
    }
    return row_table("What the transfer gains over each control", cells, rows) if rows else None


def stages(view: FinetuneView) -> Grid | None:
    """Return the table of the stages of a staged transfer; None for a record of a single fine-tuning.

    A staged transfer fine-tunes a model on other tasks before the target task.
    """
    rows = view.rows("stages")

    def score(row: Row) -> Cell:
        write = unit(str(row["metric"])).score
        return with_interval(row, "mean", lambda number: write(finite(number)), why=_FAILED)

    cells: CellMakers = {
        "way to the target": "arm",
        "stage": value("stage", count),
        "task": "task",
        "test": score,
        "training": value("train", count),
        "updates": value("steps", count),
        "rate": lambda row: Cell(f"{row['learning_rate']:g}", row["learning_rate"]),
        "output layer": "output",
    }
    return row_table("All stages", cells, rows, words=("task", "output layer")) if rows else None


def _in_unit(view: FinetuneView) -> Callable[[object], str]:
    return lambda number: view.unit.score(finite(number))
