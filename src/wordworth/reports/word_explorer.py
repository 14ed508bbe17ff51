"""The word explorer that pages share: a word's occurrences in a plane, its curves, its neighbours in two contexts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wordworth.reports.charts import layers, projection
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.layers import Layers, Model
from wordworth.reports.charts.palette import SeriesStyle, key
from wordworth.reports.charts.projection import Occurrence
from wordworth.reports.charts.svg import Markup
from wordworth.reports.layered_view import LOOKS
from wordworth.reports.number_format import finite, unit, written
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Grid
from wordworth.text_format import count_of

_SCORE = unit("accuracy")
_CURVE = Size("curve", 360, 220)
_OPENING, _CLOSING = tuple("([{“‘$€£"), tuple(".,;:!?)]}”’%")
"""Marks that stand without a blank before or behind a word."""
_UNTAGGED = SeriesStyle(0, "disc-hole")


@dataclass(frozen=True, slots=True)
class Sense:
    """A line of the key: its shape, its name, and how often it is there."""

    key: Markup
    name: str
    count: str


@dataclass(frozen=True, slots=True)
class Context:
    """An occurrence, its number in the picture, and the words nearest to it; `sense` is empty where none is known.

    The texts before and after have the blanks that stand between them and the word.
    """

    key: Markup
    number: str
    sense: str
    before: str
    form: str
    after: str
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the explorer; `typed` is what a reader types to find it, `shown` what the picture shows and hides."""

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
class Told:
    """What a page says of a word in its own way: where it is from, a line on it, its curves, and senses left out."""

    typed: str
    data: str
    told: str
    curves: tuple[Model, ...]
    table: Grid
    others: str = ""


def by_entry(rows: Iterable[Row]) -> Mapping[int, list[Row]]:
    """Rows of a table by the entry of the explorer that they belong to."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(int(row["entry"]), []).append(row)
    return found


def entry(row: Row, pictured: Sequence[Row], near: Sequence[Row], told: Told) -> Entry:
    """A word from its rows of the tables `explorer`, `occurrences` and `neighbours`."""
    identity, names = f"word-{row['entry']}", [str(name) for name in row["senses"]]
    looks = _looks(pictured)
    marks = _marks(pictured, near, looks, names)
    return Entry(
        id=identity,
        word=str(row["word"]),
        typed=told.typed,
        data=told.data,
        told=told.told,
        picture=_picture(row, marks, names),
        shown=_shown(row, marks),
        senses=tuple(_key(row, pictured, looks, names)),
        others=told.others,
        curve=layers.draw(Layers(told.curves, "mean cosine", written), _CURVE, f"{identity}-curve").svg,
        curves=told.table,
        contexts=tuple(_context(one, number, looks, names) for number, one in enumerate(near, 1)),
    )


def _looks(pictured: Sequence[Row]) -> dict[int | None, SeriesStyle]:
    """A shape and a colour a sense, one for all that are rarer; grey for what nobody tagged, unless that is all."""
    there = {one["sense"] for one in pictured}
    known = sorted(sense for sense in there if sense is not None)
    looks: dict[int | None, SeriesStyle] = {
        sense: LOOKS[min(place, len(LOOKS) - 1)] for place, sense in enumerate(known)
    }
    return looks | ({None: _UNTAGGED if known else LOOKS[0]} if None in there else {})


def _key(
    row: Row, pictured: Sequence[Row], looks: Mapping[int | None, SeriesStyle], names: Sequence[str]
) -> Iterator[Sense]:
    known = [sense for sense in looks if sense is not None]
    own = known if len(known) <= len(LOOKS) else known[: len(LOOKS) - 1]
    marks = Counter(one["sense"] for one in pictured)
    for sense in own:
        yield Sense(key(looks[sense]), names[sense], _number(marks[sense], row["counts"][sense]))
    if rarer := known[len(own) :]:
        number = sum(row["counts"][sense] for sense in rarer)
        some = sum(marks[sense] for sense in rarer)
        yield Sense(key(looks[rarer[0]]), f"{len(rarer)} rarer senses", _number(some, number))
    if None in looks:
        number = sum(one["sense"] is None for one in pictured)
        if len(looks) > 1:
            yield Sense(key(looks[None]), "sense not tagged", _number(number, number))
        else:
            yield Sense(key(looks[None]), count_of(number, "occurrence"), "")


def _number(marks: int, known: int) -> str:
    """How many marks there are, and of how many occurrences where not all are drawn."""
    return f"({marks:,} of {known:,})" if marks < known else f"({marks:,})"


def _marks(
    pictured: Sequence[Row], near: Sequence[Row], looks: Mapping[int | None, SeriesStyle], names: Sequence[str]
) -> list[Occurrence]:
    numbers = {_line(one): str(number) for number, one in enumerate(near, 1)}
    return [
        Occurrence(one["x"], one["y"], looks[one["sense"]], _said(one, names), numbers.get(_line(one), ""))
        for one in pictured
    ]


def _picture(row: Row, marks: Sequence[Occurrence], names: Sequence[str]) -> Markup:
    shapes = ", a shape a sense" if names else ""
    return projection.draw(marks, f"{len(marks)} occurrences of {row['word']} in a plane{shapes}")


def _shown(row: Row, marks: Sequence[Occurrence]) -> str:
    """What of the occurrences the picture shows."""
    under = count_of(hidden, "mark lies", "marks lie") if (hidden := projection.covered(marks)) else ""
    more = f" {under} under another." if under else ""
    return f"The plane holds {_SCORE.score(finite(row['shown']))} % of how these occurrences differ.{more}"


def _said(one: Row, names: Sequence[str]) -> str:
    return _line(one) if one["sense"] is None else f"{names[one['sense']]}: {_line(one)}"


def _line(one: Row) -> str:
    return " ".join(filter(None, (one["before"], one["form"].upper(), one["after"])))


def _context(one: Row, number: int, looks: Mapping[int | None, SeriesStyle], names: Sequence[str]) -> Context:
    sense = one["sense"]
    return Context(
        key=key(looks[sense]) if sense in looks else Markup(""),
        number=str(number),
        sense="" if sense is None else names[sense],
        before=one["before"] + " " * (not one["before"].endswith(_OPENING)),
        form=one["form"],
        after=" " * (not one["after"].startswith(_CLOSING)) + one["after"],
        words=", ".join(map(str, one["words"])),
    )
