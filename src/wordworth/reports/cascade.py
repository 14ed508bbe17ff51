"""The page of a `cascade` record: the score as a function of the share of texts that the second model answers."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import exact, in_points, share, signed_points
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Grid, row_table, with_interval
from wordworth.sentence_formatting import points, signed

_CHOSEN, _OTHER = SeriesStyle(6, "circle"), SeriesStyle(7, "square")


def captions(record: Record) -> dict[str, Caption]:
    """Return name of the chart of a `cascade` record -> its caption."""
    verdict = RecordView.of(record).verdict
    title = f"{points(verdict['score'])} with {share(verdict['measured_share'])} of the texts answered twice"
    note = "Shares of texts that the second model answers; 95 % intervals over the rows that did not choose."
    return {"change": Caption(title, (note,))}


def page(record: Record) -> str:
    """Return the page of a `cascade` record as one self-contained HTML document."""
    view = RecordView.of(record)
    question = f"A cascade · {view.data['first']}, then {view.data['second']} · {view.data['name']}"
    groups = [("What asking less costs", [_changes(view)])]
    timed = [speed_sentence(record)]
    return simple_page(record, str(view.verdict["headline"]), groups, [_shares(view)], question=question, timed=timed)


def speed_sentence(record: Record) -> str:
    """Return the sentence on the speed of the cascade relative to the second model alone."""
    speed, second = record.timings["speed"], record.data["second"]
    faster = speed["second"] / speed["cascade"]
    return (
        f"In batches on this machine it takes {speed['cascade']:.3g} ms a text, {second} alone "
        f"{speed['second']:.3g}: {faster:.2g} times as fast."
    )


def _changes(view: RecordView) -> Figure:
    """Return the chart of the cascade's score minus the second model's, by the share of texts passed to the latter."""
    rows = tuple(_dot(row) for row in view.rows("shares"))
    chart = DotChart(
        (("", rows),),
        f"change of {view.data['metric_title']}, points",
        signed,
        references=((0.0, f"{view.data['second']} alone"), (-float(view.settings["margin"]) / 100, "margin")),
        legend=True,
    )
    pictures = dot_pictures(chart, "change")
    return captioned_figure(view, "change", "Change of the score by share.", pictures)


def _dot(row: Row) -> DotRow:
    style, name = (_CHOSEN, "chosen") if row["chosen"] else (_OTHER, "not chosen")
    dots, described = interval_dots(row, ((style, name, "change", ""),), signed_points)
    return DotRow(share(row["measured_share"]), dots, described)


def _shares(view: RecordView) -> Grid:
    cells: CellMakers = {
        "second model asked": lambda row: share(row["measured_share"]),
        "threshold": lambda row: Cell(exact(row["threshold"]) if 0 < row["threshold"] <= 1 else "", row["threshold"]),
        "score": lambda row: in_points(row["score"]),
        "change": lambda row: with_interval(row, "change", signed_points),
        "choosing": lambda row: "chosen" if row["chosen"] else "",
    }
    return row_table("Every share that was tried", cells, view.rows("shares"))
