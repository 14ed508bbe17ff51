"""The word explorer: a word's occurrences in a plane, its curves by layer, its neighbours in two contexts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wordworth.pages.charts import layers, sense_map
from wordworth.pages.charts.frame import Size
from wordworth.pages.charts.layers import Layers, Level, Model
from wordworth.pages.charts.palette import Look, key
from wordworth.pages.charts.sense_map import Occurrence
from wordworth.pages.charts.svg import Markup
from wordworth.pages.layered import LOOKS
from wordworth.pages.numbers import exact, finite, unit, written
from wordworth.pages.recorded import Row
from wordworth.pages.senses.view import View
from wordworth.pages.tables import Grid, plain

_SCORE = unit("accuracy")
_CURVE = Size("curve", 360, 220)
_PICTURED, _LEAST_TESTED, _BEST, _WORST = 3, 20, 2, 2
_CURVES = {
    "same": ("one sense", Look(6, "circle")),
    "self_similarity": ("any two", Look(1, "square")),
    "different": ("two senses", Look(7, "triangle")),
}


@dataclass(frozen=True, slots=True)
class Sense:
    """A line of the key: its shape, its name, how often it is there, and an example."""

    key: Markup
    name: str
    count: str


@dataclass(frozen=True, slots=True)
class Context:
    """An occurrence and the words nearest to it."""

    key: Markup
    sense: str
    before: str
    form: str
    after: str
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the explorer; `typed` is what a reader types to find it."""

    id: str
    word: str
    typed: str
    data: str
    told: str
    picture: Markup
    shown: str
    senses: tuple[Sense, ...]
    others: str
    curve: Markup
    curves: Grid
    contexts: tuple[Context, ...]


@dataclass(frozen=True, slots=True)
class Explorer:
    """All words by name, and the few that are shown at once: those told best and worst against frequency."""

    entries: tuple[Entry, ...]
    best: tuple[Entry, ...]
    worst: tuple[Entry, ...]
    model: str


def explorer(view: View) -> Explorer:
    """The explorer; without entries where the record has none."""
    rows = view.rows("explorer")
    pictured, near = _by_entry(view.rows("occurrences")), _by_entry(view.rows("neighbours"))
    found = {int(row["entry"]): _entry(row, pictured[row["entry"]], near.get(row["entry"], ())) for row in rows}
    ranked = sorted((row for row in rows if row["tested"] >= _LEAST_TESTED), key=_gain)
    best, worst = [row for row in ranked[::-1] if _gain(row) > 0], [row for row in ranked if _gain(row) < 0]
    return Explorer(
        entries=tuple(sorted(found.values(), key=lambda entry: (entry.typed, entry.data))),
        best=tuple(found[row["entry"]] for row in best[:_BEST]),
        worst=tuple(found[row["entry"]] for row in worst[:_WORST]),
        model=next((str(row["model"]) for row in view.models if row["layers"]), ""),
    )


def _gain(row: Row) -> float:
    """The share of occurrences that the vectors win over the most frequent sense, less those they lose."""
    return float(row["right"] - row["frequent"]) / float(row["tested"])


def _by_entry(rows: Iterable[Row]) -> Mapping[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["entry"], []).append(row)
    return found


def _entry(row: Row, pictured: list[Row], near: Iterable[Row]) -> Entry:
    identity, names = f"word-{row['entry']}", [str(name) for name in row["senses"]]
    seen = sorted({int(one["sense"]) for one in pictured})
    looks = {sense: LOOKS[place % len(LOOKS)] for place, sense in enumerate(seen)}
    senses = tuple(Sense(key(looks[sense]), names[sense], f"{row['counts'][sense]:,}") for sense in seen)
    rest = len(names) - len(seen)
    return Entry(
        id=identity,
        word=str(row["word"]),
        typed=str(row["word"]).partition(" (")[0].lower(),
        data=str(row["data"]),
        told=_told(row),
        picture=_picture(row, pictured, looks, names),
        shown=f"{_SCORE.score(finite(row['shown']))} %",
        senses=senses,
        others=f"{rest} rarer sense{'s' * (rest > 1)} not pictured" if rest else "",
        curve=_curve(row, identity),
        curves=_curves(row),
        contexts=tuple(_context(one, looks, names) for one in near),
    )


def _told(row: Row) -> str:
    if not row["tested"]:
        return f"{row['occurrences']:,} occurrences. None of them is tested."
    right, usual = (_SCORE.score(row[name] / row["tested"]) for name in ("right", "frequent"))
    return (
        f"{row['occurrences']:,} occurrences teach. Of {row['tested']:,} tested the nearest centroid (layer "
        f"{row['layer']}) tells {right} % right, the most frequent sense {usual} %."
    )


def _picture(row: Row, pictured: list[Row], looks: Mapping[int, Look], names: list[str]) -> Markup:
    places = [
        Occurrence(one["x"], one["y"], looks[one["sense"]], f"{names[one['sense']]}: {_line(one)}") for one in pictured
    ]
    text = f"{len(pictured)} occurrences of {row['word']} in a plane, a shape a sense"
    return sense_map.draw(places, text)


def _line(one: Row) -> str:
    return " ".join(filter(None, (one["before"], one["form"].upper(), one["after"])))


def _curve(row: Row, identity: str) -> Markup:
    depth = len(row["self_similarity"]) - 1
    models = [
        Model(
            name,
            depth,
            tuple(Level(layer, value) for layer, one in enumerate(row[of]) if (value := finite(one)) is not None),
            look,
        )
        for of, (name, look) in _CURVES.items()
    ]
    data = Layers(tuple(model for model in models if model.levels), "mean cosine", written)
    return layers.draw(data, _CURVE, f"{identity}-curve").svg


def _curves(row: Row) -> Grid:
    layered = range(len(row["self_similarity"]))
    cells = [(name, *(exact(value) for value in row[of])) for of, (name, _) in _CURVES.items()]
    return plain(f"Mean cosine of two occurrences of {row['word']}", ("layer", *map(str, layered)), cells)


def _context(one: Row, looks: Mapping[int, Look], names: list[str]) -> Context:
    words = ", ".join(map(str, one["words"]))
    look = key(looks[one["sense"]]) if one["sense"] in looks else Markup("")
    return Context(look, names[one["sense"]], one["before"], one["form"], one["after"], words)
