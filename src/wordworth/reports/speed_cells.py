"""Cells and sentences of the speed of a model that was timed in turn with the whole one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.reports.number_format import interval, two_decimals
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.reports.tables import Cell, Column

_BATCHES = (("32", "in batches of 32"), ("1", "one by one"))


def speed_rows(view: RecordView) -> list[Row]:
    """Return the rows of a record's table of speeds, the whole model's first; empty where none were timed."""
    table = view.plain["timings"].get("speed")
    return list(rows_of(table)) if table else []


def speed_by_model(view: RecordView) -> dict[object, Row]:
    """Return the rows of a record's table of speeds by the name of the model; empty where none were timed."""
    return {row["model"]: row for row in speed_rows(view)}


def speed_lines(speed: Sequence[Row], whole: str) -> Iterator[str]:
    """Yield a sentence for each batch size on how fast the smaller model is; nothing where none were timed.

    Args:
        speed: a row of the whole model, then one of the smaller model; none where none were timed.
        whole: what the whole model is called.
    """
    if not speed:
        return
    large, small = speed
    for batch, how in _BATCHES:
        middle, least, most = (small[f"{name}_{batch}"] for name in ("speedup", "speedup_least", "speedup_most"))
        yield (
            f"{small[f'milliseconds_{batch}']:.2f} ms a text {how}, {whole} {large[f'milliseconds_{batch}']:.2f}: "
            f"{middle:.2f} times ({least:.2f} to {most:.2f}) as fast."
        )


def speed_columns(whole: str) -> list[Column]:
    """Return the columns of the milliseconds a text, one for each size of a batch.

    Args:
        whole: what the model that speedups are relative to is called in a sentence.
    """
    return [Column(f"ms a text {how}", note=f"on one thread; times as fast as {whole}") for _, how in _BATCHES]


def speed_cells(speed: Row, *, whole: str) -> list[Cell]:
    """Return the cells of a model in the `speed_columns`.

    Args:
        speed: the row of the model.
        whole: the name of the model that speedups are relative to.
    """
    return [milliseconds(speed, batch, whole=whole) for batch, _ in _BATCHES]


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
