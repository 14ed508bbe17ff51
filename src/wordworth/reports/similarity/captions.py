"""The captions of a `similarity` record's charts: of kinds of word pairs, of a query's words, and of pairs of texts."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import finite, two_decimals
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.similarity.record_view import (
    MOST_UNITS,
    TOTAL,
    TextPair,
    largest_parts,
    pairs_with_words,
    with_random_weights,
)
from wordworth.sentence_formatting import decimal


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `similarity` record -> its caption."""
    view = RecordView.of(record)
    return {
        **({"kinds": _kinds(view)} if view.rows("kinds") else {}),
        **({"random-weights": _random_weights(view)} if view.rows("random_weights") else {}),
        **({"query-words": _query_words(view)} if view.rows("query_words") else {}),
        **{pair.chart: _pair(pair) for pair in pairs_with_words(view)},
    }


def _kinds(view: RecordView) -> Caption:
    """Return the caption on kinds of word pairs: the kind that differs most from random pairs."""
    note = "Dots with 95 % intervals over pairs. A random pair has the second text of another pair."
    gaps = [row for row in view.rows("kinds") if row["kind"] != TOTAL and finite(row["gap"]) is not None]
    if not gaps:
        return Caption("Pairs beside random pairs", (note,))
    best = max(gaps, key=lambda row: row["gap"])
    return Caption(f"Most of the difference, {two_decimals(best['gap'])}, is from {best['kind']}", (note,))


def _random_weights(view: RecordView) -> Caption:
    """Return the caption that compares the model with random weights: what all word pairs give beyond random pairs."""
    kinds = with_random_weights(view)
    of_model, of_random = next(((row, random) for row, random in kinds if row["kind"] == TOTAL), kinds[-1])
    gap, random_gap = two_decimals(of_model["gap"]), two_decimals(of_random["gap"])
    note = "Dots with 95 % intervals over pairs. Random weights: an encoder of the same shape that learned nothing."
    return Caption(f"Pairs differ from random pairs by {gap}, with random weights by {random_gap}", (note,))


def _query_words(view: RecordView) -> Caption:
    """Return the caption on a query's words: the word that gives most to the nearest texts."""
    largest = largest_parts(view)
    best = next((row for row in largest if not row["special"]), largest[0])
    mean, random = two_decimals(best["mean"]), two_decimals(best["random"])
    note = (
        "The nearest texts were chosen by the sum of these parts: that it is larger there is so by construction. A "
        "word's part in texts that the other words choose is not. Of these and of the nearest, 95 % intervals over "
        "texts; of random texts the range of 95 % of draws of as many."
    )
    return Caption(f"“{best['word']}” gives {mean} to the nearest texts, {random} to random ones", (note,))


def _pair(pair: TextPair) -> Caption:
    """Return the caption of a pair of texts: its cosine and, if known, the two words that contribute most to it."""
    title = _pair_title(pair)
    if not pair.cells or max(map(len, pair.sides)) > MOST_UNITS:
        return Caption(title, absent=_absent(pair.row))
    return Caption(title, (_agreement(pair.row),))


def _pair_title(pair: TextPair) -> str:
    cosine = f"Pair {pair.row['pair']}: cosine {two_decimals(pair.row['cosine'])}"
    known = [cell for cell in pair.cells if finite(cell["value"]) is not None]
    if not known:
        return cosine
    best = max(known, key=lambda cell: cell["value"])
    first, second = (pair.sides[side][best[key] - 1]["word"] for side, key in enumerate(("first", "second")))
    return f"{cosine}, of which {two_decimals(best['value'])} from “{first}” and “{second}”"


def _absent(row: Row) -> str:
    if row.get("same_words", 0) is None:
        return "The cosine is no sum over words under this pooling: the table has what each word is worth."
    return "The texts are too long to draw: their words are in the table."


def _agreement(row: Row) -> str:
    parts = "Numbers are hundredths of the cosine, and add up to it. Orange squares, marked −, take from it."
    value = finite(row["agreement"])
    if value is None:
        return parts
    return f"{parts} Leaving words out ranks them with a correlation of {decimal(value, 2)}."
