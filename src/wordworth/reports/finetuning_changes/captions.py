"""The captions of the charts of a `finetuning` record: what changed by layer and head, and the loss landscape."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.finetuning_changes.record_view import has_second_seed
from wordworth.reports.number_format import exact, share, tick
from wordworth.reports.record_view import RecordView, Row
from wordworth.sentence_formatting import signed


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `finetuning` record -> its caption."""
    view = RecordView.of(record)
    by_chart = {
        "layers": _layers(view),
        "heads": _heads(view),
        "patterns": _patterns(view),
        "roll-back": _roll_back(view),
        "lines": _lines(view),
        "around": _around(view),
        "plane": _plane(view),
        "way": _way(view),
    }
    return {chart: caption for chart, caption in by_chart.items() if caption}


def _layers(view: RecordView) -> Caption:
    least = view.verdict["layer"]
    notes = (
        "1: the same states up to rotation and scale. Bands: 95 % over texts.",
        "Two seeds: the same training twice. Below that line, fine-tuning changed a layer more than luck does.",
    )
    return Caption(f"States changed most in layer {least}: CKA {exact(view.verdict['cka'])} with those before", notes)


def _heads(view: RecordView) -> Caption:
    rows = view.rows("heads")
    least = min(rows, key=lambda row: row["cosine"])
    title = f"Attention changed most in layer {least['layer']}, head {least['head']}: cosine {exact(least['cosine'])}"
    note = f"*: beyond doubt, at a level corrected for {len(rows)} heads."
    return Caption(title, (note,) if has_second_seed(view) else ())


def _patterns(view: RecordView) -> Caption:
    rows = view.rows("patterns")
    if not rows:
        return Caption("Patterns of attention", absent="Every text is too short to tell patterns.")
    own, before = ({row["pattern"]: row["share"] for row in rows if row["model"] == of} for of in ("run", "start"))
    largest = max(own, key=lambda name: abs(own[name] - before.get(name, 0)))
    title = f"Patterns of attention: {largest} maps {share(before.get(largest))} before, {share(own[largest])} after"
    return Caption(title, ("By the rules; the table has the network's shares too. 95 % over texts.",))


def _roll_back(view: RecordView) -> Caption:
    least = min(view.rows("roll_back"), key=lambda row: row["change"])
    title = f"Reset, {least['part']} costs most: {signed(least['change'])} points"
    if least["change"] >= 0:
        title = "No part costs anything when it is reset"
    return Caption(
        title, ("Thirds of the layers: bottom, middle, top. all: every layer and the embedding. 95 % over rows.",)
    )


def _lines(view: RecordView) -> Caption:
    title = f"The loss falls in {share(_main(view)['falling'])} of the segments from start to model"
    return Caption(title, ("0: the start under the fine-tuned head, 1: the model. Band of this run: 95 % over rows.",))


def _main(view: RecordView) -> Row:
    """Return the run's row in the table `basins`: for the rows that it learned from, if the table has them."""
    own = [row for row in view.rows("basins") if row["line"] == "this run" and row["direction"] == "line"]
    return next((row for row in own if row["rows"] == "learned"), own[0])


def _around(view: RecordView) -> Caption:
    widths = {row["line"]: row["width"] for row in view.rows("basins") if row["direction"] == "own direction"}
    text = ", ".join(f"{name} {exact(width)}" for name, width in widths.items())
    title = f"Width of the basin with filters as long as the weights': {text}"
    return Caption(title, ("Each row of a matrix moves by so many of its norms (Li et al. 2018); vectors stay.",))


def _plane(view: RecordView) -> Caption | None:
    """Return the caption of the loss on a plane; None for a record without a plane."""
    rows = view.rows("plane")
    if not rows:
        return None
    (finding,) = view.findings("plane")
    least = min(rows, key=lambda row: float(row["loss"]))
    at = f"({tick(least['across'])}, {tick(least['up'])})"
    title = f"On the plane the least loss is {exact(float(least['loss']))}, at {at}"
    return Caption(title, (str(finding["text"]), "Darker: a larger loss, by rank. S start, M model."))


def _way(view: RecordView) -> Caption | None:
    """Return the caption of the path of the training; None for a record without one."""
    rows = view.rows("way")
    if not rows:
        return None
    widest = max((row["angle"] for row in rows if row["angle"] is not None and row["step"]), default=0.0)
    title = f"The training leaves the straight line by at most {widest:.0f} degrees"
    note = "Points that the run kept, and the model: how far all weights have moved, and how much of it aside."
    return Caption(title, (note,))
