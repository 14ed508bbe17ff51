"""The page of a `crossmodal` record: scores of a model that is trained on captions with sound or video, and examples.

The model matches captions with sequences of codes (of sound or video), and predicts masked words and masked codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption, caption_of
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined
from wordworth.reports.embedded_audio import Sound, sound_of
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, in_points, points_tick, signed_points
from wordworth.reports.page import machine, render_page, settings, sources, time_spent, verdict_header
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval
from wordworth.sentence_formatting import signed

_STYLES = {
    "trained on pairs": SeriesStyle(6, "circle"),
    "trained on shuffled pairs": SeriesStyle(7, "square"),
    "without the other side": SeriesStyle(3, "diamond"),
}
_AGAINST = {
    "trained on shuffled pairs": "against training on shuffled pairs",
    "without the other side": "against no look at the other side",
}


@dataclass(frozen=True, slots=True)
class _Near:
    """A sequence near a caption, with its sound if it has one; `right` if its own caption equals that caption."""

    own_caption: str
    group: str
    right: bool
    sound: Sound | None


@dataclass(frozen=True, slots=True)
class _Example:
    """A caption and the sequences that the model ranks nearest to it."""

    caption: str
    nearest: tuple[_Near, ...]


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `crossmodal` record -> its caption."""
    first = RecordView.of(record).rows("scores")[0]
    title = f"{first['measure'].capitalize()}: {in_points(first['value'])} % right"
    note = "95 % intervals over test groups and runs, paired; one that does not reach 0 is a sure difference."
    return {
        "scores": Caption(title, ("95 % intervals over test groups and runs.",)),
        "differences": Caption("What pairs add", (note,)),
    }


def page(record: Record) -> str:
    """Return the page of a `crossmodal` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("What one side says of the other", [_scores(view), _differences(view)])]
    examples = _examples(view.rows("examples"))
    return render_page(
        "crossmodal.html.j2",
        view,
        verdict_header(view, f"Words and codes · {view.data['name']}"),
        figures=[figure for _, own in groups for figure in own],
        method=(settings(view), machine(view), time_spent(view, "part")),
        groups=groups,
        tables=[_groups(view), *_validation(view), _folds(view), sources(view)],
        examples=examples,
        heard=any(near.sound for example in examples for near in example.nearest),
        sounds=True,
    )


def _scores(view: RecordView) -> Figure:
    rows = view.rows("scores")
    cells: CellMakers = {
        "measure": "measure",
        "system": "system",
        "right, %": lambda row: with_interval(row, "value", in_points),
        "answers": value("answers", count),
    }
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    drawn = tuple(_dot_row(measure, [row for row in rows if row["measure"] == measure]) for measure in measures)
    chart = DotChart((("", drawn),), "right, %", points_tick, legend=True, references=())
    table = row_table("Every measure", cells, rows, words=("system",))
    return captioned_figure(
        view, "scores", "What every system gets right by measure.", dot_pictures(chart, "scores"), table
    )


def _dot_row(measure: str, rows: Sequence[Row]) -> DotRow:
    pairs = [interval_dots(row, ((_STYLES[row["system"]], row["system"], "value", ""),), in_points) for row in rows]
    return DotRow(measure, *joined(pairs))


def _differences(view: RecordView) -> Figure:
    rows, caption = view.rows("differences"), caption_of(view, "differences")
    cells: CellMakers = {
        "measure": "measure",
        "first": "first",
        "second": "second",
        "difference, points": lambda row: with_interval(row, "difference", signed_points),
    }
    measures = dict.fromkeys(row["measure"] for row in rows)
    drawn = tuple(_difference_row(measure, [row for row in rows if row["measure"] == measure]) for measure in measures)
    chart = DotChart((("", drawn),), "difference, points", signed, legend=True)
    label = "Differences between the system trained on pairs and the others, by measure."
    table = row_table("Every difference", cells, rows, words=("first", "second"))
    return Figure("differences", caption.title, label, dot_pictures(chart, "differences"), table, caption.notes)


def _difference_row(measure: str, rows: Sequence[Row]) -> DotRow:
    styles = [(_STYLES[row["second"]], _AGAINST[row["second"]], "difference", "") for row in rows]
    pairs = [interval_dots(row, (style,), signed_points) for row, style in zip(rows, styles, strict=True)]
    return DotRow(measure, *joined(pairs))


def _by_system(rows: Sequence[Row], name: str) -> list[dict[str, Any]]:
    """Return a row for each value of the column `name` and each measure, with a column for each system."""
    made = dict[tuple[Any, str], dict[str, Any]]()
    for row in rows:
        made.setdefault((row[name], row["measure"]), {**row})[row["system"]] = row["value"]
    return list(made.values())


def _groups(view: RecordView) -> Grid:
    cells: CellMakers = {
        "group": "group",
        "measure": "measure",
        **{system: value(system, in_points) for system in _STYLES},
        "answers": value("answers", count),
    }
    return row_table("Group by group", cells, _by_system(view.rows("groups"), "group"), words=("measure",))


def _validation(view: RecordView) -> list[Grid]:
    """Return the table of scores on validation groups, in a list that is empty for a record without such scores."""
    cells: CellMakers = {
        "fold": value("fold", count),
        "measure": "measure",
        **{system: value(system, in_points) for system in _STYLES},
    }
    rows = _by_system(view.rows("validation"), "fold")
    return [row_table("Validation groups, to choose settings by", cells, rows, words=("measure",))] if rows else []


def _folds(view: RecordView) -> Grid:
    cells: CellMakers = {
        "fold": value("fold", count),
        "train": "train",
        "validate": "valid",
        "test": "test",
        "train sequences": value("train_sequences", count),
        "test sequences": value("test_sequences", count),
        "updates": "steps",
    }
    return row_table("Who trains, validates and tests", cells, view.rows("folds"), words=("train", "validate", "test"))


def _examples(rows: Sequence[Row]) -> list[_Example]:
    """Return each caption with its nearest sequences.

    `rows` are in order: a row of rank 1 begins a new caption.
    """
    starts = 0
    numbered = list[tuple[int, Row]]()
    for row in rows:
        starts += row["rank"] == 1
        numbered.append((starts, row))
    made = list[_Example]()
    for _, own in groupby(numbered, key=lambda pair: pair[0]):
        near = [row for _, row in own]
        made.append(_Example(str(near[0]["caption"]), tuple(map(_near, near))))
    return made


def _near(row: Row) -> _Near:
    caption, encoded = str(row["own_caption"]), row["sound"]
    sound = sound_of(encoded, f"waveform of {caption}") if encoded else None
    return _Near(caption, str(row["group"]), bool(row["right"]), sound)
