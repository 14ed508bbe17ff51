"""The chart of zero-shot accuracy after fine-tuning with frozen layers, of a `languages` record."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import in_points
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Column, Field, table_of, value, with_interval
from wordworth.sentence_formatting import count_of, points

_SOURCE, _OTHERS = SeriesStyle(6, "circle"), SeriesStyle(7, "diamond")


def caption(view: RecordView) -> Caption:
    """Return the caption of the chart of accuracy by number of layers frozen in fine-tuning."""
    source, runs = view.data["source"], count_of(int(view.rows("frozen")[0]["runs"]), "run")
    notes = (
        f"Accuracy with 95 % intervals over {runs} and test texts; the diamond is the mean of all other languages.",
        "The number of epochs and the learning rate are fixed: nothing is chosen on texts of other languages.",
    )
    return Caption(f"Fine-tuned on {source}, in {source} and in the other languages", notes)


def figure(view: RecordView) -> Figure:
    """Return the chart of accuracy by number of layers frozen in fine-tuning.

    The chart has a line for the source language, and one for the mean of the other languages.
    """
    rows, source = view.rows("frozen"), str(view.data["source"])
    groups = tuple(
        (
            heading,
            tuple(
                _row(level, [row for row in rows if (row["system"], row["frozen"]) == (system, level)], source)
                for level in dict.fromkeys(row["frozen"] for row in rows if row["system"] == system)
            ),
        )
        for system, heading in (("model", "the model"), ("random weights", "random weights"))
    )
    fields: list[Field] = [
        (Column("weights", numeric=False), lambda row: str(row["system"])),
        (Column("frozen", numeric=False), lambda row: _level(row["frozen"])),
        (Column("language", numeric=False), lambda row: str(row["language"] or "mean of the others")),
        (Column("accuracy, %"), lambda row: with_interval(row, "accuracy", in_points, prefix="accuracy_")),
        (Column("deviation of runs, points"), value("deviation", in_points)),
    ]
    table = table_of("Fine-tuned with frozen layers", fields, rows)
    chart = DotChart(groups, "accuracy, %", points, references=(), legend=True)
    pictures = dot_pictures(chart, "frozen")
    return captioned_figure(view, "frozen", pictures=pictures, table=table)


def _row(level: int, rows: list[Row], source: str) -> DotRow:
    series = ((_SOURCE, source, source), (_OTHERS, "the other languages", None))
    dots, described = joined(
        [
            interval_dots(row, ((style, name, "accuracy", "accuracy_"),), in_points)
            for style, name, language in series
            for row in rows
            if row["language"] == language
        ]
    )
    return DotRow(_level(level), dots, described, overlaid=True)


def _level(level: int) -> str:
    return {-1: "nothing", 0: "embeddings"}.get(level, f"embeddings and {count_of(level, 'layer')}")
