"""The captions of a `commonsense` record's charts: scores by kind of set, phenomena, and comparisons of methods."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.commonsense.record_view import (
    TITLES,
    chart_of_phenomena,
    chart_of_scores,
    compared_methods,
    is_above_guessing,
    is_sure,
    kinds_of_sets,
    rows_of_first_method,
    sets_with_phenomena,
)
from wordworth.reports.number_format import finite, share
from wordworth.reports.record_view import RecordView


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `commonsense` record -> its caption."""
    view = RecordView.of(record)
    kinds = kinds_of_sets(view)
    return {
        **{chart_of_scores(kind): _scores(view, kind) for kind in TITLES if kind in kinds.values()},
        **{chart_of_phenomena(name): _phenomena(view, name) for name in sets_with_phenomena(view)},
        "differences": _differences(view),
    }


def _scores(view: RecordView, kind: str) -> Caption:
    """Return the caption on sets of one kind: on how many a method is surely above guessing."""
    names = [name for name, own in kinds_of_sets(view).items() if own == kind]
    above = {row["set"] for row in view.rows("scores") if row["set"] in names and is_above_guessing(row)}
    if len(names) > 1:
        which = f"surely above guessing on {len(above)} of {len(names)}"
    else:
        which = "surely above guessing" if above else "not surely above guessing"
    notes = (
        "Dots with exact 95 % intervals; the grey stroke is what guessing has right.",
        "Bold: surely above guessing, corrected for all methods and sets.",
    )
    return Caption(f"{TITLES[kind]}: {which}", notes)


def _phenomena(view: RecordView, name: str) -> Caption:
    """Return the caption on the phenomena of one set of minimal pairs: how often the good sentence is likelier."""
    whole = next(row for row in rows_of_first_method(view, name) if row["name"] == "all")
    notes: tuple[str, ...] = (f"By {whole['method']}, with exact 95 % intervals. The line is guessing.",)
    if finite(whole["human"]) is not None:
        notes += ("People and GPT-2 as published with the data (means over paradigms).",)
    return Caption(f"{name}: the good sentence is likelier in {share(whole['accuracy'])} of pairs", notes)


def _differences(view: RecordView) -> Caption:
    """Return the caption on comparisons of two methods: how many are beyond luck."""
    rows = compared_methods(view)
    if not rows:
        return Caption("No two methods to compare", absent="A single method answered.")
    notes = (
        "On the same items; intervals are exact for the items on which two methods differ.",
        "Bold: beyond luck, corrected for all comparisons.",
    )
    return Caption(f"{sum(map(is_sure, rows))} of {len(rows)} comparisons of two methods are beyond luck", notes)
