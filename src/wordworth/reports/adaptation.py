"""The page of an `adaptation` record: how a short trial of adapting a model changes its bits per character on texts.

The page also says how many frequent words the task's texts and the corpus have in common.
"""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import ABSENT, count, exact, finite, share, two_decimals
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import CellMakers, Grid, row_table, value, with_interval
from wordworth.sentence_formatting import duration, signed_decimal

_CORPUS, _CONTROL = SeriesStyle(6, "circle"), SeriesStyle(1, "square")
_SERIES = ((_CORPUS, "after the corpus", "change", ""), (_CONTROL, "after the control", "control_change", "control_"))


def captions(record: Record) -> dict[str, Caption]:
    """Return name of the chart of an `adaptation` record -> its caption; empty for a model without such a loss."""
    view = RecordView.of(record)
    if not _changed(view):
        return {}
    title = f"What {view.data['steps']} steps change, in bits a character"
    note = "Dots with their 95 % intervals over texts; to the left the text is cheaper than before."
    return {"change": Caption(title, (note,))}


def _changed(view: RecordView) -> list[Row]:
    """Return the rows of the sets of texts whose bits per character were measured before and after."""
    return [row for row in view.rows("texts") if finite(row["change"]) is not None]


def page(record: Record) -> str:
    """Return the page of an `adaptation` record as one self-contained HTML document."""
    view = RecordView.of(record)
    figure = _changes(view)
    groups = [("What a trial run changes", [figure])] if figure else []
    seconds = finite(view.plain["timings"].get("pass"))
    timed = [] if seconds is None else [pass_sentence(record)]
    question = f"Adapting · {view.data['model']} · {view.data['name']}"
    tables = [_texts(view), _overlap(view), _vocabularies(view)]
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question, timed=timed)


def pass_sentence(record: Record) -> str:
    """Return the sentence on the time that one pass over the corpus takes on this machine."""
    characters = f"{record.data['characters']:,} characters that were read"
    return f"One pass over the {characters} takes about {duration(float(record.timings['pass']))} on this machine."


def _changes(view: RecordView) -> Figure | None:
    """Return the figure of the change in bits per character, by set of texts; None for a model without such a loss."""
    rows = _changed(view)
    if not rows:
        return None
    chart = DotChart(
        (("", tuple(_dots(row) for row in rows)),),
        "change, bits a character",
        _signed,
        references=((0.0, "the model as it is"),),
        legend=True,
    )
    pictures = dot_pictures(chart, "change")
    return captioned_figure(view, "change", pictures=pictures)


def _dots(row: Row) -> DotRow:
    known = [each for each in _SERIES if finite(row[each[2]]) is not None]
    return DotRow(str(row["texts"]), *interval_dots(row, known, _signed))


def _signed(number: object) -> str:
    if (known := finite(number)) is None:
        return ABSENT
    return signed_decimal(known) if known else "0"


def _texts(view: RecordView) -> Grid:
    cells: CellMakers = {
        "texts": "texts",
        "measured": value("number", count),
        "pieces a word": lambda row: with_interval(row, "per_word", two_decimals, prefix="per_word_"),
        "unknown words": lambda row: share(row["unknown"]),
        "bits a character": value("before", exact, "the model has no head over its vocabulary"),
        "after": value("after", exact),
        "change": lambda row: with_interval(row, "change", _signed),
    }
    if any(row["control"] is not None for row in view.rows("texts")):
        cells = {
            **cells,
            "after the control": value("control", exact),
            "corpus less control": lambda row: with_interval(row, "gain", _signed, prefix="gain_"),
        }
    return row_table("What texts cost the model", cells, view.rows("texts"))


def _overlap(view: RecordView) -> Grid:
    cells: CellMakers = {
        "beside half of the task's texts": "texts",
        "frequent words shared": lambda row: share(row["overlap"]),
        "least": lambda row: share(row["least"]),
        "most": lambda row: share(row["most"]),
        "words compared": value("words", count),
    }
    return row_table("Words that texts share", cells, view.rows("overlap"))


def _vocabularies(view: RecordView) -> Grid:
    cells: CellMakers = {
        "vocabulary": "vocabulary",
        "pieces": value("size", count),
        "in the model's": lambda row: share(row["shared"]),
        "pieces a word of the task": value("per_word", two_decimals),
    }
    return row_table("Vocabularies", cells, view.rows("vocabularies"))
