"""The page of a `codes` record: how well codes of patients' visits are predicted.

Models with and without an ontology, and with and without pretraining, are compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, exact, tick
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval
from wordworth.sentence_formatting import decimal, signed_decimal

_STYLES = {"all": SeriesStyle(6, "circle"), "rare": SeriesStyle(7, "square")}
_DRAWN = "average_precision"
_TITLES = {"average_precision": "average precision", "jaccard": "Jaccard", "f1": "F1"}
_LISTED = 20
_BARE = {"neither": "the model without both"}
"""System of the tables -> its words on the page, if they differ."""
_OTHERS = {"all": "all codes", "common": "common codes", "rare": "rare codes"}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `codes` record -> its caption."""
    view = RecordView.of(record)
    added = signed_decimal(view.verdict["difference"])
    note = "95 % intervals over test patients and runs, paired; one that does not reach 0 is a sure difference."
    return {
        "scores": _scores_caption(view),
        "differences": Caption(f"Graph and pretraining add {added}", (note,)),
    }


def _scores_caption(view: RecordView) -> Caption:
    own = next(row for row in view.rows("scores") if (row["codes"], row["measure"]) == ("all", _DRAWN))
    title = f"{own['system']}: {decimal(own['value'])} over all codes"
    return Caption(title, ("95 % intervals over test patients and runs.", _rare_codes(view)))


def _rare_codes(view: RecordView) -> str:
    rare = [row for row in view.rows("targets") if row["rare"]]
    most = max((row["train"] for row in rare), default=0)
    return (
        f"Rare: {count(len(rare))} of {count(view.data['target_codes'])} codes, in at most {count(most)} visits each."
    )


def page(record: Record) -> str:
    """Return the page of a `codes` record as one self-contained HTML document."""
    view = RecordView.of(record)
    made_up = " · synthetic patients" if view.settings["synthetic"] else ""
    question = f"Codes at visits · {view.data['name']}{made_up}"
    groups = [("How well codes are predicted", [_scores(view), _differences(view)])]
    tables = [_filters(view), _runs(view), _targets(view), sources(view, "codes")]
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _scores(view: RecordView) -> Figure:
    """Return the chart of average precision by system, over all and over rare codes; its table has all measures."""
    rows = view.rows("scores")
    systems = list(dict.fromkeys(row["system"] for row in rows))
    rows_of = {system: [row for row in rows if row["system"] == system] for system in systems}
    drawn = tuple(_dot_row(_named(system), rows_of[system], "value") for system in systems)
    cells: CellMakers = {
        "system": lambda row: _named(row["system"]),
        "codes": lambda row: _OTHERS[row["codes"]],
        "measure": lambda row: _TITLES[row["measure"]],
        "mean over visits": lambda row: with_interval(row, "value"),
        "visits": value("visits", count),
    }
    table = row_table("Every measure", cells, rows, words=("codes", "measure"))
    chart = DotChart((("", drawn),), "average precision", tick, legend=True, references=())
    return captioned_figure(view, "scores", "Average precision of every system.", dot_pictures(chart, "scores"), table)


def _differences(view: RecordView) -> Figure:
    """Return the chart of the paired differences between two systems."""
    rows = view.rows("differences")
    pairs = list(dict.fromkeys((row["first"], row["second"]) for row in rows))
    drawn = tuple(
        _dot_row(
            f"{_named(first)} − {_named(second)}",
            [row for row in rows if (row["first"], row["second"]) == pair],
            "difference",
        )
        for pair in pairs
        for first, second in [pair]
    )
    cells: CellMakers = {
        "first": lambda row: _named(row["first"]),
        "second": lambda row: _named(row["second"]),
        "codes": lambda row: _OTHERS[row["codes"]],
        "measure": lambda row: _TITLES[row["measure"]],
        "difference": lambda row: with_interval(row, "difference"),
    }
    table = row_table("Every difference", cells, rows, words=("second", "codes", "measure"))
    chart = DotChart((("", drawn),), "difference in average precision", tick, legend=True)
    return captioned_figure(
        view, "differences", "Differences between systems.", dot_pictures(chart, "differences"), table
    )


def _named(system: str) -> str:
    return _BARE.get(system, system)


def _dot_row(name: str, rows: Sequence[Row], column: str) -> DotRow:
    """Return the row of a system or pair of systems, with a dot for all codes and, if there are any, for rare ones."""
    drawn = [row for row in rows if row["measure"] == _DRAWN and row["codes"] in _STYLES]
    pairs = [interval_dots(row, ((_STYLES[row["codes"]], _OTHERS[row["codes"]], column, ""),), exact) for row in drawn]
    return DotRow(name, *joined(pairs))


def _filters(view: RecordView) -> Grid:
    cells: CellMakers = {
        "what was left": "step",
        "rows": value("rows", count),
        "visits": value("visits", count),
        "patients": value("patients", count),
    }
    return row_table("The data, filter by filter", cells, view.rows("filters"))


def _runs(view: RecordView) -> Grid:
    cells: CellMakers = {
        "system": lambda row: _named(row["system"]),
        "run": value("run", count),
        "threshold": lambda row: f"{row['threshold']:.2f}",
        "also chosen": "chosen",
    }
    return row_table("Chosen on validation visits", cells, view.rows("runs"), words=("also chosen",))


def _targets(view: RecordView) -> Grid:
    cells: CellMakers = {
        "code": "code",
        "training visits": value("train", count),
        "test visits": value("test", count),
        "rare": lambda row: "rare" if row["rare"] else "",
    }
    rows = view.rows("targets")
    caption = (
        "Target codes" if len(rows) <= _LISTED else f"The {_LISTED} most frequent of {count(len(rows))} target codes"
    )
    return row_table(caption, cells, rows[:_LISTED], words=("rare",))
