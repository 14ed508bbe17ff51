"""The word explorer of word senses: the words with the best and worst accuracy, and a note on each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wordworth.reports.charts.layers import Level, Model
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import exact, finite, unit
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import View
from wordworth.reports.tables import Grid, plain
from wordworth.reports.word_explorer import Entry, Told, by_entry, entry
from wordworth.text_format import count_of

_SCORE = unit("accuracy")
_LEAST_TESTED, _BEST, _WORST = 20, 2, 2
_CURVES = {
    "same": ("one sense", SeriesStyle(6, "circle")),
    "self_similarity": ("any two", SeriesStyle(1, "square")),
    "different": ("two senses", SeriesStyle(7, "triangle")),
}


@dataclass(frozen=True, slots=True)
class Explorer:
    """All words by name, and the few that are always visible: the best and worst relative to the baseline."""

    entries: tuple[Entry, ...]
    best: tuple[Entry, ...]
    worst: tuple[Entry, ...]
    model: str


def explorer(view: View) -> Explorer:
    """The explorer; without entries if the record has none."""
    rows = view.rows("explorer")
    pictured, near = by_entry(view.rows("occurrences")), by_entry(view.rows("neighbours"))
    entries = {
        int(row["entry"]): entry(
            row, pictured[row["entry"]], near.get(row["entry"], ()), _details(row, pictured[row["entry"]])
        )
        for row in rows
    }
    ranked = sorted((row for row in rows if row["tested"] >= _LEAST_TESTED), key=_gain)
    best, worst = [row for row in ranked[::-1] if _gain(row) > 0], [row for row in ranked if _gain(row) < 0]
    return Explorer(
        entries=tuple(sorted(entries.values(), key=lambda entry: (entry.typed, entry.data))),
        best=tuple(entries[row["entry"]] for row in best[:_BEST]),
        worst=tuple(entries[row["entry"]] for row in worst[:_WORST]),
        model=next((str(row["model"]) for row in view.models if row["layers"]), ""),
    )


def _gain(row: Row) -> float:
    """The share of occurrences that the vectors win over the most frequent sense, minus those they lose."""
    return float(row["right"] - row["frequent"]) / float(row["tested"])


def _details(row: Row, pictured: list[Row]) -> Told:
    rest = len(row["senses"]) - len({occurrence["sense"] for occurrence in pictured})
    return Told(
        typed=str(row["word"]).partition(" (")[0].lower(),
        data=str(row["data"]),
        told=_tested(row, len(pictured)),
        curves=tuple(_curves(row)),
        table=_table(row),
        others=f"{rest} rarer sense{'s' * (rest > 1)} not pictured" if rest else "",
    )


def _tested(row: Row, marks: int) -> str:
    number = count_of(row["occurrences"], "tagged example")
    drawn_part = f", {marks} of them shown" if marks < row["occurrences"] else ""
    if not row["tested"]:
        return f"Learned from {number}{drawn_part}. None of its occurrences is tested."
    right, baseline = (_SCORE.score(row[name] / row["tested"]) for name in ("right", "frequent"))
    return (
        f"Learned from {number}{drawn_part}. Of {count_of(row['tested'], 'tested occurrence')} the nearest centroid "
        f"(layer {row['layer']}) gets {right} % right, the most frequent sense {baseline} %."
    )


def _curves(row: Row) -> Iterator[Model]:
    """A curve of pairs within a sense, one of pairs across senses, one of all pairs; undefined ones are left out."""
    for column, (name, look) in _CURVES.items():
        values = ((layer, finite(value)) for layer, value in enumerate(row[column]))
        levels = tuple(Level(layer, value) for layer, value in values if value is not None)
        if levels:
            yield Model(name, len(row[column]) - 1, levels, look)


def _table(row: Row) -> Grid:
    layered = range(len(row["self_similarity"]))
    cells = [(name, *(exact(value) for value in row[column])) for column, (name, _) in _CURVES.items()]
    return plain(f"Mean cosine of two occurrences of {row['word']}", ("layer", *map(str, layered)), cells)
