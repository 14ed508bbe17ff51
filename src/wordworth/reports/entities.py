"""The page of an `entities` record: scores of a model with linked entities, with exchanged ones, and without any."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, finite, in_points, points_tick, signed_points
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval
from wordworth.sentence_formatting import signed

_LINKED, _OTHER = SeriesStyle(7, "circle"), SeriesStyle(6, "diamond")
_NAMES = {"linked": "linked", "shuffled": "exchanged entities", "unlinked": "no entities", "control": "control model"}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of an `entities` record -> its caption."""
    view = RecordView.of(record)
    scores = Caption(str(view.verdict["headline"]), ("95 % intervals over test rows and runs.",))
    return {"scores": scores} | ({"differences": _differences_caption(view)} if view.rows("differences") else {})


def _differences_caption(view: RecordView) -> Caption:
    note = "95 % intervals over test rows and runs, paired; sure at a level corrected for the number of comparisons."
    added = view.verdict.get("added")
    return Caption("Differences" if added is None else f"Entities add {signed(added)} points", (note,))


def page(record: Record) -> str:
    """Return the page of an `entities` record as one self-contained HTML document."""
    view = RecordView.of(record)
    figures = [_scores(view)]
    figures += [_differences(view)] if view.rows("differences") else []
    question = f"What entities add to {view.data['model']} · {view.data['name']}"
    groups = [("What it scores with entities and without", figures)]
    return simple_page(record, str(view.verdict["headline"]), groups, [_links(view), _runs(view)], question=question)


def _scores(view: RecordView) -> Figure:
    """Return the chart of the score of every system, with its interval."""
    rows = view.rows("scores")
    unit = f"{view.data['metric_title']}, points"
    chart = DotChart((("", tuple(_score(row) for row in rows)),), unit, points_tick, references=())
    cells: CellMakers = {
        "system": lambda row: _NAMES[row["system"]],
        "score": lambda row: "" if row["score"] is None else with_interval(row, "score", in_points),
        "runs": value("runs", count),
        "what it reads": "read",
    }
    table = row_table("Every system", cells, rows, words=("what it reads",))
    return captioned_figure(view, "scores", "Scores of every system.", dot_pictures(chart, "scores"), table)


def _score(row: Row) -> DotRow:
    name = _NAMES[row["system"]]
    if finite(row["score"]) is None:
        return DotRow(name, (), (), absent="every run failed")
    style = _LINKED if row["system"] == "linked" else _OTHER
    return DotRow(name, *interval_dots(row, ((style, name, "score", ""),), in_points))


def _differences(view: RecordView) -> Figure:
    """Return the chart of the score with entity links minus the score of each other system."""
    rows = view.rows("differences")
    dots = tuple(
        DotRow(name, *interval_dots(row, ((_LINKED, name, "difference", ""),), signed_points))
        for row in rows
        for name in [f"linked − {_NAMES[row['second']]}"]
    )
    unit = f"difference of {view.data['metric_title']}, points"
    chart = DotChart((("", dots),), unit, signed, references=((0.0, "no difference"),))
    cells: CellMakers = {
        "beside": lambda row: _NAMES[row["second"]],
        "difference": lambda row: with_interval(row, "difference", signed_points),
        "sure": lambda row: "yes" if row["sure"] else "no",
    }
    table = row_table("Every difference", cells, rows, words=("sure",))
    pictures = dot_pictures(chart, "differences")
    return captioned_figure(view, "differences", pictures=pictures, table=table)


def _links(view: RecordView) -> Grid:
    cells: CellMakers = {
        "part": "part",
        "rows": value("rows", count),
        "rows with an entity": value("linked_rows", count),
        "mentions": value("mentions", count),
        "entities": value("entities", count),
        "of them in no training row": value("unseen", count),
    }
    return row_table("Links of the texts", cells, view.rows("links"))


def _runs(view: RecordView) -> Grid:
    cells: CellMakers = {
        "system": lambda row: _NAMES[row["system"]],
        "seed": value("seed", count),
        "state": "state",
        "dev": lambda row: "" if row["dev"] is None else in_points(row["dev"]),
        "test": lambda row: "" if row["test"] is None else in_points(row["test"]),
    }
    return row_table("Every run", cells, view.rows("runs"), words=("state",))
