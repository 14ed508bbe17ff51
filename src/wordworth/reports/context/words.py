"""The words that context changes most and least, for each model, at the layer where context changes words most."""

from __future__ import annotations

from wordworth.reports.context.view import View
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Grid, plain

_MOST_LISTED = 12
_OFTEN = 20
"""Fewest contexts of a listed word: with fewer, chance decides which word comes first."""


def note(view: View) -> str:
    """The fewest contexts of a listed word, and its layer."""
    return (
        f"Only words in {_OFTEN} or more different sentences, if there are any (the measures count words from "
        f"{view.settings.get('contexts', 'some')} on): with fewer, chance decides which comes first. Of the layers "
        "named in the answer, this is the one where words are least alike once the mean vector is subtracted."
    )


def extremes(view: View) -> list[Grid]:
    """Two tables for each model with layers: its least and its most self-similar words; none without words."""
    rows, numbers = view.rows("words"), view.findings("verdict")[0]["numbers"]["models"]
    tables = []
    for model in (str(row["model"]) for row in view.models if row["layers"]):
        layer = int(numbers[model]["layer"])
        model_rows = [row for row in rows if row["model"] == model]
        if not model_rows:
            continue
        often = [row for row in model_rows if row["contexts"] >= _OFTEN] or model_rows
        ranked = sorted(often, key=lambda row: row["self_similarity"][layer])
        tables += [
            _table(f"{model}: most changed by context, layer {layer}", ranked[:_MOST_LISTED], layer),
            _table(f"{model}: least changed by context, layer {layer}", ranked[: -_MOST_LISTED - 1 : -1], layer),
        ]
    return tables


def _table(caption: str, rows: list[Row], layer: int) -> Grid:
    cells = [(str(row["word"]), f"{row['self_similarity'][layer]:.3f}", f"{row['contexts']:,}") for row in rows]
    return plain(caption, ("word", "self-similarity, not adjusted", "contexts"), cells)
