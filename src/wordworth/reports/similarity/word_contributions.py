"""The map of a pair of texts on a `similarity` page: a square for what each two words contribute to the cosine."""

from __future__ import annotations

from functools import partial

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import caption_of
from wordworth.reports.charts import heat_map
from wordworth.reports.charts.heat_map import HeatCell, HeatMap
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import exact, finite
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.similarity.record_view import TextPair
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.sentence_formatting import decimal

_POSITIVE, _NEGATIVE = SeriesStyle(6, "square"), SeriesStyle(7, "square")


def pair_figure(view: RecordView, pair: TextPair) -> Figure:
    """Return the figure of a pair of texts: a map of what each pair of words contributes to the cosine, and a table.

    The table lists the words. For long texts the figure has the table alone.
    """
    table = _words(pair.words)
    if caption_of(view, pair.chart).absent:
        return captioned_figure(view, pair.chart, table=table)
    data = _map(pair.cells, pair.sides)
    pictures = drawn(partial(heat_map.draw, data), pair.chart, height=heat_map.height(data))
    return captioned_figure(view, pair.chart, "Parts of the cosine by the words of both texts.", pictures, table)


def _map(cells: list[Row], sides: list[list[Row]]) -> HeatMap:
    largest = max(abs(cell["value"]) for cell in cells) or 1.0
    by_place = {(cell["first"], cell["second"]): cell["value"] for cell in cells}
    names = [tuple(str(word["word"]) for word in side) for side in sides]
    grid = [
        [
            _cell(by_place[row + 1, column + 1], largest, f"{first} and {second}")
            for column, second in enumerate(names[1])
        ]
        for row, first in enumerate(names[0])
    ]
    return HeatMap(names[0], names[1], grid, "rows: first text · columns: second text")


def _cell(value: float, largest: float, title: str) -> HeatCell:
    written = decimal(100 * value, 1)
    return HeatCell(
        strength=abs(value) / largest,
        style=_NEGATIVE if value < 0 else _POSITIVE,
        text="" if written.strip("−") == "0.0" else written,
        title=title,
        line=f"{decimal(value, 4)} of the cosine",
    )


def _words(words: list[Row]) -> Grid:
    columns = [
        Column("word", numeric=False),
        Column("text", numeric=False),
        Column("part of the cosine", note="the sum of its cells; those of a text add up to the cosine"),
        Column("drop without it", note="the cosine less that without this word, the text read anew"),
    ]
    left_out = any("pooled_drop" in word for word in words)  # records of before have none
    if left_out:
        note = "the cosine less that without this word's states in the pooling, all others as they were"
        columns.append(Column("drop in the pooling", note=note))
    rows = tuple(
        (
            Cell(str(word["word"])),
            Cell({1: "first", 2: "second"}[word["text"]]),
            _cell_of(word, "contribution", "no sum over words"),
            _cell_of(word, "drop", "not left out"),
            *([_cell_of(word, "pooled_drop", "nothing would be left")] if left_out else []),
        )
        for word in words
    )
    return Grid("Words", tuple(columns), rows, sortable=True)


def _cell_of(word: Row, name: str, why: str) -> Cell:
    return Cell(exact(word[name]), finite(word[name]), why="" if word[name] is not None else why)
