"""The captions of the charts of a `layers` record: the layers to take, expected layers, and each task by layer."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import finite, interval, share, signed_points, two_decimals
from wordworth.reports.probed_layers.record_view import cost_sentences, expected_layers, has_control_task, rows_of_task
from wordworth.reports.record_view import RecordView, Row
from wordworth.sentence_formatting import count_of, quoted


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `layers` record -> its caption.

    The caption of the chart `choices` depends on measured times, if anything was timed.
    """
    view = RecordView.of(record)
    by_chart = {"choices": _choices(view)}
    if view.rows("expected"):
        by_chart["expected"] = _expected(view)
    for number, row in enumerate(view.rows("tasks")):
        layers, depths = (rows_of_task(view, table, str(row["task"])) for table in ("layers", "depths"))
        by_chart |= {f"depths-{number}": _by_depth(depths)} if depths else {}
        by_chart |= {f"layers-{number}": _by_layer(layers), f"codes-{number}": _codes(layers)}
    return by_chart


def _choices(view: RecordView) -> Caption:
    rows = view.rows("choices")
    below, costs = sum(row["layer"] < view.data["layers"] for row in rows), cost_sentences(view)
    notes = (
        "Linear probes with 95 % intervals over texts that chose nothing.",
        "The chosen layer is the lowest one whose score is at most one standard error below the best score.",
        "The score that chooses is of other texts than the score shown.",
        *costs,
        "On one thread, 32 texts together, on the machine named at the head of the page.",
    )
    title = f"A layer below the last is enough for {below} of {count_of(len(rows), 'label')}"
    return Caption(title, notes, timed=bool(costs))


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
