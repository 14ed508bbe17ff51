"""The words that context changes most and least, model by model, at the layer where it changes words most."""

from __future__ import annotations

from wordworth.reports.context.view import View
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Grid, plain

_SHOWN = 12
_OFTEN = 20
"""Contexts from which on a word is listed: of fewer, chance decides who comes first."""


def note(view: View) -> str:
    """From how many contexts on a word is listed, and at which layer."""
    return (
        f"Of words in {_OFTEN} or more different sentences, where there are any (the measures count words from "
        f"{view.settings.get('contexts', 'some')} on): of fewer, chance decides who comes first. The layer is the one "
        "where words are least alike once the mean vector is taken off, of those that the answer names."
    )


def extremes(view: View) -> list[Grid]:
    """Two tables a model that has layers: its least and its most self-similar words; none without words."""
    rows, numbers = view.rows("words"), view.findings("verdict")[0]["numbers"]["models"]
    found = []
    for model in (str(row["model"]) for row in view.models if row["layers"]):
        layer = int(numbers[model]["layer"])
        mine = [row for row in rows if row["model"] == model]
        if not mine:
            continue
        often = [row for row in mine if row["contexts"] >= _OFTEN] or mine
        ranked = sorted(often, key=lambda row: row["self_similarity"][layer])
        found += [
            _table(f"{model}: most changed by context, layer {layer}", ranked[:_SHOWN], layer),
            _table(f"{model}: least changed by context, layer {layer}", ranked[: -_SHOWN - 1 : -1], layer),
        ]
    return found


def _table(caption: str, rows: list[Row], layer: int) -> Grid:
    cells = [(str(row["word"]), f"{row['self_similarity'][layer]:.3f}", f"{row['contexts']:,}") for row in rows]
    return plain(caption, ("word", "self-similarity, not adjusted", "contexts"), cells)
