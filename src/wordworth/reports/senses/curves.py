"""By layer: the accuracy on senses and on pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, exact, finite, unit
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import AMBIGUOUS, NEAREST, View, percent
from wordworth.reports.senses.view import layers as layers_of
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.text_format import join_words

_HEIGHT = 300
_GREY = ("BERT-large", "ELMo")
"""Published systems that are drawn; the table has all of them."""
_SCORE = unit("accuracy")


def points(value: float) -> str:
    """One decimal, for values that are in hundredths already."""
    return f"{value:.1f}".replace("-", "−")


def senses(view: View) -> list[Figure]:
    """A chart for each set of tagged words."""
    return [_senses(view, data) for data in view.sets("tagged words")]


def pairs(view: View) -> list[Figure]:
    """A chart for each set of pairs."""
    return [_pairs(view, data) for data in view.sets("pairs")]


def _of_set(rows: Iterable[Row], data: str) -> list[Row]:
    return [row for row in rows if row["data"] == data]


def _senses(view: View, data: str) -> Figure:
    usual = percent(view.usual(data)["score"])
    models = tuple(_model(view, name, view.by_layer(data, name), "score", usual) for name in view.looks)
    chosen = [view.chosen(data, name) for name in view.looks]
    rival = f"the most frequent sense ({points(usual or 0)})"
    title = f"{data}: {_scores_in_words(chosen, 'score')}, {_comparison(chosen, rival, 'gap_low', 'gap_high')}"
    note = (
        f"Of {chosen[0]['words']:,} tested words that have a choice: {view.teachers(data)} two senses or more of them. "
        "Dotted: the most frequent sense. The title's figures are at the layer that is best on the other half of the "
        f"tested texts{_chosen_layers(chosen)}."
    )
    return _figure(f"senses-{data}", title, models, "% right, words with a choice", (note,), _scores(view, data))


def _pairs(view: View, data: str) -> Figure:
    rows = _of_set(view.rows("pairs"), data)
    models = [
        _model(view, name, (row for row in rows if row["model"] == name), "test", 100 * rows[0]["chance"])
        for name in view.looks
    ]
    chosen = [row for row in rows if row["chosen"]]
    beyond = [{**row, "above": row["low"] - row["chance"], "below": row["high"] - row["chance"]} for row in chosen]
    grey = tuple(_published(view, data))
    title = f"{data}: {_scores_in_words(chosen, 'test')}, {_comparison(beyond, 'chance', 'above', 'below')}"
    at = ", ".join(f"{row['model']} {row['layer']}" for row in chosen)
    note = (
        f"{chosen[0]['pairs']:,} test pairs; the threshold on the cosine is fitted on train, the layer of the title "
        f"chosen on dev ({at}). Dotted: chance.{' Grey: published, the same pairs.' * bool(grey)}"
    )
    return _figure(
        f"pairs-{data}",
        title,
        (*grey, *models),
        "% of pairs right",
        (note,),
        _pair_table(title, rows),
    )


def _scores_in_words(rows: Sequence[Row], metric: str) -> str:
    """The scores in words: `minilm 93.4, mini 86.5 % right`."""
    return ", ".join(f"{row['model']} {_SCORE.score(row[metric])}" for row in rows) + " % right"


def _comparison(rows: Sequence[Row], rival: str, low: str, high: str) -> str:
    """Which models are surely ahead of the rival and which behind; with names only if there are several models."""
    parts: dict[str, list[str]] = {}
    for row in rows:
        how = "ahead of" if row[low] > 0 else "behind" if row[high] < 0 else "not told apart from"
        parts.setdefault(how, []).append(str(row["model"]))
    if len(parts) == 1:
        return f"{'all ' * (len(rows) > 1)}{next(iter(parts))} {rival}"
    clauses = [
        f"{join_words(names)} {how} {rival if not index else 'it'}" for index, (how, names) in enumerate(parts.items())
    ]
    return ", ".join(clauses)


def _chosen_layers(rows: Sequence[Row]) -> str:
    """The layers in words, `: minilm layer 6, mini layers 2 and 3`; empty if the record has none."""
    names_and_layers = [f"{row['model']} {layers_of(row)}" for row in rows if layers_of(row)]
    return f": {', '.join(names_and_layers)}" if names_and_layers else ""


def drawn_published(view: View) -> bool:
    """Whether any chart has a published system beside the models."""
    return any(True for data in view.sets("pairs") for _ in _published(view, data))


def _published(view: View, data: str) -> Iterator[Model]:
    for row in _of_set(view.rows("published"), data):
        if row["same_test"] and row["system"] in _GREY:
            yield Model(str(row["system"]), 1, tuple(Level(end, 100 * row["score"]) for end in (0, 1)))


def _model(view: View, name: str, rows: Iterable[Row], metric: str, null: float | None) -> Model:
    levels = tuple(
        Level(int(row["layer"]), 100 * float(row[metric]), percent(row["low"]), percent(row["high"]), null)
        for row in rows
    )
    return Model(name, view.depth(name), levels, view.looks[name])


def _figure(name: str, title: str, models: tuple[Model, ...], axis: str, notes: tuple[str, ...], table: Grid) -> Figure:
    data = Layers(models, axis, points)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=_HEIGHT)
    return Figure(name, title, f"{axis}. {title}. {' '.join(notes)}", picture, table, notes)


def _scores(view: View, data: str) -> Grid:
    heads = ("what", "layer", "with a choice", "95 %", "over the most frequent", "95 %", "all words, F1", "95 %")
    columns = tuple(Column(head, numeric=index > 0) for index, head in enumerate(heads))
    whole = {_key(row): row for row in view.scores(data, "all")}
    rows = [(row, whole[_key(row)]) for row in view.scores(data, AMBIGUOUS)]
    return Grid(f"Accuracy on the senses of {data}", columns, tuple(_score_row(*row) for row in rows))


def _key(row: Row) -> tuple[object, ...]:
    return row["model"], row["system"], row["layer"]


def _score_row(row: Row, whole: Row) -> tuple[Cell, ...]:
    name = str(row["model"]) if row["system"] == NEAREST else str(row["system"])
    layer = ABSENT if row["layer"] is None else _chosen_layer(row) if row["layer"] < 0 else str(row["layer"])
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


def _chosen_layer(row: Row) -> str:
    return f"chosen: {' and '.join(map(str, row['layers']))}" if row.get("layers") else "chosen elsewhere"


def _pair_table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "threshold", "train", "dev", "test", "95 %")
    columns = tuple(Column(head, numeric=index > 0) for index, head in enumerate(heads))
    cells = tuple(
        (
            Cell(str(row["model"])),
            Cell(str(row["layer"])),
            Cell(exact(row["threshold"]), why="always the same answer"),
            *(Cell(_SCORE.score(finite(row[name])), why="no pairs of this split") for name in ("train", "dev", "test")),
            Cell(_SCORE.interval(row["low"], row["high"])),
        )
        for row in rows
    )
    return Grid(title, columns, cells)
