"""One panel for each measure: the models by layer with bands, each beside its null, the paper's own curves in grey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, exact, finite, interval, written
from wordworth.reports.record_view import LayeredView, Row
from wordworth.reports.tables import Cell, Grid, plain

_HEIGHT = 300
_FIRST, _REPEATED, _STOP_WORDS = "self_similarity_adjusted", "self_similarity_repeated", "stop_words"
_INDISTINGUISHABLE = 0.005
"""Two curves that are closer than this everywhere look like one."""
_OTHER_WORDS = SeriesStyle(1, "square")


@dataclass(frozen=True)
class View(LayeredView):
    """A context record: its models and layers, and how each model is drawn."""

    needed = frozenset({"models", "layers"})

    @cached_property
    def layers(self) -> list[Row]:
        """A row for each model, layer and measure."""
        return self.rows("layers")


@dataclass(frozen=True, slots=True)
class Panel:
    """The texts of a measure: title, axis, and its meaning in a line."""

    title: str
    axis: str
    note: str


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
_GROUPS = {
    "Words in different places": _WORDS,
    "Words of one sentence": _SENTENCES,
    "Could one vector do?": _EXPLAINED,
    "The space itself": _SPACE,
}


def panels(view: View) -> list[tuple[str, tuple[Figure, ...]]]:
    """Return the panels of what was measured, in reading order, under their headings."""
    measured = {row["measure"] for row in view.layers}
    if not _repetitions_matter(view):
        measured.discard(_REPEATED)
    groups = []
    for title, texts in _GROUPS.items():
        figures = [_figure(view, measure, panel) for measure, panel in texts.items() if measure in measured]
        figures += _stop_words(view) if texts is _WORDS else []
        groups.append((title, tuple(figures)))
    return groups


def _figure(view: View, measure: str, panel: Panel) -> Figure:
    rows = [row for row in view.layers if row["measure"] == measure]
    measured = tuple(model for name in view.styles if (model := _model(view, name, rows)))
    if not measured:
        return Figure(measure, panel.title, "", absent="No model has a value: a static table's words do not vary.")
    data = Layers((*_published(view, measure), *measured), panel.axis, written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), measure, height=_HEIGHT)
    title = f"{panel.title}: {describe_curves(measured)}"
    text = f"{panel.axis} by layer. {title}. {panel.note}"
    notes = (panel.note, *_reading_notes(view, measure, measured), *_missing(view, measured))
    return Figure(measure, title, text, picture, _table(title, rows), notes)


def _reading_notes(view: View, measure: str, measured: tuple[Model, ...]) -> Iterator[str]:
    """Yield the notes that are needed to read the first panel."""
    if measure == _FIRST and len(measured) > 1:
        yield (
            "Each model has its own baseline taken off: compare where these curves bend, not how high they lie. With "
            "the mean vector taken off heights compare better."
        )
    if measure == _FIRST:
        yield from _repetitions(view)


def _missing(view: View, measured: tuple[Model, ...]) -> tuple[str, ...]:
    """Yield a note that names the models without a value, so that they are not silently missing."""
    absent = [name for name in view.styles if name not in {model.name for model in measured}]
    return (f"Undefined for {', '.join(absent)}: occurrences of a word do not differ there.",) if absent else ()


def _model(view: View, name: str, rows: list[Row]) -> Model | None:
    levels = tuple(
        Level(int(row["layer"]), value, finite(row["low"]), finite(row["high"]), finite(row["null"]))
        for row in rows
        if row["model"] == name and (value := finite(row["value"])) is not None
    )
    return Model(name, view.depth(name), levels, view.styles[name]) if levels else None


def _published(view: View, measure: str) -> Iterator[Model]:
    rows = [row for row in view.rows("published") if row["measure"] == measure]
    for name in dict.fromkeys(str(row["model"]) for row in rows):
        model_rows = [row for row in rows if row["model"] == name]
        levels = tuple(Level(int(row["layer"]), float(row["value"])) for row in model_rows)
        yield Model(f"{name} 2019", max(level.layer for level in levels), levels)


def _table(title: str, rows: list[Row]) -> Grid:
    cells = [
        (
            str(row["model"]),
            str(row["layer"]),
            Cell(exact(row["value"]), why="occurrences of a word do not differ"),
            Cell(interval(row["low"], row["high"]) or ABSENT, why="no value"),
            Cell(exact(row["null"]), why="this measure has no null"),
            f"{row['number']:,} {row['of']}",
        )
        for row in rows
    ]
    return plain(title, ("model", "layer", "value", "95 %", "null", "over"), cells, words=("over",))


def _repetitions_matter(view: View) -> bool:
    """Return True if the measure with repeated sentences left in differs anywhere from that without."""
    rows = [row for row in view.layers if row["measure"] == _REPEATED]
    pairs = [(finite(row["value"]), finite(row["null"])) for row in rows]
    return any(abs(v - null) > _INDISTINGUISHABLE for v, null in pairs if v is not None and null is not None)


def _repetitions(view: View) -> Iterator[str]:
    """Yield a sentence if nothing repeats or repetitions do not matter; nothing if they have their own panel."""
    total, read = finite(view.data.get("given")), finite(view.data["sentences"])
    if total is None or read is None or _repetitions_matter(view):
        return
    if total == read:
        yield "No sentence is repeated."
    else:
        yield f"{total - read:,.0f} of {total:,.0f} sentences repeat another; with them the curves are the same."


def _stop_words(view: View) -> list[Figure]:
    """Return stop words against the rest in the first model with layers; none if the text has too few of either."""
    rows = view.rows("stop_words")
    present = {str(row["model"]) for row in rows}
    names = [str(row["model"]) for row in view.models if row["layers"] and row["model"] in present]
    if not names:
        return []
    name = names[0]
    model_rows = [row for row in rows if row["model"] == name]
    stop = Model("stop words", view.depth(name), _levels(model_rows, "stop"), view.styles[name])
    rest = replace(stop, name="other words", levels=_levels(model_rows, "rest"), style=_OTHER_WORDS)
    data = Layers((stop, rest), "self-similarity, not adjusted", written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), _STOP_WORDS, height=_HEIGHT)
    title = f"How alike occurrences of stop words and of other words are in {name}: {_difference(model_rows[-1])}"
    note = _stop_words_note(model_rows[-1])
    tops = {str(row["model"]): row for row in rows}
    others = [f"In {other}: {_difference(row)}." for other, row in tops.items() if other != name and view.depth(other)]
    return [Figure(_STOP_WORDS, title, f"{title}. {note}", picture, _stop_words_table(title, rows), (note, *others))]


def _stop_words_note(top: Row) -> str:
    return (
        f"{top['stop_words']} stop words and {top['other_words']} others. The rank correlation of self-similarity "
        f"with the number of contexts is {written(top['variety'])} at the top (below 0: "
        "the more contexts a word has, the less alike its occurrences are)."
    )


def _difference(row: Row) -> str:
    """Return the difference in words: `stop words 0.22 less at the top`."""
    size = written(row["difference"]).removeprefix("−")
    return f"stop words {size} {'less' if row['difference'] < 0 else 'more'} at the top"


def _levels(rows: list[Row], part: str) -> tuple[Level, ...]:
    return tuple(
        Level(int(row["layer"]), float(row[part]), finite(row[f"{part}_low"]), finite(row[f"{part}_high"]))
        for row in rows
    )


def _stop_words_table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "stop words", "other words", "difference", "95 %", "variety of contexts")
    cells: list[tuple[Cell | str, ...]] = [
        (
            str(row["model"]),
            str(row["layer"]),
            *(exact(row[name]) for name in ("stop", "rest", "difference")),
            f"{exact(row['low'])} to {exact(row['high'])}",
            Cell(exact(row["variety"]), why="all words are equally alike"),
        )
        for row in rows
    ]
    return plain(title, heads, cells)


def describe_curves(models: Sequence[Model]) -> str:
    """Describe every model's curve, in full if there is only one."""
    if len(models) == 1:
        return _full_description(models[0])
    return ", ".join(map(_short_description, models))


def _full_description(model: Model) -> str:
    """Return a description such as `m from 0.91 at the input to 0.62 at layer 5, 0.68 at the top`."""
    first, last = model.levels[0], model.levels[-1]
    far = max(model.levels, key=lambda level: abs(level.value - first.value))
    if written(far.value) == written(first.value):
        return _short_description(model)
    if far is last:
        return f"{model.name} from {written(first.value)} at the input to {written(last.value)} at the top"
    return (
        f"{model.name} from {written(first.value)} at the input to {written(far.value)} at layer {far.layer}, "
        f"{written(last.value)} at the top"
    )


def _short_description(model: Model) -> str:
    """Return a description such as `m 0.91 to 0.62 (layer 5)`, or a static table's only value."""
    first = model.levels[0]
    far = max(model.levels, key=lambda level: abs(level.value - first.value))
    if written(far.value) == written(first.value):
        return f"{model.name} {written(first.value)}{' at every layer' * bool(model.depth)}"
    return f"{model.name} {written(first.value)} to {written(far.value)} (layer {far.layer})"
