"""The captions of the charts of a `shrink` record: what each smaller model or form costs, and the scores by time."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.shrink.record_view import enough, level
from wordworth.reports.speed_cells import speed_by_model
from wordworth.sentence_formatting import points


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `shrink` record -> its caption; the chart `frontier` depends on measured times."""
    view = RecordView.of(record)
    rows = view.rows("models")[1:]
    by_chart = {"changes": _changes(rows, "models", enough(view, "model")), "frontier": _frontier(view)}
    if "vectors" not in record.tables:
        return by_chart
    return {**by_chart, "vectors": _changes(view.rows("vectors")[1:], "forms", enough(view, "vectors"))}


def _changes(rows: Sequence[Row], what: str, words: str) -> Caption:
    """Return the caption of a chart of changes of the score.

    Args:
        rows: rows of the smaller models or forms.
        what: noun for them.
        words: the words for a loss within the margin.
    """
    ends = level(len(rows))
    notes = (
        f"Dots with intervals of {ends}: {words}, in bold, are those whose intervals lie right of the margin.",
        "Losses far beyond it are written.",
    )
    return Caption(_title(rows, what, words), notes)


def _title(rows: Sequence[Row], what: str, words: str) -> str:
    passing, unsure = (sum(row["within"] == verdict for row in rows) for verdict in ("yes", "cannot tell"))
    counted = f"{passing} of {len(rows)} smaller {what} {'is' if passing == 1 else 'are'} {words}"
    return f"{counted}; of {unsure} these rows cannot tell" if unsure else counted


def _frontier(view: RecordView) -> Caption:
    whole, *smaller = view.rows("models")
    time = speed_by_model(view)["whole"]["milliseconds_32"]
    notes = (
        "On one thread, from a text's characters on.",
        f"Intervals of {level(len(smaller))}; they are those of the change from the whole model's score.",
    )
    return Caption(f"{points(whole['score'])} for the whole model at {time:.2f} ms a text", notes, timed=True)
