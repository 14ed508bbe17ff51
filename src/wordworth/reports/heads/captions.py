"""The captions of the charts of a `heads` record: pruning curves, smaller models by speed, and heads by importance."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.heads.record_view import ABLATIONS
from wordworth.reports.record_view import RecordView
from wordworth.sentence_formatting import points, signed


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `heads` record -> its caption; the chart `frontier` depends on measured times."""
    view = RecordView.of(record)
    return {"curves": _curves(view), "frontier": _frontier(view), "heads": _heads(view), "layers": _layers(view)}


def _curves(view: RecordView) -> Caption:
    within, heads = view.verdict["within"], view.verdict["heads"]
    title = "Pruning a tenth of the heads costs more than the margin"
    if within:
        title = f"{within} of {heads} heads go for {signed(view.verdict['change'])} points"
    notes = (
        "Nothing is trained again. The band is the 95 % interval over rows.",
        "The band of random orders runs from the least to the most of five.",
        *view.sentences("orders"),
    )
    return Caption(title, notes)


def _frontier(view: RecordView) -> Caption:
    whole = view.rows("frontier")[0]
    title = f"Cheaper models beside the whole one: {points(whole['score'])} at {whole['milliseconds_32']:.2f} ms a text"
    note = "On one thread of this machine, each model timed in turn with the whole one. Nothing is trained again."
    return Caption(title, (note,), timed=True)


def _heads(view: RecordView) -> Caption:
    rows = view.rows("heads")
    sure = sum(bool(row["zero_sure"]) for row in rows)
    title = f"Removed alone, {sure} of {len(rows)} heads change the score beyond doubt"
    return Caption(title, (f"Beyond doubt: the interval excludes 0 at a level corrected for {len(rows)} heads.",))


def _layers(view: RecordView) -> Caption:
    rows = view.rows("layers")
    losses = [(row[name], row["layer"], name) for row in rows for name in ABLATIONS if row[f"{name}_high"] < 0]
    title = "No layer's heads are surely needed"
    if losses:
        change, layer, ablation = min(losses)
        title = f"The largest loss without a layer's heads: layer {layer}, by {ablation}, {signed(change)} points"
    note = "Dots with 95 % intervals over rows. One head kept: the best by the half of the rows that chooses."
    return Caption(title, (note,))
