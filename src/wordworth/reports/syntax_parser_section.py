"""The section of a `syntax` page on the parser: its attachment scores and those of its controls."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import ABSENT, count, exact, in_points, share, signed_points
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import decimal

_OWN = SeriesStyle(6, "circle")
_MEASURES = {"uas": "heads found (UAS)", "las": "heads and relations found (LAS)"}


def parser_captions(view: RecordView) -> dict[str, Caption]:
    """Return name of the chart of the parser -> its caption; empty for a record without a parser."""
    if not (rows := view.rows("parsers")):
        return {}
    own = rows[0]
    title = f"A parser on all layers finds {share(own['uas'])} of the heads, {share(own['las'])} with their relations"
    notes = (
        "A biaffine parser on frozen vectors; every word counts, punctuation too, as in the CoNLL 2018 shared task.",
        "Words and sentences are the treebank's, which makes the task easier than raw text.",
    )
    return {"parsers": Caption(title, notes)}


def parser_figures(view: RecordView) -> list[Figure]:
    """Return the figure of the parser and its controls; empty for a record without a parser."""
    if not (rows := view.rows("parsers")):
        return []
    groups = tuple((what, tuple(_dot(row, name) for row in rows)) for name, what in _MEASURES.items())
    chart = DotChart(groups, "words attached right", share, legend=False)
    pictures = dot_pictures(chart, "parsers")
    return [captioned_figure(view, "parsers", "Attachment scores.", pictures, _table(view, rows))]


def _dot(row: Row, measure: str) -> DotRow:
    dots, described = interval_dots(row, ((_OWN, "share", measure, f"{measure}_"),), share)
    return DotRow(str(row["source"]), dots, described, strong=row["source"] == "model", overlaid=True)


def _table(view: RecordView, rows: list[Row]) -> Grid:
    heads: tuple[str | Column, ...] = (
        Column("parser on", numeric=False),
        *(Column(f"{name.upper()}, %", note=what) for name, what in _MEASURES.items()),
        *(Column(f"{name.upper()} behind", note="how far the model is ahead, in points of 100") for name in _MEASURES),
        Column("mean layer", note="of the parser's mix"),
        Column("held-out loss", note="in nats a word"),
        "words",
    )
    gaps = {(row["other"], row["measure"]): row for row in view.rows("parser_differences")}
    return plain("Every parser", heads, [_cells(row, gaps) for row in rows])


def _cells(row: Row, gaps: dict[tuple[object, object], Row]) -> tuple[str | Cell, ...]:
    scores = [with_interval(row, name, in_points, prefix=f"{name}_") for name in _MEASURES]
    behind = [_gap(gaps.get((row["source"], name))) for name in _MEASURES]
    layer = Cell(ABSENT if row["layer"] is None else decimal(row["layer"], 2), row["layer"])
    return (str(row["source"]), *scores, *behind, layer, Cell(exact(row["loss"]), row["loss"]), count(row["words"]))


def _gap(row: Row | None) -> str | Cell:
    if row is None:
        return ABSENT
    return with_interval(row, "gap", signed_points)
