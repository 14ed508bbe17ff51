"""The page of a `languages` record: accuracy by language, zero-shot transfer, translation retrieval, tokenization."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wordworth.records import Record
from wordworth.reports import frozen_layers, related_languages, translation_retrieval
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import Described, Dot, DotChart, DotRow
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.languages_record_view import ANSWERING, PARSING, SYSTEMS, TAGGING, TRANSLATIONS, View
from wordworth.reports.layer_figure import layer_figure
from wordworth.reports.number_format import count, in_points, share, signed_points, two_decimals
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Field, Grid, plain, table_of, value, with_interval
from wordworth.sentence_formatting import points, with_capital

_MODEL, _ZERO, _RANDOM, _CHARACTERS = (
    SeriesStyle(6, "circle"),
    SeriesStyle(7, "diamond"),
    SeriesStyle(2, "triangle"),
    SeriesStyle(1, "square"),
)
_STYLES = dict(zip(SYSTEMS, (_MODEL, _RANDOM, _CHARACTERS), strict=True))
_MOST_CROSSED = 12
"""Most languages whose pairs are shown as a table with a column each; the record has all."""


def page(record: Record) -> str:
    """Return the page of a `languages` record as one self-contained HTML document."""
    view = View.of(record)
    if view.task == TRANSLATIONS:
        return translation_retrieval.page(record)
    across = f"{with_capital(view.wording.labels)} of {view.data['source']} for other languages"
    groups = [("Is it served?", [_served(view)]), (across, [_gaps(view)])]
    tables = [_languages(view), *_crossed(view), sources(view)]
    if view.is_of_texts:
        groups.append(("What the vectors hold", [_translations(view), _layers(view)]))
        tables[1:1] = [_pieces(view)]
        tables[-1:-1] = [*related_languages.table(view), *_retrieved(view)]
    else:
        tables[1:1] = [_word_pieces(view)]
    if view.rows("frozen"):
        groups.append(("Fine-tuned with frozen layers", [frozen_layers.figure(view)]))
    question = f"Languages · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _served(view: View) -> Figure:
    """Return the chart of accuracy by language, grouped by whether the model is ahead of the baseline."""
    rows, words = sorted(view.rows("languages"), key=lambda row: -row["ahead"]), view.wording
    series = (
        (_MODEL, f"{words.labels} of the language", "own", "own_"),
        (_ZERO, f"{words.labels} of {view.data['source']}", "zero_shot", "zero_shot_"),
        (_CHARACTERS, words.baseline, "characters", "characters_"),
    )
    headings = {
        "yes": f"the model is ahead of {words.baseline}",
        "cannot tell": f"these {words.units} cannot tell",
        "no": f"{words.baseline} are ahead",
    }
    groups = tuple(
        (heading, tuple(_row(str(row["language"]), row, series) for row in rows if row["served"] == answer))
        for answer, heading in headings.items()
        if any(row["served"] == answer for row in rows)
    )
    return _dots(view, "served", DotChart(groups, f"{words.score}, %", points, references=(), legend=True))


def _row(name: str, row: Row, series: Sequence[tuple[SeriesStyle, str, str, str]]) -> DotRow:
    there = [each for each in series if row[each[2]] is not None]
    return DotRow(name, *interval_dots(row, there, in_points), overlaid=len(series) > 1)


def _dots(view: View, name: str, chart: DotChart) -> Figure:
    pictures = dot_pictures(chart, name)
    return captioned_figure(view, name, pictures=pictures)


def _gaps(view: View) -> Figure:
    """Return the chart of the zero-shot gaps in both directions."""
    source, rows, words = view.data["source"], sorted(view.others, key=lambda row: -row["gap"]), view.wording
    series = (
        (_ZERO, f"{words.labels} of {source}, {words.units} of the language", "gap", "gap_"),
        (_MODEL, f"{words.labels} of the language, {words.units} of {source}", "back_gap", "back_gap_"),
    )
    lines = tuple(
        DotRow(str(row["language"]), *interval_dots(row, series, signed_points), strong=row["transfers"] == "yes")
        for row in rows
    )
    groups = ((f"beside the tested language's own {words.labels}", lines),)
    chart = DotChart(groups, f"change of {words.score}, points", signed_points, legend=True)
    return _dots(view, "gaps", chart)


def _translations(view: View) -> Figure:
    """Return the chart of the share of texts whose translation is the nearest text."""
    rows = view.rows("retrieval")
    if not rows:
        return captioned_figure(view, "translations")
    lines = []
    for language in dict.fromkeys(row["language"] for row in rows):
        each = [_found_dot(row) for row in rows if row["language"] == language]
        dots, described = (sum(part, ()) for part in zip(*each, strict=True))
        lines.append(DotRow(str(language), dots, described, overlaid=True))
    groups = (("by cosine", tuple(lines)),)
    chart = DotChart(groups, "translations found, %", points, references=(), legend=True)
    return _dots(view, "translations", chart)


def _found_dot(row: Row) -> tuple[tuple[Dot, ...], Described]:
    """Return the dot of the share of translations that a system finds, and the lines of its tooltip."""
    system = str(row["system"])
    return interval_dots(row, ((_STYLES[system], system, "forward", "forward_"),), in_points)


def _layers(view: View) -> Figure:
    """Return the chart of the accuracy of a probe that predicts the language, by layer."""
    rows, depth = view.rows("layers"), int(view.data["depth"])
    curves = [
        Curve(name, depth, tuple(_level(row, column) for row in rows), style)
        for name, column, style in (("model", "accuracy", _MODEL), ("random weights", "random", _RANDOM))
    ]
    fields: list[Field] = [
        (Column("layer", numeric=False), lambda row: str(row["layer"])),
        (Column("accuracy, %"), lambda row: with_interval(row, "accuracy", in_points, prefix="accuracy_")),
        (Column("random weights, %"), lambda row: with_interval(row, "random", in_points, prefix="random_")),
    ]
    table = table_of("Probes of the language by layer", fields, rows)
    data = CurvesByLayer(curves, "languages named", share, share)
    return layer_figure(view, "layers", data, table, description="Language by layer.")


def _level(row: Row, column: str) -> LayerValue:
    return LayerValue(int(row["layer"]), row[column], row[f"{column}_low"], row[f"{column}_high"])


def _languages(view: View) -> Grid:
    """Return the table of all languages."""

    def points_of(name: str, title: str, *, difference: bool = False, note: str = "") -> Field:
        write = signed_points if difference else in_points
        return Column(title, note=note), lambda row: _cell(row, name, write)

    words = view.wording
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (
            Column("served", numeric=False, note=f"whether it is surely ahead of {words.short}"),
            lambda row: str(row["served"]),
        ),
        points_of("own", f"own {words.labels}, %"),
        points_of("characters", f"{words.short}, %", note=f"{words.baseline}, with the same {words.labels}"),
        points_of("ahead", "ahead by", difference=True, note=f"points, on the same {words.units}"),
        points_of("random", "random weights, %"),
        (Column(f"shuffled {words.labels}, %"), value("shuffled", in_points)),
        (Column(f"{words.constant}, %"), value("majority", in_points)),
        points_of("zero_shot", f"{words.labels} of {view.data['source']}, %"),
        points_of("gap", "gap", difference=True, note=f"points less than with own {words.labels}"),
        (
            Column("carries over", numeric=False, note=f"above {words.constant}, random weights and {words.short}"),
            lambda row: str(row["transfers"] or ""),
        ),
        (Column(f"test {words.units}"), value("test", count)),
    ]
    return table_of("Every language", fields, view.rows("languages"))


def _cell(row: Row, name: str, write: Callable[[object], str] = in_points) -> Cell:
    if row[name] is None:
        return Cell("", why="the source itself")
    return with_interval(row, name, write, prefix=f"{name}_")


def _pieces(view: View) -> Grid:
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (Column("pieces a word"), lambda row: with_interval(row, "per_word", two_decimals, prefix="per_word_")),
        (Column("pieces a character"), value("per_character", two_decimals)),
        (
            Column("unknown words, %", note="with a piece that the vocabulary lacks"),
            lambda row: with_interval(row, "unknown", in_points, prefix="unknown_"),
        ),
        (
            Column("pieces for one of the source's", note="of the same texts, translated"),
            lambda row: (
                Cell("", why="no translations, or the source itself")
                if row["parity"] is None
                else with_interval(row, "parity", two_decimals, prefix="parity_")
            ),
        ),
        *_shared_field(view),
        (Column("texts"), value("texts", count)),
    ]
    return table_of("How the tokenizer cuts each language", fields, view.rows("pieces"))


def _shared_field(view: View) -> Iterator[Field]:
    """Yield the table's column of the share of subwords that the source language's training texts have too.

    Nothing is yielded for records of earlier versions, which lack these shares.
    """
    if all("shared" in row for row in view.rows("pieces")):
        yield (
            Column("shared pieces, %", note="which the source's training texts have too"),
            partial(_cell, name="shared"),
        )


def _word_pieces(view: View) -> Grid:
    units = ("contexts", "questions") if view.task == ANSWERING else ("sentences",)
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (Column("pieces a word"), value("per_word", two_decimals)),
        (Column("unknown words, %", note="with a piece that the vocabulary lacks"), value("unknown", in_points)),
        *([_LABELS] if view.task == TAGGING else []),
        (Column("words"), value("words", count)),
        *((Column(name), value(name, count)) for name in units),
    ]
    return table_of(f"How the tokenizer cuts the test {units[0]}", fields, view.rows("pieces"))


_LABELS: Field = (
    Column("labels", note="entities, or words where tags mark words one by one"),
    value("labels", count),
)


def _crossed(view: View) -> Iterator[Grid]:
    """Yield the tables of all pairs of languages, one for each score, where they are few enough to be read."""
    names = [str(name) for name in view.data["languages"]]
    if len(names) > _MOST_CROSSED:
        return
    rows = {(row["train"], row["test"]): row for row in view.rows("transfer")}
    words = view.wording
    further = {PARSING: {"uas": "unlabelled attachment"}, ANSWERING: {"exact_match": "exact match"}}
    scores = {"accuracy": words.score, **further.get(str(view.task), {})}
    for column, score in scores.items():
        cells: list[tuple[str | Cell, ...]] = [
            (train, *(with_interval(rows[train, test], column, in_points, prefix=f"{column}_") for test in names))
            for train in names
        ]
        title = f"{with_capital(score)}, %: {words.labels} of the row's language, {words.units} of the column's"
        yield plain(title, (f"{words.labels} of", *names), cells)


def _retrieved(view: View) -> Iterator[Grid]:
    """Yield the table of translations that are found, in both directions."""
    if view.rows("retrieval"):
        fields: list[Field] = [
            (Column("language", numeric=False), lambda row: str(row["language"])),
            (Column("vectors", numeric=False), lambda row: str(row["system"])),
            (
                Column("from the source, %"),
                lambda row: with_interval(row, "forward", in_points, prefix="forward_"),
            ),
            (Column("to the source, %"), lambda row: with_interval(row, "backward", in_points, prefix="backward_")),
            (
                Column("margin", note="mean cosine of translations less that of random pairs"),
                lambda row: with_interval(row, "margin", two_decimals, prefix="margin_"),
            ),
            (Column("texts"), value("items", count)),
        ]
        yield table_of("Translations found", fields, view.rows("retrieval"))
