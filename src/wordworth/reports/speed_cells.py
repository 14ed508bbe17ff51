"""Cells of the speed of a model that was timed in turn with the whole one."""

from __future__ import annotations

from wordworth.reports.number_format import interval, two_decimals
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell


def milliseconds(speed: Row, batch: int | str, *, whole: str) -> Cell:
    """Return the cell of the milliseconds a text, with how many times as fast a smaller model is under it.

    Args:
        speed: the row of the model.
        batch: the number of texts in a batch.
        whole: the name of the model that speedups are relative to.
    """
    value = speed[f"milliseconds_{batch}"]
    detail = "" if speed["model"] == whole else f"{speed[f'speedup_{batch}']:.2f} times, {_ends(speed, batch)}"
    return Cell(f"{value:.2f}", value, detail=detail)


def speedup(speed: Row, batch: int | str) -> Cell:
    """Return the cell of how many times as fast a model is, with the least and the most over rounds under it."""
    middle = speed[f"speedup_{batch}"]
    return Cell(f"{middle:.2f}", middle, detail=_ends(speed, batch))


def _ends(speed: Row, batch: int | str) -> str:
    return interval(speed[f"speedup_least_{batch}"], speed[f"speedup_most_{batch}"], two_decimals)
