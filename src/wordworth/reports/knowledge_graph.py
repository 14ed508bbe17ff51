"""The page of a `knowledge_graph` record: ranks of missing entities by the model and by frequency, and examples.

The ranks are also shown for each relation.
"""

from __future__ import annotations

from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.dot_intervals import Described, Dot, DotChart, DotRow
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, exact, figures
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval
from wordworth.sentence_formatting import decimal

_MODEL, _FREQUENCY = SeriesStyle(6, "circle"), SeriesStyle(7, "square")
_SHOWN = 12
_TITLES = {
    "mrr": "mean reciprocal rank",
    "hits_1": "first",
    "hits_3": "in the first three",
    "hits_10": "in the first ten",
}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `knowledge_graph` record -> its caption."""
    view = RecordView.of(record)
    return {"scores": _scores_caption(view), "training": _training_caption(view), "relations": _relations_caption(view)}


def _scores_caption(view: RecordView) -> Caption:
    cells = _cells(view)
    own, other = (decimal(cells[system, "mrr"]["value"]) for system in (view.settings["model"], "frequency"))
    note = f"{count(view.data['test'])} test triples, 95 % intervals over them; ranks are filtered."
    return Caption(f"Mean reciprocal rank {own}; by frequency {other}", (note,))


def _training_caption(view: RecordView) -> Caption:
    rows = view.rows("evaluations")
    best = next((row for row in rows if row["kept"]), rows[-1])
    return Caption(f"{decimal(best['mrr'])} on validation triples at the step kept")


def _relations_caption(view: RecordView) -> Caption:
    relations = len(view.rows("relations"))
    return Caption(f"The {_SHOWN} relations that most test triples have" if relations > _SHOWN else "By relation")


def page(record: Record) -> str:
    """Return the page of a `knowledge_graph` record as one self-contained HTML document."""
    view = RecordView.of(record)
    question = f"Knowledge graph · {view.settings['model']} · {view.data['name']}"
    groups = [("How well missing entities are found", [_scores(view), _training(view), _relations(view)])]
    tables = [_examples(view), sources(view, "triples")]
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _scores(view: RecordView) -> Figure:
    """Return the chart of every measure of ranks, for the model and for the baseline by frequency."""
    model, cells = view.settings["model"], _cells(view)
    rows = []
    for measure, title in _TITLES.items():
        series = ((_MODEL, model, model), (_FREQUENCY, "by frequency", "frequency"))
        pairs = [
            interval_dots(cells[system, measure], ((style, name, "value", ""),), exact)
            for style, name, system in series
        ]
        rows.append(DotRow(title, *joined(pairs)))
    chart = DotChart((("", tuple(rows)),), "share, or mean reciprocal rank", "{:g}".format, legend=True)
    cell_makers: CellMakers = {
        "measure": lambda row: _TITLES[row["measure"]],
        "answers": lambda row: "by frequency" if row["system"] == "frequency" else str(row["system"]),
        "value": lambda row: with_interval(row, "value"),
        "tail missing": value("tail", partial(figures, digits=3)),
        "head missing": value("head", partial(figures, digits=3)),
    }
    table = row_table("Ranks of the true entity", cell_makers, view.rows("scores"), words=("answers",))
    return captioned_figure(view, "scores", "Ranks of the true entity.", dot_pictures(chart, "scores"), table)


def _cells(view: RecordView) -> dict[tuple[str, str], Row]:
    """Return (system, measure) -> its row of the table of scores."""
    return {(row["system"], row["measure"]): row for row in view.rows("scores")}


def _training(view: RecordView) -> Figure:
    """Return the chart of the mean reciprocal rank of validation triples by update."""
    rows = view.rows("evaluations")
    points = tuple(Point(row["step"], row["mrr"]) for row in rows)
    axis = HorizontalAxis.of_updates(max(row["step"] for row in rows))
    line = Line("validation triples", _MODEL, points, band=False)
    chart = LineChart((line,), axis, "mean reciprocal rank", "{:g}".format, lambda _, point: decimal(point.value))
    cells: CellMakers = {
        "update": value("step", count),
        "loss": value("loss", partial(figures, digits=3)),
        "mean reciprocal rank": value("mrr", partial(figures, digits=3)),
        "kept": lambda row: "kept" if row["kept"] else "",
    }
    table = row_table("Evaluations on validation triples", cells, rows)
    pictures = drawn(partial(line_chart.draw, chart), "training", height=300)
    return captioned_figure(view, "training", "Mean reciprocal rank by update.", pictures, table)


def _relations(view: RecordView) -> Figure:
    """Return the chart of the mean reciprocal rank by relation; if there are many, of those with most test triples.

    The chart's table has all relations.
    """
    rows = view.rows("relations")
    dots = tuple(DotRow(str(row["relation"]), *_relation_dots(row, view.settings["model"])) for row in rows[:_SHOWN])
    chart = DotChart((("", dots),), "mean reciprocal rank", "{:g}".format, legend=True)
    cells: CellMakers = {
        "relation": "relation",
        "training triples": value("train", count),
        "test triples": value("test", count),
        "mean reciprocal rank": lambda row: with_interval(row, "mrr", why="too few test triples for an interval"),
        "by frequency": value("frequency", partial(figures, digits=3)),
        "first ten": value("hits_10", partial(figures, digits=3)),
    }
    table = row_table("Every relation of the test triples", cells, rows)
    return captioned_figure(
        view, "relations", "Mean reciprocal rank by relation.", dot_pictures(chart, "relations"), table
    )


def _relation_dots(row: Row, model: str) -> tuple[tuple[Dot, ...], Described]:
    by_frequency = row["frequency"]
    words = ((_FREQUENCY, f"by frequency {exact(by_frequency)}"),)
    own = interval_dots(row, ((_MODEL, model, "mrr", ""),), exact)
    return joined((own, ((Dot(_FREQUENCY, by_frequency, name="by frequency"),), words)))


def _examples(view: RecordView) -> Grid:
    cells: CellMakers = {
        "head": "head",
        "relation": "relation",
        "true tail": "tail",
        "rank": value("rank", count),
        "highest scores": lambda row: ", ".join(row["answers"]),
    }
    caption = "Test triples, drawn at random"
    words = ("relation", "true tail", "highest scores")
    return row_table(caption, cells, view.rows("examples"), words=words)
