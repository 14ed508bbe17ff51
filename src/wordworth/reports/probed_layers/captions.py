"""The captions of the charts of a `layers` record: the layers to take, expected layers, and each task by layer."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import figures, finite, interval, share, signed_points, two_decimals
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.sentence_formatting import count_of, quoted


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `layers` record -> its caption; the chart `choices` depends on measured times."""
    view = RecordView.of(record)
    written = {"choices": _choices(view)}
    if view.rows("expected"):
        written["expected"] = _expected(view)
    for number, row in enumerate(view.rows("tasks")):
        layers, depths = (rows_of_task(view, table, str(row["task"])) for table in ("layers", "depths"))
        written |= {f"depths-{number}": _by_depth(depths)} if depths else {}
        written |= {f"layers-{number}": _by_layer(layers), f"codes-{number}": _codes(layers)}
    return written


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


def _choices(view: RecordView) -> Caption:
    rows = view.rows("choices")
    below = sum(row["layer"] < view.data["layers"] for row in rows)
    notes = (
        "Linear probes with 95 % intervals over texts that chose nothing.",
        "The chosen layer is the lowest one whose score is at most one standard error below the best score.",
        "The score that chooses is of other texts than the score shown.",
        *cost_sentences(view),
        "On one thread, 32 texts together, on the machine named at the head of the page.",
    )
    title = f"A layer below the last is enough for {below} of {count_of(len(rows), 'label')}"
    return Caption(title, notes, timed=True)


def _expected(view: RecordView) -> Caption:
    known = expected_layers(view)
    if not known:
        return Caption("No expected layer", absent="All layers together gain nothing over layer 0 in any task.")
    first, last = (most(known, key=lambda row: row["expected"]) for most in (min, max))
    order = " first," if len(known) > 1 else ""
    title = f"{quoted(str(first['task']))} is found{order} at {two_decimals(first['expected'])}"
    if last is not first:
        title += f", {quoted(str(last['task']))} last, at {two_decimals(last['expected'])}"
    notes = (
        "The expected layer weighs each layer by what it adds to the micro F1 of an edge probe of the layers below.",
        "Layers that lose count against it, so that it may lie outside the layers. 95 % intervals over texts.",
        "The centre of gravity is the mean layer under the mixing weights of the probe of all layers.",
        *_steps(view.rows("steps")),
    )
    return Caption(title, notes)


def _steps(rows: list[Row]) -> list[str]:
    """Return a sentence for each two neighbouring labels of the published order: how many layers lie between them."""
    sentences = []
    for row in rows:
        sure = "surely later" if row["later"] else "surely earlier" if row["earlier"] else "not told apart"
        ends = interval(row["low"], row["high"], two_decimals)
        size = f"{two_decimals(row['difference'])}{f' ({ends})' if ends else ''}"
        sentences.append(f"Published order, {row['first']} then {row['second']}: {size} layers, {sure}.")
    return sentences


def _by_depth(rows: Sequence[Row]) -> Caption:
    best = max((row for row in rows if finite(row["gain"]) is not None), key=lambda row: row["gain"])
    title = f"Layer {best['layer']} adds most to an edge probe, {signed_points(best['gain'])} points"
    return Caption(title, ("Micro F1 of the probe that mixes layers 0 to each; bands are 95 % intervals over texts.",))


def _by_layer(rows: Sequence[Row]) -> Caption:
    best = max(rows, key=lambda row: row["f1"])
    notes = (
        "Micro F1 of linear probes; bands are 95 % intervals over texts.",
        "In the control task each word has a random label of its own, which only memory can find."
        if has_control_task(rows)
        else "There is no control task: it gives each word a random label, and here whole texts have labels.",
    )
    return Caption(f"Layer {best['layer']} alone reads most, {share(best['f1'])}", notes)


def _codes(rows: Sequence[Row]) -> Caption:
    best = min(rows, key=lambda row: row["code"])
    title = f"Layer {best['layer']} describes the labels shortest, in {two_decimals(best['code'])} bits each"
    return Caption(title, ("Bits a target by online coding: the area under the learning curve of the log-loss.",))
