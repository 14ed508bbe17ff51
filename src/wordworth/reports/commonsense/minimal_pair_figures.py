"""The charts and tables of a `commonsense` page on minimal pairs: accuracy by phenomenon and by paradigm."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.commonsense.record_view import chart_of_phenomena, rows_of_first_method
from wordworth.reports.dots_from_rows import dot_pictures
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, exact, finite, interval, share
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval

_OWN, _PEOPLE, _GPT2 = SeriesStyle(6, "circle"), SeriesStyle(4, "diamond"), SeriesStyle(3, "down")


def phenomenon_figure(view: RecordView, name: str) -> Figure:
    """Return the chart of accuracy by grammatical phenomenon on one set of minimal pairs.

    Published accuracies of people and of GPT-2 are drawn too, if there are any.

    Args:
        view: the record.
        name: name of the set.
    """
    every = [row for row in view.rows("phenomena") if row["set"] == name]
    rows, chart_name = rows_of_first_method(view, name), chart_of_phenomena(name)
    whole = next(row for row in rows if row["name"] == "all")
    ordered = [whole, *sorted((row for row in rows if row is not whole), key=lambda row: -row["accuracy"])]
    chart = DotChart(
        (("", tuple(map(_phenomenon, ordered))),), "share of pairs", share, legend=True, references=((0.5, ""),)
    )
    pictures, table = dot_pictures(chart, chart_name), _pair_table(every, name)
    return captioned_figure(view, chart_name, "Accuracy by phenomenon.", pictures, table)


def _phenomenon(row: Row) -> DotRow:
    dots = [Dot(_OWN, finite(row["accuracy"]), finite(row["low"]), finite(row["high"]), name="this model")]
    described = [(_OWN, f"this model {share(row['accuracy'])}, {interval(row['low'], row['high'], share)}")]
    for style, name, column in ((_PEOPLE, "people", "human"), (_GPT2, "GPT-2", "gpt2")):
        if finite(row[column]) is not None:
            dots.append(Dot(style, finite(row[column]), name=name))
            described.append((style, f"{name} {share(row[column])}"))
    label = str(row["name"]).replace("_", " ")
    return DotRow(label, tuple(dots), tuple(described), strong=row["name"] == "all", overlaid=True)


def _pair_table(rows: list[Row], name: str) -> Grid:
    published = [
        column
        for column in ("human", "ngram", "lstm", "txl", "gpt2")
        if any(finite(row[column]) is not None for row in rows)
    ]
    cells: CellMakers = {
        "name": lambda row: str(row["name"]).replace("_", " "),
        "method": "method",
        "pairs": value("items", count),
        "accuracy": lambda row: with_interval(row, "accuracy"),
        **{column: value(column, exact, why="not published") for column in published},
    }
    return row_table(f"Pairs of {name}", cells, rows, words=("method",))


def paradigm_tables(view: RecordView) -> list[Grid]:
    """Return a table for each set of minimal pairs, with a row for each paradigm and method."""
    rows = view.rows("paradigms")
    return [
        _pair_table([row for row in rows if row["set"] == name], f"{name}, by paradigm")
        for name in dict.fromkeys(str(row["set"]) for row in rows)
    ]
