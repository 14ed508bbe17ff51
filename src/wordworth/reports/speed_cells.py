"""Table cells and sentences on the speed of smaller models, compared with the whole model that they replace.

Each round of timing measures the smaller models and the whole model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.reports.number_format import interval, two_decimals
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.reports.tables import Cell, Column

_BATCHES = (("32", "in batches of 32"), ("1", "one by one"))


def speed_rows(view: RecordView) -> list[Row]:
    """Return the rows of a record's table of speeds; empty if nothing was timed.

    The first row is of the whole model, which the smaller models in the other rows replace.
    """
    table = view.plain["timings"].get("speed")
    return list(rows_of(table)) if table else []


def speed_by_model(view: RecordView) -> dict[object, Row]:
    """Return name of each model -> its row in the record's table of speeds; empty if nothing was timed."""
    return {row["model"]: row for row in speed_rows(view)}


def speed_lines(speed: Sequence[Row], whole: str) -> Iterator[str]:
    """Yield for each batch size a sentence on the speed of the smaller model.

    Args:
        speed: the row of the whole model and the row of the smaller model; empty if nothing was timed.
        whole: name of the whole model in the sentence.
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
    """Return the columns of milliseconds per text, one for each batch size.

    Args:
        whole: phrase for the model that speedups are relative to, such as `the whole model`.
    """
    return [Column(f"ms a text {how}", note=f"on one thread; times as fast as {whole}") for _, how in _BATCHES]


def speed_cells(speed: Row, *, whole: str) -> list[Cell]:
    """Return a model's cells of milliseconds per text, one for each column of `speed_columns`.

    Args:
        speed: the row of the model.
        whole: name of the model that speedups are relative to.
    """
    return [milliseconds(speed, batch, whole=whole) for batch, _ in _BATCHES]


def milliseconds(speed: Row, batch: int | str, *, whole: str) -> Cell:
    """Return the cell of a model's milliseconds per text, with its speedup under it.

    Args:
        speed: the row of the model.
        batch: number of texts in a batch.
        whole: name of the model that speedups are relative to, whose own cell has no speedup.
    """
    value = speed[f"milliseconds_{batch}"]
    detail = "" if speed["model"] == whole else f"{speed[f'speedup_{batch}']:.2f} times, {_ends(speed, batch)}"
    return Cell(f"{value:.2f}", value, detail=detail)


def speedup(speed: Row, batch: int | str) -> Cell:
    """Return the cell of a model's median speedup over the whole model, and under it the range over rounds of timing.

    Args:
        speed: the row of the model in the table of speeds.
        batch: number of texts in a batch.
    """
    middle = speed[f"speedup_{batch}"]
    return Cell(f"{middle:.2f}", middle, detail=_ends(speed, batch))


def _ends(speed: Row, batch: int | str) -> str:
    return interval(speed[f"speedup_least_{batch}"], speed[f"speedup_most_{batch}"], two_decimals)
