"""A senses record and its charts by layer: accuracy on senses and pairs, separation of senses, explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.charts.palette import SERIES
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, exact, finite, unit, written
from wordworth.reports.record_view import LayeredView, Row
from wordworth.reports.tables import Cell, Grid, plain
from wordworth.text_format import join_words

AMBIGUOUS, NEAREST, FREQUENT = "ambiguous", "nearest centroid", "most frequent sense"
CHOSEN = -1
_TEACHERS = {"part": "the train part shows", "documents": "other documents show", "sentences": "other sentences show"}


@dataclass(frozen=True)
class View(LayeredView):
    """The record, its models, and its sets."""

    needed = frozenset({"models", "sets", "scores"})

    def sets(self, what: str) -> list[str]:
        """Return the names of the sets of `tagged words` or of `pairs`."""
        return [str(row["data"]) for row in self.rows("sets") if row["what"] == what]

    def rows_of_set(self, table: str, data: str) -> list[Row]:
        """Return the rows of a table that are of one set."""
        return [row for row in self.rows(table) if row["data"] == data]

    def scores(self, data: str, of: str = AMBIGUOUS) -> list[Row]:
        """Return the scores of one set."""
        return [row for row in self.rows_of_set("scores", data) if row["of"] == of]

    def teachers(self, data: str) -> str:
        """Return which texts show a tested word's senses: `the train part shows`, `other documents show`."""
        row = next(row for row in self.rows("sets") if row["data"] == data)
        return _TEACHERS.get(str(row.get("teachers")), "the training data shows")

    def usual(self, data: str) -> Row:
        """Return the score of the most frequent sense."""
        return next(row for row in self.scores(data) if row["system"] == FREQUENT)

    def by_layer(self, data: str, model: str) -> Iterator[Row]:
        """Yield a model's scores at each layer."""
        for row in self.scores(data):
            if row["system"] == NEAREST and row["model"] == model and row["layer"] != CHOSEN:
                yield row

    def chosen(self, data: str, model: str) -> Row:
        """Return a model's score at layers that were chosen on other documents."""
        return next(row for row in self.scores(data) if row["model"] == model and row["layer"] == CHOSEN)


def percent(value: object) -> float | None:
    """Return a share as points of 100; None if there is none."""
    share = finite(value)
    return None if share is None else 100 * share


def layer_names(row: Row) -> str:
    """Return the layers of a score at chosen layers: `layer 6`, `layers 3 and 6`; empty if the record has none."""
    numbers = [str(layer) for layer in row.get("layers") or ()]
    return f"layer{'s' * (len(numbers) > 1)} {join_words(numbers)}" if numbers else ""


_HEIGHT = 300
_PUBLISHED = ("BERT-large", "ELMo")
"""Published systems that are drawn; the table has all of them."""
_SCORE = unit("accuracy")
_NAMES = {"senses": "senses", "contexts": "sentences", "variety": "variety", "forms": "forms"}
_NOTES = {
    False: "Alone: a word of many senses also stands in many sentences and has many forms, so these lines share what "
    "they explain.",
    True: "With the other three and the part of speech held fixed: what each explains that the others do not.",
}
_WORDS = (
    "Senses: how many the word is tagged with. Sentences: how many it stands in. Variety: how little the words around "
    "it repeat. Forms: how often two occurrences are written differently (say, said)."
)


def _points(value: float) -> str:
    """Write a value that is in hundredths already with one decimal."""
    return f"{value:.1f}".replace("-", "−")


def accuracy(view: View) -> list[Figure]:
    """Return a chart for each set of tagged words, and for each set of pairs."""
    return [_senses(view, data) for data in view.sets("tagged words")] + [
        _pairs(view, data) for data in view.sets("pairs")
    ]


def _senses(view: View, data: str) -> Figure:
    usual = percent(view.usual(data)["score"])
    models = tuple(_model(view, name, view.by_layer(data, name), "score", usual) for name in view.styles)
    chosen = [view.chosen(data, name) for name in view.styles]
    rival = f"the most frequent sense ({_points(usual or 0)})"
    title = f"{data}: {_scores_in_words(chosen, 'score')}, {_comparison(chosen, rival, 'gap_low', 'gap_high')}"
    note = (
        f"Of {chosen[0]['words']:,} tested words that have a choice: {view.teachers(data)} two senses or more of them. "
        "Dotted: the most frequent sense. The title's figures are at the layer that is best on the other half of the "
        f"tested texts{_chosen_layers(chosen)}."
    )
    return _figure(f"senses-{data}", title, models, "% right, words with a choice", (note,), _scores(view, data))


def _pairs(view: View, data: str) -> Figure:
    rows = view.rows_of_set("pairs", data)
    models = [
        _model(view, name, (row for row in rows if row["model"] == name), "test", 100 * rows[0]["chance"])
        for name in view.styles
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
    return _figure(f"pairs-{data}", title, (*grey, *models), "% of pairs right", (note,), _pair_table(title, rows))


def _scores_in_words(rows: Sequence[Row], metric: str) -> str:
    """Return the scores in words: `minilm 93.4, mini 86.5 % right`."""
    return ", ".join(f"{row['model']} {_SCORE.score(row[metric])}" for row in rows) + " % right"


def _comparison(rows: Sequence[Row], rival: str, low: str, high: str) -> str:
    """Return which models are surely ahead of the rival and which behind, by name if there are several models."""
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
    """Return the layers in words, `: minilm layer 6, mini layers 2 and 3`; empty if the record has none."""
    names_and_layers = [f"{row['model']} {layer_names(row)}" for row in rows if layer_names(row)]
    return f": {', '.join(names_and_layers)}" if names_and_layers else ""


def drawn_published(view: View) -> bool:
    """Return True if any chart has a published system beside the models."""
    return any(True for data in view.sets("pairs") for _ in _published(view, data))


def _published(view: View, data: str) -> Iterator[Model]:
    for row in view.rows_of_set("published", data):
        if row["same_test"] and row["system"] in _PUBLISHED:
            yield Model(str(row["system"]), 1, tuple(Level(end, 100 * row["score"]) for end in (0, 1)))


def _model(view: View, name: str, rows: Iterable[Row], metric: str, null: float | None) -> Model:
    levels = tuple(
        Level(int(row["layer"]), 100 * float(row[metric]), percent(row["low"]), percent(row["high"]), null)
        for row in rows
    )
    return Model(name, view.depth(name), levels, view.styles[name])


def _figure(name: str, title: str, models: tuple[Model, ...], axis: str, notes: tuple[str, ...], table: Grid) -> Figure:
    data = Layers(models, axis, _points)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=_HEIGHT)
    return Figure(name, title, f"{axis}. {title}. {' '.join(notes)}", picture, table, notes)


def _scores(view: View, data: str) -> Grid:
    heads = ("what", "layer", "with a choice", "95 %", "over the most frequent", "95 %", "all words, F1", "95 %")
    whole = {_key(row): row for row in view.scores(data, "all")}
    rows = [_score_row(row, whole[_key(row)]) for row in view.scores(data, AMBIGUOUS)]
    return plain(f"Accuracy on the senses of {data}", heads, rows)


def _key(row: Row) -> tuple[object, ...]:
    return row["model"], row["system"], row["layer"]


def _score_row(row: Row, whole: Row) -> tuple[Cell | str, ...]:
    name = str(row["model"]) if row["system"] == NEAREST else str(row["system"])
    layer = ABSENT if row["layer"] is None else _chosen_layer(row) if row["layer"] < 0 else str(row["layer"])
    return (
        name,
        Cell(layer, why="needs no vectors"),
        _SCORE.score(row["score"]),
        _SCORE.interval(row["low"], row["high"]),
        _SCORE.gap(row["gap"]),
        _SCORE.interval(row["gap_low"], row["gap_high"], signed=True),
        _SCORE.score(whole["score"]),
        _SCORE.interval(whole["low"], whole["high"]),
    )


def _chosen_layer(row: Row) -> str:
    return f"chosen: {' and '.join(map(str, row['layers']))}" if row.get("layers") else "chosen elsewhere"


def _pair_table(title: str, rows: list[Row]) -> Grid:
    cells: list[tuple[Cell | str, ...]] = [
        (
            str(row["model"]),
            str(row["layer"]),
            Cell(exact(row["threshold"]), why="always the same answer"),
            *(Cell(_SCORE.score(finite(row[name])), why="no pairs of this split") for name in ("train", "dev", "test")),
            _SCORE.interval(row["low"], row["high"]),
        )
        for row in rows
    ]
    return plain(title, ("model", "layer", "threshold", "train", "dev", "test", "95 %"), cells)


def separation(view: View) -> list[Figure]:
    """Return a chart for each set of tagged words with words of two senses that each occur twice."""
    rows = {data: view.rows_of_set("apart", data) for data in view.sets("tagged words")}
    return [_separation_figure(view, data, set_rows) for data, set_rows in rows.items() if set_rows]


def _separation_figure(view: View, data: str, rows: list[Row]) -> Figure:
    models = [model for name in view.styles if (model := _separation_model(view, name, rows)).levels]
    tops = [
        max(model_rows, key=_difference)
        for model in models
        if (model_rows := [r for r in rows if r["model"] == model.name])
    ]
    differences = ", ".join(f"{written(row['difference'])} in {row['model']} (layer {row['layer']})" for row in tops)
    title = f"{data}: occurrences of one sense are closer than those of two by {differences}"
    top = tops[0]
    note = (
        f"Mean over {top['words']:,} words: the cosine of two occurrences in one sense ({written(top['same'])} in "
        f"{top['model']}) less that of two senses ({written(top['different'])}). Dotted: 0, what permuted sense labels "
        "give."
    )
    data_of = Layers(tuple(models), "difference of cosines", written)
    picture = drawn(lambda size, label: layers.draw(data_of, size, label), f"apart-{data}", height=_HEIGHT)
    return Figure(f"apart-{data}", title, f"{title}. {note}", picture, _separation_table(title, rows), (note,))


def _separation_model(view: View, name: str, rows: list[Row]) -> Model:
    levels = tuple(
        Level(int(row["layer"]), float(row["difference"]), finite(row["low"]), finite(row["high"]), 0.0)
        for row in rows
        if row["model"] == name
    )
    return Model(name, view.depth(name), levels, view.styles[name])


def _separation_table(title: str, rows: list[Row]) -> Grid:
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
    return plain(title, heads, cells)


def _difference(row: Row) -> float:
    return float(row["difference"])


def explanations(view: View) -> list[Figure]:
    """Return two charts, of the first model with layers and the set with most words; none if words are too few."""
    rows = view.rows("explanations")
    models = [str(row["model"]) for row in view.models if row["layers"]]
    model_rows = [row for row in rows if models and row["model"] == models[0]]
    if not model_rows:
        return []
    data = max(model_rows, key=lambda row: row["words"])["data"]
    charts = []
    for held in (False, True):
        set_rows = [row for row in rows if row["data"] == data and row["held"] is held]
        rows_by_model = [[row for row in set_rows if row["model"] == model] for model in models]
        charts.append(_explanation_figure(view, rows_by_model[0], rows_by_model[1:], held=held))
    return charts


def _explanation_figure(view: View, rows: list[Row], others: list[list[Row]], *, held: bool) -> Figure:
    name = f"explained-{'held' if held else 'alone'}"
    kind = "The others held fixed" if held else "Each alone"
    title = f"{kind}, {rows[0]['model']}: {_strongest(rows)}"
    curves = [_explanation_model(view, rows, explanation, index) for index, explanation in enumerate(_NAMES)]
    models = tuple(model for model in curves if model.levels)
    if not models:
        return Figure(name, title, "", absent="Undefined: each follows wholly from the others, or does not vary.")
    data = Layers(models, "rank correlation with self-similarity", written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=320)
    notes = [f"{rows[0]['model']} on {rows[0]['data']}, {rows[0]['words']:,} words. {_NOTES[held]}", _WORDS]
    notes += [f"In {other[0]['model']} {_strongest(other)}." for other in others if other]
    return Figure(name, title, f"{title}. {' '.join(notes)}", picture, _explanation_table(title, rows), tuple(notes))


def _strongest(rows: list[Row]) -> str:
    """Return the strongest explanation in words: `at the top senses explain most (−0.24)`."""
    top = max(int(row["layer"]) for row in rows)
    known = [row for row in rows if row["layer"] == top and finite(row["value"]) is not None]
    if not known:
        return "undefined at the top"
    best = max(known, key=lambda row: abs(finite(row["value"]) or 0))
    return f"at the top {_NAMES[best['explanation']]} explain most ({written(best['value'])})"


def _explanation_model(view: View, rows: list[Row], explanation: str, index: int) -> Model:
    """Return the curve of an explanation; the first has the dotted line at 0, where nothing is explained."""
    levels = tuple(
        Level(int(row["layer"]), value, finite(row["low"]), finite(row["high"]), None if index else 0.0)
        for row in rows
        if row["explanation"] == explanation and (value := finite(row["value"])) is not None
    )
    return Model(_NAMES[explanation], view.depth(str(rows[0]["model"])), levels, SERIES[index])


def _explanation_table(title: str, rows: list[Row]) -> Grid:
    cells = [
        (
            _NAMES[row["explanation"]],
            str(row["layer"]),
            Cell(exact(row["value"]), why="self-similarity does not vary there"),
            f"{exact(row['low'])} to {exact(row['high'])}",
        )
        for row in rows
    ]
    return plain(title, ("explanation", "layer", "rank correlation", "95 %"), cells)
