"""The page and the terminal text of a `plan` record: the difference that each number of test labels would detect."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wordworth.records import Record
from wordworth.reports.number_format import ABSENT, count, figures, finite, money, share
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Grid, row_table, value
from wordworth.sentence_formatting import points

TO_LABEL = "verdict.to_label"
"""The name of the finding about the texts to label next."""


def page(record: Record) -> str:
    """Return the page of a `plan` record as one self-contained HTML document."""
    view = RecordView.of(record)
    optional = [make(view) for name, make in (("pairs", _pairs), ("label_value", _label_value)) if view.rows(name)]
    question = f"Plan · {view.data['name']}"
    tables = [_sizes(view), *optional, sources(view)]
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
    """Return the cell of a difference in points; empty if the rungs cannot differ by as much as could be detected."""
    known = finite(row[name])
    why = "the rungs surely disagree on fewer texts than the lead that would be shown"
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


def _label_value(view: RecordView) -> Grid:
    cells: CellMakers = {
        "cheap rung": "cheap",
        "contextual rung": "contextual",
        "texts to label": value("labels", count),
        "as much as, drawn evenly": value("even_labels", figures),
    }
    return row_table(
        "What the texts to label next say about each pair, and how many drawn evenly would say as much",
        cells,
        view.rows("label_value"),
        words=("contextual rung",),
    )


def terminal_text(record: Record) -> str:
    """Return the verdict and the table of a plan as text."""
    rows, currency = record.tables["plan"].rows(), str(record.settings["currency"])
    head = ["test labels", "price", "lead shown", "95 % interval", "least to most"]
    lines = [head, *(_cells(row, currency) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    over = "pairs of a cheap and a contextual rung" if "pairs" in record.tables else "published sets"
    none = (
        "; none: the rungs surely disagree on fewer texts"
        if any("none" in cell for line in lines for cell in line)
        else ""
    )
    note = f"Leads and intervals are in points of accuracy; least to most is over {over}{none}."
    chosen = [finding.text for finding in record.findings if finding.name == TO_LABEL]
    return "\n".join([record.verdict, "", *table, "", note, *chosen])


def _cells(row: Mapping[str, Any], currency: str) -> list[str]:
    price, among = money(row["price"], currency), f"{_points_or_none(row['least'])} to {_points_or_none(row['most'])}"
    return [f"{row['labels']:,}", price, _points_or_none(row["difference"]), f"± {points(row['half_width'])}", among]


def _points_or_none(difference: float) -> str:
    """Return a difference in points; "none" if the rungs cannot differ by as much as could be detected."""
    return "none" if math.isinf(difference) else points(difference)
