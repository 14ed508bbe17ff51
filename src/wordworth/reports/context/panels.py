"""One panel for each measure: the models by layer with bands, each beside its null, the paper's own curves in grey."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.context import repetitions, stop_words
from wordworth.reports.context.curve_description import describe_curves
from wordworth.reports.context.view import View
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, exact, finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid

_HEIGHT = 300


@dataclass(frozen=True, slots=True)
class Panel:
    """The texts of a measure: title, axis, and its meaning in a line."""

    title: str
    axis: str
    note: str


@dataclass(frozen=True, slots=True)
class Group:
    """Panels under one heading."""

    title: str
    figures: tuple[Figure, ...]


_WORDS = {
    "self_similarity_adjusted": Panel(
        "How alike a word's occurrences are, above the baseline",
        "cosine above the baseline",
        "Two occurrences of one word, minus two of any words. Low: context decides what a word's vector is.",
    ),
    "self_similarity": Panel(
        "How alike a word's occurrences are, plain cosine",
        "cosine",
        "Two occurrences of one word. The dotted null is any two occurrences.",
    ),
    "self_similarity_centred": Panel(
        "How alike a word's occurrences are, mean vector subtracted",
        "cosine, mean subtracted",
        "Later work found that a few large dimensions make most plain cosines; without the mean they weigh less.",
    ),
    "self_similarity_repeated": Panel(
        "How alike a word's occurrences are, repeated sentences left in",
        "cosine above the baseline",
        "Repeated sentences make their words look alike. Dotted: the same words with each sentence once.",
    ),
}
_SENTENCES = {
    "between_words": Panel(
        "How alike the words of one sentence are, above the baseline",
        "cosine above the baseline",
        "Any two words of a sentence. Its null is sentences of the same lengths made of any words.",
    ),
    "intra_sentence": Panel(
        "How alike a word and the mean of its sentence are, as the paper measured it",
        "cosine above the baseline",
        "A word and the mean of its sentence, itself in it: far above 0 in short sentences even where context does "
        "nothing. Only the distance from the dotted null tells.",
    ),
}
_EXPLAINED = {
    "explained_literal": Panel(
        "Share of a word's squared length that one fixed vector holds",
        "share",
        "The paper's formula. Mostly the share of the mean.",
    ),
    "explained_centred": Panel(
        "Share of a word's variance that one direction holds", "share", "What is left once the mean is gone."
    ),
    "explained_published": Panel(
        "Share of a word's variance along its mean, as the paper's statistics have it",
        "share",
        "The variance that lies along the mean direction: small although one vector holds most of the length.",
    ),
}
_SPACE = {
    "baseline": Panel(
        "How alike any two occurrences are", "mean cosine", "The anisotropy that the adjusted measures subtract."
    ),
    "iso_score": Panel(
        "How evenly directions are used",
        "IsoScore",
        "1: the same variance everywhere; the mean plays no part. The dotted null is as many isotropic points.",
    ),
    "top_share": Panel(
        "Share of the baseline that three dimensions make", "share", "The part of the mean cosine from three of all."
    ),
    "length": Panel(
        "Length of vectors", "length", "Of all but first vectors, in the model's own units, so that it has no null."
    ),
    "length_first": Panel(
        "Length of first vectors", "length", "Of the first vector of each sentence: some models put a giant there."
    ),
}
_FIRST = "self_similarity_adjusted"
_GROUPS = {
    "Words in different places": _WORDS,
    "Words of one sentence": _SENTENCES,
    "Could one vector do?": _EXPLAINED,
    "The space itself": _SPACE,
}


def groups(view: View) -> list[Group]:
    """All panels of what was measured, in reading order."""
    panel_groups, measured = [], {row["measure"] for row in view.layers} - repetitions.of_no_matter(view)
    for title, panels in _GROUPS.items():
        figures = tuple(_figure(view, measure, panel) for measure, panel in panels.items() if measure in measured)
        stops = stop_words.figure(view) if panels is _WORDS else None
        panel_groups.append(Group(title, (*figures, stops) if stops else figures))
    return panel_groups


def _figure(view: View, measure: str, panel: Panel) -> Figure:
    rows = [row for row in view.layers if row["measure"] == measure]
    measured = tuple(model for name in view.looks if (model := _model(view, name, rows)))
    if not measured:
        return Figure(measure, panel.title, "", absent="No model has a value: a static table's words do not vary.")
    models = (*_published(view, measure), *measured)
    data = Layers(models, panel.axis, written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), measure, height=_HEIGHT)
    title = f"{panel.title}: {describe_curves(measured)}"
    text = f"{panel.axis} by layer. {title}. {panel.note}"
    notes = (panel.note, *_reading_notes(view, measure, measured), *_missing(view, measured))
    return Figure(measure, title, text, picture, _table(title, rows), notes)


def _reading_notes(view: View, measure: str, measured: tuple[Model, ...]) -> Iterator[str]:
    """Notes that are needed to read the first panel."""
    if measure == _FIRST and len(measured) > 1:
        yield (
            "Each model has its own baseline taken off: compare where these curves bend, not how high they lie. With "
            "the mean vector taken off heights compare better."
        )
    if measure == _FIRST:
        yield from repetitions.told(view)


def _missing(view: View, measured: tuple[Model, ...]) -> tuple[str, ...]:
    """Name the models that have no value, so that they are not silently missing."""
    absent = [name for name in view.looks if name not in {model.name for model in measured}]
    return (f"Undefined for {', '.join(absent)}: occurrences of a word do not differ there.",) if absent else ()


def _model(view: View, name: str, rows: list[Row]) -> Model | None:
    levels = tuple(
        Level(int(row["layer"]), value, finite(row["low"]), finite(row["high"]), finite(row["null"]))
        for row in rows
        if row["model"] == name and (value := finite(row["value"])) is not None
    )
    return Model(name, view.depth(name), levels, view.looks[name]) if levels else None


def _published(view: View, measure: str) -> Iterator[Model]:
    rows = [row for row in view.rows("published") if row["measure"] == measure]
    for name in dict.fromkeys(str(row["model"]) for row in rows):
        model_rows = [row for row in rows if row["model"] == name]
        levels = tuple(Level(int(row["layer"]), float(row["value"])) for row in model_rows)
        yield Model(f"{name} 2019", max(level.layer for level in levels), levels)


def _table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "value", "95 %", "null", "over")
    columns = tuple(Column(head, numeric=head not in {"model", "over"}) for head in heads)
    return Grid(title, columns, tuple(tuple(_cells(row)) for row in rows))


def _cells(row: Row) -> Iterator[Cell]:
    yield Cell(str(row["model"]))
    yield Cell(str(row["layer"]))
    yield Cell(exact(row["value"]), why="occurrences of a word do not differ")
    low, high = exact(row["low"]), exact(row["high"])
    yield Cell(ABSENT if ABSENT in {low, high} else f"{low} to {high}", why="no value")
    yield Cell(exact(row["null"]), why="this measure has no null")
    yield Cell(f"{row['number']:,} {row['of']}")
