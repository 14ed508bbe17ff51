"""What the page of a `layers` record and its captions both read: rows of a task, expected layers, and times."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.reports.number_format import figures, finite, share
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.sentence_formatting import quoted


def rows_of_task(view: RecordView, table: str, task: str) -> list[Row]:
    """Return the rows of a task in one of the record's tables.

    Args:
        view: the record.
        table: name of the table.
        task: name of the task.
    """
    return [row for row in view.rows(table) if row["task"] == task]


def expected_layers(view: RecordView) -> list[Row]:
    """Return the rows of the tasks that have an expected layer, with an interval."""
    return [row for row in view.rows("expected") if None not in (finite(row["expected"]), finite(row["low"]))]


def has_control_task(rows: Sequence[Row]) -> bool:
    """Return whether a control task was learned: in rows of the table `layers`, whether one has its score."""
    return any(finite(row["control"]) is not None for row in rows)


def speed_by_layer(view: RecordView) -> dict[tuple[str, int], Row]:
    """Return (task, layer) -> the time of a text up to that layer, as a row; empty if nothing was timed."""
    timed = view.plain["timings"].get("speed")
    return {(str(row["task"]), int(row["layer"])): row for row in (rows_of(timed) if timed else ())}


def cost_sentences(view: RecordView) -> list[str]:
    """Return a sentence on each label that was timed: the milliseconds per text up to the layer chosen for it."""
    speed, sentences = speed_by_layer(view), list[str]()
    for row in view.rows("choices"):
        time = speed.get((str(row["task"]), int(row["layer"])), {})
        if (milliseconds := finite(time.get("milliseconds"))) is not None:
            cost = f"{figures(milliseconds)} ms a text up to layer {row['layer']}"
            sentences.append(
                f"{quoted(str(row['task']))}: {cost}, {share(time.get('share'))} of the time of all layers."
            )
    return sentences
