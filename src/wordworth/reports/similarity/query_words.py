"""The chart of what a query's words contribute to its cosines with the nearest texts and with random texts."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import exact, tick
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.similarity.record_view import largest_parts
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval

_SERIES = (
    (SeriesStyle(6, "circle"), "nearest texts", "mean", ""),
    (SeriesStyle(3, "triangle"), "texts that the other words choose", "others", "others_"),
    (SeriesStyle(0, "square"), "random texts", "random", "random_"),
)


def query_figure(view: RecordView) -> Figure:
    """Return the chart of a query's words that contribute most to its cosines with the nearest texts.

    The chart's table has all words of the query.
    """
    rows = tuple(map(_row, largest_parts(view)))
    chart = DotChart((("", rows),), "part of the cosine, mean over texts", tick, legend=True)
    pictures = dot_pictures(chart, "query-words")
    return captioned_figure(
        view, "query-words", "Parts of the cosine by words of the query.", pictures, _table(view.rows("query_words"))
    )


def _row(row: Row) -> DotRow:
    dots, described = interval_dots(row, _SERIES, exact)
    return DotRow(str(row["word"]), dots, described)


def _table(rows: list[Row]) -> Grid:
    cells = [
        (
            str(row["word"]),
            with_interval(row, "mean"),
            with_interval(row, "share", prefix="share_"),
            with_interval(row, "random", prefix="random_"),
            with_interval(row, "others", prefix="others_"),
            Cell(exact(row["p"]), row["p"]),
        )
        for row in rows
    ]
    heads: tuple[str | Column, ...] = (
        "word",
        Column("nearest texts", note="its part of the cosine, mean over the nearest texts"),
        Column("share", note="of the sum of the cosines with the nearest texts"),
        Column("random texts", note="the mean over all texts, and where 95 % of draws of as many lie"),
        Column("chosen by the others", note="its part in as many texts that are nearest to the rest of the query"),
        Column("p", note="of so large a part there in random texts, corrected for the number of words"),
    )
    return plain("The words of the query", heads, cells)
