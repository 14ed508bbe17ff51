"""The page of a `train_sentences` record: the training loss, and the score on the dev part during training."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, figures, finite, two_decimals
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Cell, CellMakers, row_table, value

_LOSS, _DEV = SeriesStyle(1, "circle"), SeriesStyle(6, "square")


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `train_sentences` record -> its caption."""
    view = RecordView.of(record)
    by_chart = {"loss": _loss_caption(view)}
    return by_chart | ({"dev": _dev_caption(view)} if view.rows("evaluations") else {})


def _loss_caption(view: RecordView) -> Caption:
    rows = view.rows("losses")
    first, last = (figures(finite(row["loss"]), 3) for row in (rows[0], rows[-1]))
    return Caption(f"The loss went from {first} to {last}")


def _dev_caption(view: RecordView) -> Caption:
    rows, write = view.rows("evaluations"), _score_writer(view)
    chosen = next((row for row in rows if row["kept"]), rows[-1])
    title = f"{write(rows[0]['score'])} before training, {write(chosen['score'])} at the step kept"
    return Caption(title, (f"{count(view.data['dev'])} rows that were not learned from; they chose the step.",))


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
    line = Line("training loss", _LOSS, points, band=False)
    chart = LineChart(
        (line,), _updates(view), "training loss", "{:g}".format, lambda _, point: f"loss {figures(point.value, 3)}"
    )
    pictures = drawn(partial(line_chart.draw, chart), "loss", height=300)
    table = row_table("Training loss", cells, view.rows("losses"))
    return captioned_figure(view, "loss", "Training loss by update.", pictures, table)


def _dev(view: RecordView) -> Figure | None:
    """Return the chart of the dev part's score by update, from 0 (before training); None without a dev part."""
    rows = view.rows("evaluations")
    if not rows:
        return None
    write = _score_writer(view)
    axis, scale = ("loss, dev part", 1.0) if _judged_by_loss(view) else ("Spearman × 100, dev part", 100.0)
    points = tuple(Point(row["step"], scale * row["score"]) for row in rows)
    line = Line("dev part", _DEV, points, band=False)
    chart = LineChart((line,), _updates(view), axis, "{:g}".format, lambda _, point: write(point.value / scale))
    cells: CellMakers = {
        "update": value("step", count),
        axis: lambda row: Cell(write(row["score"]), row["score"]),
        "kept": lambda row: "kept" if row["kept"] else "",
    }
    pictures = drawn(partial(line_chart.draw, chart), "dev", height=300)
    table = row_table("Evaluations on the dev part", cells, rows)
    return captioned_figure(view, "dev", f"{axis} by update.", pictures, table)


def _judged_by_loss(view: RecordView) -> bool:
    return bool(view.data["judged_by"] == "loss")


def _score_writer(view: RecordView) -> Callable[[float], str]:
    """Return the function that writes a score on the dev part: a loss, or a correlation times 100."""
    if _judged_by_loss(view):
        return partial(figures, digits=3)
    return lambda score: two_decimals(100 * score)


def _updates(view: RecordView) -> HorizontalAxis:
    return HorizontalAxis.of_updates(max(row["step"] for row in view.rows("losses")))
