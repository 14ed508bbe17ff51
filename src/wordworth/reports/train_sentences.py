"""The page of a `train_sentences` record: the training loss, and the score on the dev part during training."""

from __future__ import annotations

from functools import partial

from wordworth.records import Record
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, figures, finite, two_decimals
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Cell, CellMakers, row_table, value

_LOSS, _DEV = SeriesStyle(1, "circle"), SeriesStyle(6, "square")


def page(record: Record) -> str:
    """Return the page of a `train_sentences` record as one self-contained HTML document."""
    view = RecordView.of(record)
    question = f"Sentence vectors · {view.data['model']} · {view.data['name']}"
    groups = [("Training", [figure for figure in (_loss(view), _dev(view)) if figure is not None])]
    return simple_page(record, str(view.verdict["headline"]), groups, [sources(view)], question=question)


def _loss(view: RecordView) -> Figure:
    """Return the chart of the training loss by update."""
    points = tuple(Point(row["step"], row["loss"]) for row in view.rows("losses"))
    cells: CellMakers = {"update": value("step", count), "loss": lambda row: figures(finite(row["loss"]), 3)}
    title = f"The loss went from {figures(points[0].value, 3)} to {figures(points[-1].value, 3)}"
    line = Line("training loss", _LOSS, points, band=False)
    chart = LineChart(
        (line,), _updates(view), "training loss", "{:g}".format, lambda _, point: f"loss {figures(point.value, 3)}"
    )
    pictures = drawn(partial(line_chart.draw, chart), "loss", height=300)
    table = row_table("Training loss", cells, view.rows("losses"))
    return Figure("loss", title, f"Training loss by update. {title}.", pictures, table)


def _dev(view: RecordView) -> Figure | None:
    """Return the chart of the dev part's score by update, from 0 (before training); None without a dev part."""
    rows = view.rows("evaluations")
    if not rows:
        return None
    by_loss = view.data["judged_by"] == "loss"

    def write(score: float) -> str:
        return figures(score, 3) if by_loss else two_decimals(100 * score)

    axis = "loss, dev part" if by_loss else "Spearman × 100, dev part"
    scale = 1.0 if by_loss else 100.0
    points = tuple(Point(row["step"], scale * row["score"]) for row in rows)
    kept = next((row for row in rows if row["kept"]), rows[-1])
    title = f"{write(rows[0]['score'])} before training, {write(kept['score'])} at the step kept"
    line = Line("dev part", _DEV, points, band=False)
    chart = LineChart((line,), _updates(view), axis, "{:g}".format, lambda _, point: write(point.value / scale))
    cells: CellMakers = {
        "update": value("step", count),
        axis: lambda row: Cell(write(row["score"]), row["score"]),
        "kept": lambda row: "kept" if row["kept"] else "",
    }
    pictures = drawn(partial(line_chart.draw, chart), "dev", height=300)
    table = row_table("Evaluations on the dev part", cells, rows)
    notes = (f"{count(view.data['dev'])} rows that were not learned from; they chose the step.",)
    return Figure("dev", title, f"{axis} by update. {title}.", pictures, table, notes)


def _updates(view: RecordView) -> HorizontalAxis:
    return HorizontalAxis.of_updates(max(row["step"] for row in view.rows("losses")))
