"""The page of a `shrink` record: smaller models by size and score, and which of them are good enough."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts import scatter
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.scatter import ScatterChart, ScatterPoint
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import (
    count,
    figures,
    interval,
    money,
    points_tick,
    signed_points,
    size_in_bytes,
    two_decimals,
)
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.shrink.record_view import beats_constant, enough, level
from wordworth.reports.speed_cells import milliseconds, speed_by_model
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import points, signed

_STYLES = {
    "whole": SeriesStyle(0, "square"),
    "bfloat16": SeriesStyle(3, "diamond"),
    "int8": SeriesStyle(4, "cross"),
    "layers dropped": SeriesStyle(7, "triangle"),
    "heads removed": SeriesStyle(6, "circle"),
    "another model": SeriesStyle(5, "plus"),
    "static table": SeriesStyle(2, "down"),
    "cut": SeriesStyle(6, "circle"),
    "bits": SeriesStyle(7, "triangle"),
}
_GROUPS = {
    "bfloat16": "number types",
    "int8": "number types",
    "bits": "number types",
    "layers dropped": "layers dropped",
    "heads removed": "heads removed",
    "another model": "other models",
    "static table": "other models",
    "cut": "cut to their first numbers",
}
_FAR, _FAR_MARGINS = 0.08, 4
"""A loss beyond this many points, and this many margins, is written in place of its dot."""
_WITHIN = {"whole": "", "no": "costs more", "cannot tell": "cannot tell"}
_VECTORS = "vectors: "


def page(record: Record) -> str:
    """Return the page of a `shrink` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("What each smaller model costs", [_changes(view), _frontier(view)])]
    tables = [_models(view)]
    if "vectors" in record.tables:
        groups.append(("Stored vectors", [_vectors(view)]))
        tables.append(_forms(view))
    question = f"Smaller models on your labels · {view.data['run']} · {view.data['name']}"
    headline = str(view.verdict["headline"])
    return simple_page(record, headline, groups, tables, question=question, timed=_timed(view))


def _timed(view: RecordView) -> Iterator[str]:
    """Yield the sentence on the fastest of the models whose loss is within the margin.

    Nothing is yielded if there are none, or if the whole model does not beat the constant answer.
    """
    speed = speed_by_model(view)
    within = [row["model"] for row in view.rows("models") if row["within"] == "yes"]
    if not within or not beats_constant(view, "model"):
        return
    fastest = min(within, key=lambda name: speed[name]["milliseconds_32"])
    row, whole = speed[fastest], speed["whole"]
    ends = interval(row["speedup_least_32"], row["speedup_most_32"], two_decimals)
    yield (
        f"Of the models that are enough {fastest} is the fastest: {row['milliseconds_32']:.2f} ms a text in batches of "
        f"32, the whole one {whole['milliseconds_32']:.2f}: {row['speedup_32']:.2f} times ({ends}) as fast, for "
        f"{money(row['price'], '$')} a million texts in place of {money(whole['price'], '$')}."
    )


def _changes(view: RecordView) -> Figure:
    """Return the chart of the change of every smaller model's score, with the margin as a line."""
    return _dots(view, "models", "changes")


def _vectors(view: RecordView) -> Figure:
    """Return the chart of the change of the score by every smaller form of vectors, with the margin as a line."""
    return _dots(view, "vectors", "vectors")


def _dots(view: RecordView, table: str, name: str) -> Figure:
    rows, margin = view.rows(table)[1:], view.verdict["margin"]
    groups: dict[str, list[DotRow]] = {}
    for row in rows:
        groups.setdefault(_GROUPS[row["way"]], []).append(_dot(row, margin))
    chart = DotChart(
        tuple((heading, tuple(every)) for heading, every in groups.items()),
        f"change of {view.data['metric_title']}, points",
        signed,
        include=(0.0, -margin),
        references=((0.0, ""), (-margin, "margin")),
    )
    pictures = dot_pictures(chart, name)
    return captioned_figure(view, name, "Change of the score by model.", pictures)


def _is_far(row: Row, margin: float) -> bool:
    """Return whether a loss is so large that its dot would stretch the axis, and squeeze all other dots together."""
    return bool(row["change"] < -max(_FAR, _FAR_MARGINS * margin))


def _dot(row: Row, margin: float) -> DotRow:
    name = f"{row.get('model') or row['vectors']} · {size_in_bytes(row['bytes'])}"
    style = _STYLES[row["way"]]
    dots, described = interval_dots(row, ((style, "change", "change", "corrected_"),), signed_points)
    if _is_far(row, margin):
        ends = interval(row["corrected_low"], row["corrected_high"], signed_points)
        return DotRow(name, (Dot(style, None),), described, absent=f"{signed(row['change'])} ({ends})")
    return DotRow(name, dots, described, strong=row["within"] == "yes")


def _frontier(view: RecordView) -> Figure:
    """Return the chart of the scores over milliseconds per text."""
    speed = speed_by_model(view)
    rows = view.rows("models")
    whole = rows[0]["score"]
    least = view.verdict["model"]
    chart = ScatterChart(
        tuple(
            ScatterPoint(
                str(row["model"]),
                _STYLES[row["way"]],
                speed[row["model"]]["milliseconds_32"],
                row["score"],
                *_ends(row, whole),
                (f"{points(row['score'])}, {size_in_bytes(row['bytes'])}",),
                strong=row["model"] == least,
                may_leave_axis=_is_far(row, view.verdict["margin"]),
            )
            for row in rows
        ),
        "milliseconds a text, in batches of 32",
        f"{view.data['metric_title']}, points",
        figures,
        points_tick,
        include=(whole, whole - view.verdict["margin"]),
        highest=1.0,
    )
    pictures = drawn(partial(scatter.draw, chart), "frontier", height=340)
    return captioned_figure(view, "frontier", "Score by time.", pictures)


def _ends(row: Row, whole: float) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a smaller model's score; (None, None) for the whole model.

    The ends are the whole model's score plus the ends of the change, at most 1.
    """
    if row["within"] == "whole":
        return None, None
    return whole + row["corrected_low"], min(whole + row["corrected_high"], 1.0)


def _models(view: RecordView) -> Grid:
    speed, rows, words = speed_by_model(view), view.rows("models"), enough(view, "model")
    heads = (
        "model",
        *_compared_heads(words, "of the weights in their number type"),
        Column("ms a text", note="in batches of 32; times as fast as the whole model"),
        Column("one by one", note="ms a text; times as fast as the whole model"),
        Column("a million texts", note="price of the machine's time, in batches of 32"),
        Column("parameters", note="of the encoder"),
    )
    cells: list[tuple[str | Cell, ...]] = [
        (
            str(row["model"]),
            *_compared_cells(row, words),
            *(milliseconds(speed[row["model"]], batch, whole="whole") for batch in (32, 1)),
            Cell(money(speed[row["model"]]["price"], "$"), speed[row["model"]]["price"]),
            count(row["parameters"]),
        )
        for row in rows
    ]
    return plain(f"Every model, each made smaller in one way; intervals of {level(len(rows) - 1)}", heads, cells)


def _forms(view: RecordView) -> Grid:
    speed, rows, words = speed_by_model(view), view.rows("vectors"), enough(view, "vectors")
    note = "from the query's vector on, in batches of 32"
    heads = ("stored as", *_compared_heads(words, "of a text"), Column("ms a text", note=note))
    cells: list[tuple[str | Cell, ...]] = []
    for row in rows:
        took = speed[_VECTORS + str(row["vectors"])]["milliseconds_32"]
        cells.append((str(row["vectors"]), *_compared_cells(row, words), Cell(figures(took), took)))
    return plain(f"Every form of a text's vector; intervals of {level(len(rows) - 1)}", heads, cells)


def _compared_heads(words: str, bytes_note: str) -> tuple[str | Column, ...]:
    """Return the heads of the columns that compare a smaller model or form: verdict, score, change and bytes."""
    return (
        Column(words, numeric=False, note="whether the interval of its change lies within the margin"),
        "score",
        Column("change", note="points, with its interval over rows"),
        Column("bytes", note=bytes_note),
    )


def _compared_cells(row: Row, words: str) -> tuple[Cell, ...]:
    """Return the cells of the columns of `_compared_heads`, for one model or form."""
    score, size = Cell(points(row["score"]), row["score"]), Cell(size_in_bytes(row["bytes"]), row["bytes"])
    return (_verdict(row, words), score, _change(row), size)


def _verdict(row: Row, words: str) -> Cell:
    rows, verdicts = row["rows"], {**_WITHIN, "yes": words}
    return Cell(verdicts[row["within"]], row["within"], detail="" if rows is None else f"about {rows:,} rows would")


def _change(row: Row) -> Cell:
    return Cell("") if row["within"] == "whole" else with_interval(row, "change", signed_points, prefix="corrected_")
