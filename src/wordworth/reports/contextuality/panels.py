"""The panels of a `context` page: a chart of each measure by layer, with its null and the paper's curves in grey.

The null is the value that chance alone would give.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wordworth.reports.captions import caption_of
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.contextuality.record_view import GROUPS, STOP_WORDS, WORDS, Panel, View
from wordworth.reports.figure import Figure
from wordworth.reports.layer_figure import layer_figure
from wordworth.reports.number_format import ABSENT, exact, interval, two_decimals
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, CellMakers, Grid, between, row_table, value

_OTHER_WORDS = SeriesStyle(1, "square")


def panels(view: View) -> list[tuple[str, tuple[Figure, ...]]]:
    """Return the headings of the page in reading order, each with its charts."""
    groups = []
    for title, texts in GROUPS.items():
        figures = [_figure(view, measure, panel) for measure, panel in texts.items() if measure in view.measures]
        figures += [_stop_words(view)] if texts is WORDS and view.stop_words else []
        groups.append((title, tuple(figures)))
    return groups


def _figure(view: View, measure: str, panel: Panel) -> Figure:
    rows = view.measured(measure)
    data = CurvesByLayer((*_published(view, measure), *view.curves(measure)), panel.axis, two_decimals)
    table = _table(caption_of(view, measure).title, rows)
    return layer_figure(view, measure, data, table, description=f"{panel.axis} by layer.", details=panel.note)


def _published(view: View, measure: str) -> Iterator[Curve]:
    rows = [row for row in view.rows("published") if row["measure"] == measure]
    for name in dict.fromkeys(str(row["model"]) for row in rows):
        model_rows = [row for row in rows if row["model"] == name]
        levels = tuple(LayerValue(int(row["layer"]), float(row["value"])) for row in model_rows)
        yield Curve(f"{name} 2019", max(level.layer for level in levels), levels)


def _table(title: str, rows: list[Row]) -> Grid:
    cells: CellMakers = {
        "model": "model",
        "layer": "layer",
        "value": value("value", exact, "occurrences of a word do not differ"),
        "95 %": lambda row: Cell(interval(row["low"], row["high"]) or ABSENT, why="no value"),
        "null": value("null", exact, "this measure has no null"),
        "over": lambda row: f"{row['number']:,} {row['of']}",
    }
    return row_table(title, cells, rows, words=("over",))


def _stop_words(view: View) -> Figure:
    """Return the chart of stop words against other words in the first model with layers."""
    caption, (name, rows) = caption_of(view, STOP_WORDS), next(iter(view.stop_words.items()))
    stop, rest = (view.curve(name, rows, part, ends=(f"{part}_low", f"{part}_high")) for part in ("stop", "rest"))
    curves = replace(stop, name="stop words"), replace(rest, name="other words", style=_OTHER_WORDS)
    data = CurvesByLayer(curves, "self-similarity, not adjusted", two_decimals)
    table = _stop_words_table(caption.title, view.rows("stop_words"))
    return layer_figure(view, STOP_WORDS, data, table, details=caption.notes[0])


def _stop_words_table(title: str, rows: list[Row]) -> Grid:
    means = {"stop words": "stop", "other words": "rest", "difference": "difference"}
    cells: CellMakers = {
        "model": "model",
        "layer": "layer",
        **{head: value(name, exact) for head, name in means.items()},
        "95 %": between,
        "variety of contexts": value("variety", exact, "all words are equally alike"),
    }
    return row_table(title, cells, rows)
