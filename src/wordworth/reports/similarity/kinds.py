"""What the cosines of many pairs are made of, beside those of random pairs: a chart and its table."""

from __future__ import annotations

from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure
from wordworth.reports.interval_dots import dot_pictures
from wordworth.reports.number_format import exact, finite, interval, tick, two_decimals
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Grid, plain

_PAIRS, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(0, "square")
_TOTAL = "cosine"


def kinds_figure(view: RecordView) -> Figure:
    """Return the chart of the mean part of each kind of cells, for the pairs and for random pairs."""
    rows = view.rows("kinds")
    gaps = [row for row in rows if row["kind"] != _TOTAL and finite(row["gap"]) is not None]
    title = _title(gaps) if gaps else "Pairs beside random pairs"
    chart = DotChart((("", tuple(_row(row) for row in rows)),), "mean part of the cosine", tick, legend=True)
    pictures = dot_pictures(chart, "kinds")
    notes = ("Dots with 95 % intervals over pairs. A random pair has the second text of another pair.",)
    return Figure("kinds", title, f"Mean parts of the cosine by kind of cells. {title}.", pictures, _table(rows), notes)


def _title(gaps: list[Row]) -> str:
    best = max(gaps, key=lambda row: row["gap"])
    return f"Most of the difference, {two_decimals(best['gap'])}, is from {best['kind']}"


def _row(row: Row) -> DotRow:
    dots = (
        Dot(_PAIRS, finite(row["mean"]), finite(row["low"]), finite(row["high"]), name="pairs"),
        Dot(_RANDOM, finite(row["random"]), finite(row["random_low"]), finite(row["random_high"]), name="random pairs"),
    )
    described = (
        (_PAIRS, f"pairs {exact(row['mean'])}, {interval(row['low'], row['high'])}"),
        (_RANDOM, f"random pairs {exact(row['random'])}, {interval(row['random_low'], row['random_high'])}"),
    )
    return DotRow(str(row["kind"]), dots, described, strong=row["kind"] == _TOTAL)


def _table(rows: list[Row]) -> Grid:
    cells = [
        (
            str(row["kind"]),
            Cell(exact(row["mean"]), detail=interval(row["low"], row["high"])),
            Cell(exact(row["random"]), detail=interval(row["random_low"], row["random_high"])),
            Cell(exact(row["gap"]), detail=interval(row["gap_low"], row["gap_high"])),
        )
        for row in rows
    ]
    heads = ("part", "pairs", "random pairs", "difference")
    return plain("What the cosines are made of, with 95 % intervals", heads, cells)
