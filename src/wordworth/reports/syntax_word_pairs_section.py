"""The section of a `syntax` page on pairs of words: the attention probe, and the lengths of tree edges by relation."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined, published_dot
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, exact, in_points, share, tick
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import join_words

_OWN = SeriesStyle(6, "circle")


def pair_captions(view: RecordView) -> dict[str, Caption]:
    """Return name of each chart of pairs of words -> its caption; charts that were not measured have no caption."""
    pairs, edges = view.rows("pairs"), view.rows("edge_lengths")
    return {
        **({"pairs": _attention_caption(pairs)} if pairs else {}),
        **({"edges": _edges_caption(edges)} if edges else {}),
    }


def _attention_caption(rows: list[Row]) -> Caption:
    answers = [f"“{row['task']}” in {share(row['accuracy'])}" for row in _on_attention(rows)]
    notes = (
        "A linear classifier of all heads' weights between two words, beside one that knows their distance alone.",
        "Published: BERT-base on other text, pairs without a relation drawn at any distance.",
    )
    return Caption(f"Heads' weights answer {join_words(answers)}", notes)


def _on_attention(rows: list[Row]) -> list[Row]:
    """Return the row of each question that is answered from the model's own attention."""
    return [row for row in rows if row["source"] == "attention"]


def _edges_caption(rows: list[Row]) -> Caption:
    least, most = (f"{exact(row['length'])} ({row['relation']})" for row in (rows[0], rows[-1]))
    return Caption(f"Under the probe edges are {least} to {most} long")


def pair_figures(view: RecordView) -> list[Figure]:
    """Return the figure of the attention probe, and the figure of the mean lengths of edges in drawings of trees.

    A figure whose numbers were not measured is left out.
    """
    return [*_attention(view), *_edge_lengths(view)]


def _attention(view: RecordView) -> list[Figure]:
    """Return the chart of the accuracy of a linear classifier that reads the attention between two words.

    The list is empty if this was not measured.
    """
    rows = view.rows("pairs")
    if not rows:
        return []
    groups = tuple(
        (
            f"{row['task']} ({row['classes']} classes)",
            tuple(_pair(each) for each in rows if each["task"] == row["task"]),
        )
        for row in _on_attention(rows)
    )
    chart = DotChart(groups, "pairs classified right", share, legend=True)
    pictures = dot_pictures(chart, "pairs")
    return [captioned_figure(view, "pairs", "Accuracy on pairs of words.", pictures, _pair_table(rows))]


def _pair(row: Row) -> DotRow:
    pairs = [interval_dots(row, ((_OWN, "this model", "accuracy", ""),), share), published_dot(row, share)]
    return DotRow(str(row["source"]), *joined(pairs), strong=row["source"] == "attention", overlaid=True)


def _pair_table(rows: list[Row]) -> Grid:
    heads = ("question", Column("read", numeric=False), "right, %", Column("published", note="for BERT-base"), "pairs")
    cells = [
        (
            str(row["task"]),
            str(row["source"]),
            with_interval(row, "accuracy", in_points),
            Cell(in_points(row["published"]), row["published"]),
            Cell(count(row["pairs"]), row["pairs"]),
        )
        for row in rows
    ]
    return plain("Classifiers of two words", heads, cells)


def _edge_lengths(view: RecordView) -> list[Figure]:
    """Return the chart of the mean length of the edges of each relation under the distance probe."""
    rows = view.rows("edge_lengths")
    if not rows:
        return []
    dots = tuple(
        DotRow(str(row["relation"]), *interval_dots(row, ((_OWN, "length", "length", ""),), exact), overlaid=True)
        for row in rows
    )
    chart = DotChart((("", dots),), "mean predicted distance from the head", tick, references=((1.0, "true"),))
    pictures = dot_pictures(chart, "edges")
    heads = ("relation", "words", Column("length", note="1 is true, with its 95 % interval"))
    cells = [
        (
            str(row["relation"]),
            Cell(count(row["words"]), row["words"]),
            with_interval(row, "length"),
        )
        for row in rows
    ]
    table = plain("Length of edges by relation", heads, cells)
    return [captioned_figure(view, "edges", "Length of edges by relation.", pictures, table)]
