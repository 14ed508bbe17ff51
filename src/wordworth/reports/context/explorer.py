"""The word explorer of a model's contextual vectors: each word's curve beside that of any two words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wordworth.reports.charts.layers import Level, Model
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.context.view import View
from wordworth.reports.layered_view import LOOKS
from wordworth.reports.number_format import ABSENT, exact, finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Grid, plain
from wordworth.reports.word_explorer import Entry, Told, by_entry, entry

_OTHERS, _PLAIN = "any two words", SeriesStyle(1, "square")


@dataclass(frozen=True, slots=True)
class Explorer:
    """All words by name, a note on them, and a description of what an entry shows."""

    entries: tuple[Entry, ...]
    note: str
    appears: str


def explorer(view: View) -> Explorer:
    """The explorer; without entries if the record has none."""
    rows = view.rows("explorer")
    pictured, near = by_entry(view.rows("occurrences")), by_entry(view.rows("neighbours"))
    entries = [entry(row, pictured[row["entry"]], near.get(row["entry"], ()), _details(view, row)) for row in rows]
    tagged = any(row["senses"] for row in rows)
    return Explorer(
        entries=tuple(sorted(entries, key=lambda entry: (entry.typed, entry.word))),
        note=_note(rows[0], tagged=tagged) if rows else "",
        appears=f"its occurrences{' by sense' * tagged}, its cosines by layer and its nearest words in two contexts",
    )


def _note(row: Row, *, tagged: bool) -> str:
    sense = " Its shape and colour are the sense that people gave it." if tagged else ""
    return (
        f"Words as {row['model']} sees them at layer {row['layer']}. Each mark is one occurrence of a word in its "
        f"sentence.{sense} Marks that are close together are similar to the model. Point at one to read its sentence."
    )


def _details(view: View, row: Row) -> Told:
    any_two = _baseline(view, str(row["model"]))
    return Told(
        typed=str(row["word"]).lstrip("Ġ▁").removeprefix("##").lower(),
        data=str(row["model"]),
        told=_sentence(row, any_two),
        curves=tuple(_curves(row, any_two)),
        table=_table(row, any_two),
    )


def _baseline(view: View, model: str) -> list[float | None]:
    """The mean cosine of any two occurrences, by layer."""
    return [finite(row["value"]) for row in view.layers if row["measure"] == "baseline" and row["model"] == model]


def _sentence(row: Row, any_two: list[float | None]) -> str:
    layer = row["layer"]
    value, between = written(row["self_similarity"][layer]), _interval(row, layer, written)
    interval = f" (95 %: {between})" if between != ABSENT else ""
    return (
        f"Occurs in {row['contexts']:,} different sentences, {row['occurrences']:,} times. Two of its occurrences have "
        f"a mean cosine of {value}{interval} at layer {layer}; any two words have {written(any_two[layer])}."
    )


def _interval(row: Row, layer: int, as_words: Callable[[object], str]) -> str:
    """The interval; a dash if there are too few occurrences for one."""
    low, high = as_words(row["low"][layer]), as_words(row["high"][layer])
    return ABSENT if ABSENT in {low, high} else f"{low} to {high}"


def _curves(row: Row, any_two: list[float | None]) -> Iterator[Model]:
    """The word's own curve with its interval, and that of any two words."""
    own = tuple(
        Level(layer, float(value), finite(row["low"][layer]), finite(row["high"][layer]))
        for layer, value in enumerate(row["self_similarity"])
    )
    yield Model(str(row["word"]), len(own) - 1, own, LOOKS[0])
    others = tuple(Level(layer, value) for layer, value in enumerate(any_two) if value is not None)
    yield Model(_OTHERS, len(own) - 1, others, _PLAIN)


def _table(row: Row, any_two: list[float | None]) -> Grid:
    layered = range(len(any_two))
    cells = (
        (str(row["word"]), *(exact(value) for value in row["self_similarity"])),
        ("95 %", *(_interval(row, layer, exact) for layer in layered)),
        (_OTHERS, *(exact(value) for value in any_two)),
    )
    return plain(f"Mean cosine of two occurrences of {row['word']}", ("layer", *map(str, layered)), cells)
