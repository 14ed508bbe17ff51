"""The page of a `plan` record: the answer, the table over numbers of test labels, and the pairs of rungs behind it."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.number_format import ABSENT, count, figures, finite, money, share
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Grid, row_table, value
from wordworth.text_format import points


def page(record: Record) -> str:
    """Return the page as one self-contained HTML document."""
    view = RecordView.of(record)
    tables = [_sizes(view), *([_pairs(view)] if view.rows("pairs") else []), sources(view)]
    question = f"Plan · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), (), tables, question=question)


def _sizes(view: RecordView) -> Grid:
    currency = str(view.settings["currency"])
    cells: CellMakers = {
        "test labels": value("labels", count),
        "price": value("price", lambda price: money(price, currency)),
        "lead shown, points": lambda row: _points(row, "difference"),
        "95 % interval, ± points": lambda row: _points(row, "half_width"),
        "least": lambda row: _points(row, "least"),
        "most": lambda row: _points(row, "most"),
    }
    return row_table("What so many test labels show", cells, view.rows("plan"))


def _points(row: Row, name: str) -> Cell:
    """Return a difference in points; an empty cell where the rungs cannot differ by as much as would be shown."""
    known = finite(row[name])
    why = "the rungs disagree on fewer texts than the lead that would be shown"
    return Cell(ABSENT, why=why) if known is None else Cell(points(known))


def _pairs(view: RecordView) -> Grid:
    cells: CellMakers = {
        "cheap rung": "cheap",
        "contextual rung": "contextual",
        "disagree on": lambda row: share(row["disagreement"]),
        "test labels for the margin": value("labels_for_margin", figures, "no number of labels is sure to show it"),
    }
    return row_table(
        "Pairs of rungs, first the one that a study would compare",
        cells,
        view.rows("pairs"),
        words=("contextual rung",),
    )
