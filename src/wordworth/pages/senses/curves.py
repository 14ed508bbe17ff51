"""By layer: senses told right, pairs told right, and how far senses lie apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wordworth.pages.charts import layers
from wordworth.pages.charts.layers import Layers, Level, Model
from wordworth.pages.figure import Figure, drawn
from wordworth.pages.numbers import ABSENT, exact, finite, unit, written
from wordworth.pages.recorded import Row
from wordworth.pages.senses.view import AMBIGUOUS, NEAREST, View, percent
from wordworth.pages.tables import Cell, Column, Grid, plain

_HEIGHT = 300
_GREY = ("BERT-large", "ELMo")
"""Published systems that are drawn; the table has them all."""
_SCORE = unit("accuracy")


def points(value: float) -> str:
    """One decimal, of values that are hundredths already."""
    return f"{value:.1f}".replace("-", "−")


def senses(view: View) -> list[Figure]:
    """A chart a set of tagged words."""
    return [_senses(view, data) for data in view.sets("tagged words")]


def pairs(view: View) -> list[Figure]:
    """A chart a set of pairs."""
    return [_pairs(view, data) for data in view.sets("pairs")]


def apart(view: View) -> list[Figure]:
    """A chart a set of tagged words that has words of two senses seen twice."""
    rows = view.rows("apart")
    return [_apart(view, data, mine) for data in view.sets("tagged words") if (mine := _of(rows, data))]


def _of(rows: Iterable[Row], data: str) -> list[Row]:
    return [row for row in rows if row["data"] == data]


def _senses(view: View, data: str) -> Figure:
    usual = percent(view.usual(data)["score"])
    models = tuple(_model(view, name, view.by_layer(data, name), "score", usual) for name in view.looks)
    best = max((view.chosen(data, name) for name in view.looks), key=lambda row: row["score"])
    how = "ahead of" if best["gap_low"] > 0 else "behind" if best["gap_high"] < 0 else "not told apart from"
    title = (
        f"{data}: {best['model']} {_SCORE.score(best['score'])} % right, {how} the most frequent sense "
        f"({points(usual or 0)})"
    )
    note = (
        f"Of {best['words']:,} tested words whose lemma other documents show in two senses or more. "
        "Dotted: the most frequent sense. The title's figure is of layers chosen on other documents."
    )
    return _figure(f"senses-{data}", title, models, "% of words with a choice told right", (note,), _scores(view, data))


def _pairs(view: View, data: str) -> Figure:
    rows = _of(view.rows("pairs"), data)
    models = [
        _model(view, name, (row for row in rows if row["model"] == name), "test", 100 * rows[0]["chance"])
        for name in view.looks
    ]
    chosen = max((row for row in rows if row["chosen"]), key=lambda row: row["test"])
    how = "above chance" if chosen["low"] > chosen["chance"] else "no better than chance"
    title = f"{data}: {chosen['model']} {_SCORE.score(chosen['test'])} % right, {how}"
    note = (
        f"{chosen['pairs']:,} test pairs; the threshold on the cosine is fitted on train, the layer of the title "
        f"(layer {chosen['layer']}) chosen on dev. Dotted: chance. Grey: published, the same pairs."
    )
    return _figure(
        f"pairs-{data}",
        title,
        (*_published(view, data), *models),
        "% of pairs told right",
        (note,),
        _pair_table(title, rows),
    )


def _published(view: View, data: str) -> Iterator[Model]:
    for row in _of(view.rows("published"), data):
        if row["same_test"] and row["system"] in _GREY:
            yield Model(str(row["system"]), 1, tuple(Level(end, 100 * row["score"]) for end in (0, 1)))


def _apart(view: View, data: str, rows: list[Row]) -> Figure:
    models = tuple(
        Model(
            name,
            view.depth(name),
            tuple(
                Level(int(row["layer"]), float(row["difference"]), finite(row["low"]), finite(row["high"]), 0.0)
                for row in rows
                if row["model"] == name
            ),
            view.looks[name],
        )
        for name in view.looks
    )
    models = tuple(model for model in models if model.levels)
    top = max(rows, key=lambda row: row["difference"])
    title = f"{data}: one sense is {written(top['difference'])} closer than two, at layer {top['layer']}"
    note = (
        f"Mean over {top['words']:,} words: the cosine of two occurrences in one sense ({written(top['same'])} there) "
        f"less that of two senses ({written(top['different'])}). Dotted: 0, what permuted sense labels give."
    )
    heads = ("model", "layer", "one sense", "two senses", "difference", "95 %", "words")
    cells = [
        (
            str(row["model"]),
            str(row["layer"]),
            *(exact(row[name]) for name in ("same", "different", "difference")),
            f"{exact(row['low'])} to {exact(row['high'])}",
            f"{row['words']:,}",
        )
        for row in rows
    ]
    data_of = Layers(models, "difference of cosines", written)
    picture = drawn(lambda size, label: layers.draw(data_of, size, label), f"apart-{data}", height=_HEIGHT)
    return Figure(f"apart-{data}", title, f"{title}. {note}", picture, plain(title, heads, cells), (note,))


def _model(view: View, name: str, rows: Iterable[Row], of: str, null: float | None) -> Model:
    levels = tuple(
        Level(int(row["layer"]), 100 * float(row[of]), percent(row["low"]), percent(row["high"]), null) for row in rows
    )
    return Model(name, view.depth(name), levels, view.looks[name])


def _figure(name: str, title: str, models: tuple[Model, ...], axis: str, notes: tuple[str, ...], table: Grid) -> Figure:
    data = Layers(models, axis, points)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=_HEIGHT)
    return Figure(name, title, f"{axis}. {title}. {' '.join(notes)}", picture, table, notes)


def _scores(view: View, data: str) -> Grid:
    heads = ("what", "layer", "with a choice", "95 %", "over the most frequent", "95 %", "all words, F1", "95 %")
    columns = tuple(Column(head, numeric=place > 0) for place, head in enumerate(heads))
    whole = {_key(row): row for row in view.scores(data, "all")}
    rows = [(row, whole[_key(row)]) for row in view.scores(data, AMBIGUOUS)]
    return Grid(f"Senses of {data} told right", columns, tuple(_score_row(*row) for row in rows))


def _key(row: Row) -> tuple[object, ...]:
    return row["model"], row["system"], row["layer"]


def _score_row(row: Row, whole: Row) -> tuple[Cell, ...]:
    name = str(row["model"]) if row["system"] == NEAREST else str(row["system"])
    layer = ABSENT if row["layer"] is None else "chosen elsewhere" if row["layer"] < 0 else str(row["layer"])
    return (
        Cell(name),
        Cell(layer, why="needs no vectors"),
        Cell(_SCORE.score(row["score"])),
        Cell(_SCORE.interval(row["low"], row["high"])),
        Cell(_SCORE.gap(row["gap"])),
        Cell(_SCORE.interval(row["gap_low"], row["gap_high"], signed=True)),
        Cell(_SCORE.score(whole["score"])),
        Cell(_SCORE.interval(whole["low"], whole["high"])),
    )


def _pair_table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "threshold", "train", "dev", "test", "95 %")
    columns = tuple(Column(head, numeric=place > 0) for place, head in enumerate(heads))
    cells = tuple(
        (
            Cell(str(row["model"])),
            Cell(str(row["layer"])),
            Cell(exact(row["threshold"]), why="the same answer always"),
            *(Cell(_SCORE.score(finite(row[name])), why="no pairs of this split") for name in ("train", "dev", "test")),
            Cell(_SCORE.interval(row["low"], row["high"])),
        )
        for row in rows
    )
    return Grid(title, columns, cells)
