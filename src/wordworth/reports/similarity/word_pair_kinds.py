"""The charts of a `similarity` page on many pairs of texts: what each kind of word pair contributes to the cosine.

Random pairs of texts, and a model with random weights, are drawn for comparison.
"""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import exact, tick
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.similarity.record_view import TOTAL, with_random_weights
from wordworth.reports.tables import Cell, Grid, plain, with_interval

_PAIRS, _RANDOM, _UNTRAINED = SeriesStyle(6, "circle"), SeriesStyle(0, "square"), SeriesStyle(2, "triangle")


def kinds_figure(view: RecordView) -> Figure:
    """Return the chart of what each kind of word pairs contributes to the cosine, averaged over pairs of texts.

    Random pairs of texts are drawn for comparison. The kinds are pairs of the same word, pairs of different words, and
    pairs with special tokens.
    """
    rows = view.rows("kinds")
    chart = DotChart((("", tuple(_row(row) for row in rows)),), "mean part of the cosine", tick, legend=True)
    return captioned_figure(
        view, "kinds", "Mean parts of the cosine by kind of cells.", dot_pictures(chart, "kinds"), _table(rows)
    )


def weights_figure(view: RecordView) -> Figure:
    """Return the chart of what each kind of word pair contributes to the cosine, minus its part for random pairs.

    A random pair has the second text of another pair. The chart has these differences for the model, and for a model of
    the same shape with random weights.
    """
    both = with_random_weights(view)
    rows = tuple(_weights_row(*each) for each in both)
    chart = DotChart((("", rows),), "pairs less random pairs, part of the cosine", tick, legend=True)
    cells: list[tuple[Cell | str, ...]] = [
        (str(row["kind"]), *(with_interval(each, "gap", prefix="gap_") for each in (row, random)))
        for row, random in both
    ]
    table = plain("Pairs less random pairs, with 95 % intervals", ("part", "this model", "random weights"), cells)
    pictures = dot_pictures(chart, "random-weights")
    return captioned_figure(view, "random-weights", pictures=pictures, table=table)


def _weights_row(row: Row, untrained: Row) -> DotRow:
    own, own_words = interval_dots(row, ((_PAIRS, "this model", "gap", "gap_"),), exact)
    other, other_words = interval_dots(untrained, ((_UNTRAINED, "random weights", "gap", "gap_"),), exact)
    return DotRow(str(row["kind"]), own + other, own_words + other_words, strong=row["kind"] == TOTAL)


def _row(row: Row) -> DotRow:
    series = ((_PAIRS, "pairs", "mean", ""), (_RANDOM, "random pairs", "random", "random_"))
    dots, described = interval_dots(row, series, exact)
    return DotRow(str(row["kind"]), dots, described, strong=row["kind"] == TOTAL)


def _table(rows: list[Row]) -> Grid:
    cells = [
        (
            str(row["kind"]),
            with_interval(row, "mean"),
            with_interval(row, "random", prefix="random_"),
            with_interval(row, "gap", prefix="gap_"),
        )
        for row in rows
    ]
    heads = ("part", "pairs", "random pairs", "difference")
    return plain("What the cosines are made of, with 95 % intervals", heads, cells)
