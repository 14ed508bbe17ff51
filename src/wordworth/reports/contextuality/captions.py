"""The captions of the panels of a `context` record, which describe each model's curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.charts.measure_by_layer import Curve
from wordworth.reports.contextuality.record_view import PANELS, STOP_WORDS, View
from wordworth.reports.number_format import finite, two_decimals
from wordworth.reports.record_view import Row

_FIRST = "self_similarity_adjusted"
_OWN_BASELINES = (
    "Each model has its own baseline taken off: compare where these curves bend, not how high they lie. With the mean "
    "vector taken off heights compare better."
)


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `context` record -> its caption."""
    view = View.of(record)
    by_measure = {measure: _caption(view, measure) for measure in PANELS if measure in view.measures}
    return {**by_measure, STOP_WORDS: _stop_words(view)} if view.stop_words else by_measure


def _caption(view: View, measure: str) -> Caption:
    panel, curves = PANELS[measure], view.curves(measure)
    if not curves:
        return Caption(panel.title, absent="No model has a value: a static table's words do not vary.")
    notes = (panel.note, *(_reading_notes(view, curves) if measure == _FIRST else ()), *_missing(view, curves))
    return Caption(f"{panel.title}: {describe_curves(curves)}", notes)


def _reading_notes(view: View, curves: Sequence[Curve]) -> Iterator[str]:
    """Yield the notes on how to read the first panel.

    One of them says how many sentences are repeated, unless repetitions matter and have a panel of their own.
    """
    if len(curves) > 1:
        yield _OWN_BASELINES
    total, read = finite(view.data.get("given")), finite(view.data["sentences"])
    if total is None or read is None or view.repetitions_matter:
        return
    if total == read:
        yield "No sentence is repeated."
    else:
        yield f"{total - read:,.0f} of {total:,.0f} sentences repeat another; with them the curves are the same."


def _missing(view: View, curves: Sequence[Curve]) -> tuple[str, ...]:
    """Return a note that names the models without a value, in a tuple that is empty if every model has a value."""
    absent = [name for name in view.styles if name not in {curve.name for curve in curves}]
    return (f"Undefined for {', '.join(absent)}: occurrences of a word do not differ there.",) if absent else ()


def describe_curves(models: Sequence[Curve]) -> str:
    """Return a sentence on the curve of each model by layer; a single model's curve is described in more detail."""
    if len(models) == 1:
        return _full_description(models[0])
    return ", ".join(map(_short_description, models))


def _full_description(model: Curve) -> str:
    """Return a description such as `m from 0.91 at the input to 0.62 at layer 5, 0.68 at the top`."""
    first, last = model.values[0], model.values[-1]
    far = max(model.values, key=lambda level: abs(level.value - first.value))
    if two_decimals(far.value) == two_decimals(first.value):
        return _short_description(model)
    if far is last:
        return f"{model.name} from {two_decimals(first.value)} at the input to {two_decimals(last.value)} at the top"
    return (
        f"{model.name} from {two_decimals(first.value)} at the input to {two_decimals(far.value)} "
        f"at layer {far.layer}, {two_decimals(last.value)} at the top"
    )


def _short_description(model: Curve) -> str:
    """Return a description such as `m 0.91 to 0.62 (layer 5)`, or a static table's only value."""
    first = model.values[0]
    far = max(model.values, key=lambda level: abs(level.value - first.value))
    if two_decimals(far.value) == two_decimals(first.value):
        return f"{model.name} {two_decimals(first.value)}{' at every layer' * bool(model.depth)}"
    return f"{model.name} {two_decimals(first.value)} to {two_decimals(far.value)} (layer {far.layer})"


def _stop_words(view: View) -> Caption:
    """Return the caption of stop words against other words: the first model with layers, then others in a line."""
    (name, rows), *others = view.stop_words.items()
    top = rows[-1]
    note = (
        f"{top['stop_words']} stop words and {top['other_words']} others. The rank correlation of self-similarity "
        f"with the number of contexts is {two_decimals(top['variety'])} at the top (below 0: "
        "the more contexts a word has, the less alike its occurrences are)."
    )
    title = f"How alike occurrences of stop words and of other words are in {name}: {_difference(top)}"
    return Caption(title, (note, *(f"In {other}: {_difference(own[-1])}." for other, own in others)))


def _difference(row: Row) -> str:
    """Return the difference in words: `stop words 0.22 less at the top`."""
    size = two_decimals(row["difference"]).removeprefix("−")
    return f"stop words {size} {'less' if row['difference'] < 0 else 'more'} at the top"
