"""The map of a pair of texts on a `similarity` page: a square for what each two words contribute to the cosine."""

from __future__ import annotations

from functools import partial

from wordworth.reports.charts import heat_map
from wordworth.reports.charts.heat_map import HeatCell, HeatMap
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import exact, finite, two_decimals
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.sentence_formatting import decimal

MOST_UNITS = 24
"""Most words of a text whose map is drawn: more squares would be too small to see."""
_POSITIVE, _NEGATIVE = SeriesStyle(6, "square"), SeriesStyle(7, "square")


def _of_pair(view: RecordView, table: str, pair: int) -> list[Row]:
    return [row for row in view.rows(table) if row["pair"] == pair]


def pair_figure(view: RecordView, row: Row) -> Figure:
    """Return the figure of a pair of texts: a map of what each pair of words contributes to the cosine, and a table.

    The table lists the words. For long texts the figure has the table alone.
    """
    name, words = f"pair-{row['pair']}", _of_pair(view, "words", row["pair"])
    sides = [[word for word in words if word["text"] == text] for text in (1, 2)]
    cells = _of_pair(view, "cells", row["pair"])
    title = _title(row, cells, sides)
    table = _words(words)
    if not cells or max(map(len, sides)) > MOST_UNITS:
        return Figure(name, title, "", table=table, absent=_absent(row))
    notes = (_agreement(row),)
    pictures = drawn(partial(heat_map.draw, data := _map(cells, sides)), name, height=heat_map.height(data))
    return Figure(name, title, f"Parts of the cosine by the words of both texts. {title}.", pictures, table, notes)


def _absent(row: Row) -> str:
    if row.get("same_words", 0) is None:
        return "The cosine is no sum over words under this pooling: the table has what each word is worth."
    return "The texts are too long to draw: their words are in the table."


def _title(row: Row, cells: list[Row], sides: list[list[Row]]) -> str:
    """Return the title: the cosine and, if cells are known, the two words that contribute most to it."""
    known = [cell for cell in cells if finite(cell["value"]) is not None]
    cosine = f"Pair {row['pair']}: cosine {two_decimals(row['cosine'])}"
    if not known:
        return cosine
    best = max(known, key=lambda cell: cell["value"])
    first, second = (sides[side][best[key] - 1]["word"] for side, key in enumerate(("first", "second")))
    return f"{cosine}, of which {two_decimals(best['value'])} from “{first}” and “{second}”"


def _agreement(row: Row) -> str:
    value = finite(row["agreement"])
    parts = "Numbers are hundredths of the cosine, and add up to it. Orange squares, marked −, take from it."
    if value is None:
        return parts
    return f"{parts} Leaving words out ranks them with a correlation of {decimal(value, 2)}."


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
