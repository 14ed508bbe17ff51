"""The word explorer that several pages share: a word's occurrences in a plane, its curves by layer, its neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from wordworth.reports.charts import measure_by_layer, word_occurrences
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SERIES, SeriesStyle, key
from wordworth.reports.charts.svg import Markup
from wordworth.reports.charts.word_occurrences import Occurrence
from wordworth.reports.number_format import ABSENT, exact, finite, interval, two_decimals, unit
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Grid, plain
from wordworth.sentence_formatting import count_of

_SCORE = unit("accuracy")
_CURVE = Size("curve", 360, 220)
_OPENING, _CLOSING = tuple("([{“‘$€£"), tuple(".,;:!?)]}”’%")
"""Punctuation written without a space after it (opening) or before it (closing)."""
_UNTAGGED = SeriesStyle(0, "disc-hole")


@dataclass(frozen=True, slots=True)
class Sense:
    """A line of the legend of senses: the marker of a sense, its name, and the number of its occurrences."""

    key: Markup
    name: str
    count: str


@dataclass(frozen=True, slots=True)
class Context:
    """An occurrence of a word in its context.

    Attributes:
        key: marker of the sense that the word has in this occurrence.
        number: number beside the occurrence's point in the plane.
        sense: name of the sense; empty if it is not known.
        before: text before the word, with the space between.
        form: the word as it is written.
        after: text after the word, with the space between.
        words: the words whose vectors are nearest to the occurrence's vector.
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
    """A word of the word explorer, as the page shows it.

    Attributes:
        id: id of the entry on the page.
        word: the word.
        typed: text that a reader types to find the entry.
        data: data set that the word is from.
        sentence: sentence about the word.
        picture: the occurrences in a plane.
        picture_note: note on the picture.
        senses: legend of the picture.
        others: text on senses that are not shown; empty if all are.
        curve: chart of the curves by layer.
        curves: the values of these curves, for a table.
        contexts: numbered occurrences with their nearest words.
    """

    id: str
    word: str
    typed: str
    data: str
    sentence: str
    picture: Markup
    picture_note: str
    senses: tuple[Sense, ...]
    others: str
    curve: Markup
    curves: Grid
    contexts: tuple[Context, ...]


@dataclass(frozen=True, slots=True)
class WordCurve:
    """A curve of a word: the mean cosine of its vectors at each layer.

    Attributes:
        name: name of the curve.
        style: colour and marker.
        values: the value at each layer, from the input layer on; None if it is undefined.
        low, high: ends of the interval at each layer; empty without intervals.
    """

    name: str
    style: SeriesStyle
    values: Sequence[object]
    low: Sequence[object] = ()
    high: Sequence[object] = ()

    @property
    def chart_curve(self) -> Curve:
        """The curve in the form that the chart of a measure by layer draws; layers without a value are left out."""
        ends = zip_longest(self.values, self.low, self.high)
        levels = tuple(
            LayerValue(layer, known, finite(low), finite(high))
            for layer, (value, low, high) in enumerate(ends)
            if (known := finite(value)) is not None
        )
        return Curve(self.name, len(self.values) - 1, levels, self.style)

    @property
    def rows(self) -> Iterator[tuple[str, ...]]:
        """The curve as rows of a table: first its values by layer, then its intervals if it has any."""
        yield self.name, *map(exact, self.values)
        if self.low:
            yield "95 %", *(interval(low, high) or ABSENT for low, high in zip(self.low, self.high, strict=True))


@dataclass(frozen=True, slots=True)
class WordDetails:
    """The part of a word explorer's entry that differs between studies.

    Attributes:
        typed: text that a reader types to find the entry.
        data: data set that the word is from.
        sentence: sentence about the word.
        curves: curves of mean cosines by layer.
        others: text on senses that are not shown; empty for none.
    """

    typed: str
    data: str
    sentence: str
    curves: tuple[WordCurve, ...]
    others: str = ""


@dataclass(frozen=True, slots=True)
class Explorer:
    """The word explorer of a page.

    Attributes:
        entries: all words, by name.
        note: note on the words.
        appears: description of what the entry of a word shows.
        best, worst: the entries of the words on which the model does best and worst, which the page always shows; empty
            where words are not ranked.
        model: name of the model whose vectors the entries show.
    """

    entries: tuple[Entry, ...]
    note: str = ""
    appears: str = ""
    best: tuple[Entry, ...] = ()
    worst: tuple[Entry, ...] = ()
    model: str = ""


def explorer_of(view: RecordView, describe: Callable[[Row, Sequence[Row]], WordDetails]) -> dict[int, Entry]:
    """Return number of each entry of the word explorer -> the entry, for all words of a record.

    Args:
        view: the record.
        describe: function from a word's row, and the rows of its occurrences, to the part that depends on the study.
    """
    pictured, near = _by_entry(view.rows("occurrences")), _by_entry(view.rows("neighbours"))
    return {
        int(row["entry"]): _entry(
            row, pictured[row["entry"]], near.get(row["entry"], ()), describe(row, pictured[row["entry"]])
        )
        for row in view.rows("explorer")
    }


def _by_entry(rows: Iterable[Row]) -> Mapping[int, list[Row]]:
    """Group the rows of a table by their entry in the explorer."""
    rows_by_entry: dict[int, list[Row]] = {}
    for row in rows:
        rows_by_entry.setdefault(int(row["entry"]), []).append(row)
    return rows_by_entry


def _entry(row: Row, pictured: Sequence[Row], near: Sequence[Row], details: WordDetails) -> Entry:
    """Return an entry of the explorer.

    Args:
        row: the word's row of the table `explorer`.
        pictured: the word's rows of the table `occurrences`.
        near: the word's rows of the table `neighbours`.
        details: the part that depends on the study.
    """
    identity, names = f"word-{row['entry']}", [str(name) for name in row["senses"]]
    styles = _styles(pictured)
    marks = _marks(pictured, near, styles, names)
    drawn = [each for curve in details.curves if (each := curve.chart_curve).values]
    return Entry(
        id=identity,
        word=str(row["word"]),
        typed=details.typed,
        data=details.data,
        sentence=details.sentence,
        picture=_picture(row, marks, names),
        picture_note=_picture_note(row, marks),
        senses=tuple(_key(row, pictured, styles, names)),
        others=details.others,
        curve=measure_by_layer.draw(CurvesByLayer(drawn, "mean cosine", two_decimals), _CURVE, f"{identity}-curve").svg,
        curves=_curve_table(row, details.curves),
        contexts=tuple(_context(neighbour, number, styles, names) for number, neighbour in enumerate(near, 1)),
    )


def _curve_table(row: Row, curves: Sequence[WordCurve]) -> Grid:
    heads = ("layer", *map(str, range(len(curves[0].values))))
    return plain(f"Mean cosine of two occurrences of {row['word']}", heads, [line for c in curves for line in c.rows])


def _styles(pictured: Sequence[Row]) -> dict[int | None, SeriesStyle]:
    """Return sense -> shape and colour; all rare senses share one.

    Occurrences without a sense (None) are grey, unless no occurrence has a sense.
    """
    present = {occurrence["sense"] for occurrence in pictured}
    known = sorted(sense for sense in present if sense is not None)
    styles: dict[int | None, SeriesStyle] = {
        sense: SERIES[min(index, len(SERIES) - 1)] for index, sense in enumerate(known)
    }
    return styles | ({None: _UNTAGGED if known else SERIES[0]} if None in present else {})


def _key(
    row: Row, pictured: Sequence[Row], styles: Mapping[int | None, SeriesStyle], names: Sequence[str]
) -> Iterator[Sense]:
    known = [sense for sense in styles if sense is not None]
    own = known if len(known) <= len(SERIES) else known[: len(SERIES) - 1]
    marks = Counter(occurrence["sense"] for occurrence in pictured)
    for sense in own:
        yield Sense(key(styles[sense]), names[sense], _drawn_of_known(marks[sense], row["counts"][sense]))
    if rarer := known[len(own) :]:
        number = sum(row["counts"][sense] for sense in rarer)
        drawn = sum(marks[sense] for sense in rarer)
        yield Sense(key(styles[rarer[0]]), f"{len(rarer)} rarer senses", _drawn_of_known(drawn, number))
    if None in styles:
        number = sum(occurrence["sense"] is None for occurrence in pictured)
        if len(styles) > 1:
            yield Sense(key(styles[None]), "sense not tagged", _drawn_of_known(number, number))
        else:
            yield Sense(key(styles[None]), count_of(number, "occurrence"), "")


def _drawn_of_known(marks: int, known: int) -> str:
    """Return in words the number of marks, followed by the number of occurrences if not all are drawn."""
    return f"({marks:,} of {known:,})" if marks < known else f"({marks:,})"


def _marks(
    pictured: Sequence[Row], near: Sequence[Row], styles: Mapping[int | None, SeriesStyle], names: Sequence[str]
) -> list[Occurrence]:
    numbers = {_line(occurrence): str(number) for number, occurrence in enumerate(near, 1)}
    return [
        Occurrence(
            occurrence["x"],
            occurrence["y"],
            styles[occurrence["sense"]],
            _tooltip(occurrence, names),
            numbers.get(_line(occurrence), ""),
        )
        for occurrence in pictured
    ]


def _picture(row: Row, marks: Sequence[Occurrence], names: Sequence[str]) -> Markup:
    shapes = ", a shape a sense" if names else ""
    return word_occurrences.draw(marks, f"{len(marks)} occurrences of {row['word']} in a plane{shapes}")


def _picture_note(row: Row, marks: Sequence[Occurrence]) -> str:
    """Return the note on the share of the differences between occurrences that the plane shows, and on hidden marks."""
    hidden_marks = count_of(hidden, "mark lies", "marks lie") if (hidden := word_occurrences.covered(marks)) else ""
    more = f" {hidden_marks} under another." if hidden_marks else ""
    return f"The plane holds {_SCORE.score(finite(row['shown']))} % of how these occurrences differ.{more}"


def _tooltip(occurrence: Row, names: Sequence[str]) -> str:
    return _line(occurrence) if occurrence["sense"] is None else f"{names[occurrence['sense']]}: {_line(occurrence)}"


def _line(occurrence: Row) -> str:
    return " ".join(filter(None, (occurrence["before"], occurrence["form"].upper(), occurrence["after"])))


def _context(occurrence: Row, number: int, styles: Mapping[int | None, SeriesStyle], names: Sequence[str]) -> Context:
    sense = occurrence["sense"]
    return Context(
        key=key(styles[sense]) if sense in styles else Markup(""),
        number=str(number),
        sense="" if sense is None else names[sense],
        before=occurrence["before"] + " " * (not occurrence["before"].endswith(_OPENING)),
        form=occurrence["form"],
        after=" " * (not occurrence["after"].startswith(_CLOSING)) + occurrence["after"],
        words=", ".join(map(str, occurrence["words"])),
    )
