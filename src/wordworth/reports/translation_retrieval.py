"""The page of a `languages` record of translations: what each system retrieves, by language and by layer."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined
from wordworth.reports.figure import Figure
from wordworth.reports.languages_wording import nearest_text_notes
from wordworth.reports.layer_figure import layer_figure
from wordworth.reports.number_format import count, in_points, share, signed_points
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Column, Field, Grid, table_of, value, with_interval
from wordworth.sentence_formatting import count_of, percent, points

_STYLES = {
    "sentence vectors": SeriesStyle(7, "diamond"),
    "chosen layer": SeriesStyle(6, "circle"),
    "input layer": SeriesStyle(3, "diamond"),
    "random weights": SeriesStyle(2, "triangle"),
    "character n-grams": SeriesStyle(1, "square"),
}
_ALIGNED = {
    "yes": "ahead of n-grams, random weights and the input layer",
    "cannot tell": "these pairs cannot tell",
    "no": "behind one of them",
}


def retrieval_captions(view: RecordView) -> dict[str, Caption]:
    """Return name of each chart of a `languages` record on the retrieval of translations -> its caption."""
    return {"translations": _languages_caption(view), "layers": _layers_caption(view)}


def _languages_caption(view: RecordView) -> Caption:
    rows = view.rows("languages")
    sure = sum(row["aligned"] == "yes" for row in rows)
    notes = nearest_text_notes(str(view.data["source"]), "test pairs")
    return Caption(f"The chosen layer is surely ahead in {sure} of {count_of(len(rows), 'language')}", notes)


def _layers_caption(view: RecordView) -> Caption:
    centred = ", centred by language" if view.data["centred"] else ""
    notes = (
        "Mean of all languages, from the source; bands are 95 % intervals over test pairs.",
        "Centred: the mean of each language's training texts is subtracted.",
    )
    return Caption(f"Training pairs choose layer {view.data['layer']}{centred}", notes)


def page(record: Record) -> str:
    """Return the page of a `languages` record on the retrieval of translations as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("Do translations find each other?", [_languages(view)]), ("By layer", [_layers(view)])]
    tables = [_language_table(view), _systems(view), sources(view)]
    question = f"Translations · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _languages(view: RecordView) -> Figure:
    """Return the chart of the share that each system retrieves, by language."""
    rows, systems = sorted(view.rows("languages"), key=lambda row: -row["retrieved"]), view.rows("retrieval")
    groups = tuple(
        (heading, tuple(_dot_row(str(row["language"]), systems) for row in rows if row["aligned"] == answer))
        for answer, heading in _ALIGNED.items()
        if any(row["aligned"] == answer for row in rows)
    )
    chart = DotChart(groups, "translations found, %", points, references=(), legend=True)
    pictures = dot_pictures(chart, "translations")
    return captioned_figure(view, "translations", pictures=pictures)


def _dot_row(language: str, systems: list[Row]) -> DotRow:
    dots, described = joined(
        [
            interval_dots(row, ((_STYLES[str(row["system"])], str(row["system"]), "forward", "forward_"),), in_points)
            for row in systems
            if row["language"] == language
        ]
    )
    return DotRow(language, dots, described, overlaid=True)


def _layers(view: RecordView) -> Figure:
    """Return the chart of the share retrieved by layer, for plain and for centred vectors."""
    rows, depth = view.rows("layers"), int(view.data["depth"])
    curves = list(_curves(rows, depth))
    fields: list[Field] = [
        (Column("layer", numeric=False), lambda row: str(row["layer"])),
        (Column("centred", numeric=False), lambda row: "yes" if row["centred"] else "no"),
        (Column("training pairs, %"), value("train", in_points)),
        (Column("from the source, %"), lambda row: with_interval(row, "forward", in_points, prefix="forward_")),
        (Column("to the source, %"), lambda row: with_interval(row, "backward", in_points, prefix="backward_")),
        (Column("random weights, %"), lambda row: with_interval(row, "random", in_points, prefix="random_")),
    ]
    table = table_of("Translations found by layer", fields, rows)
    data = CurvesByLayer(curves, "translations found", share, share)
    return layer_figure(view, "layers", data, table, description="Translations by layer.")


def _curves(rows: list[Row], depth: int) -> Iterator[Curve]:
    for name, centred, column, style in (
        ("plain", False, "forward", _STYLES["sentence vectors"]),
        ("centred", True, "forward", _STYLES["chosen layer"]),
        ("random weights, centred", True, "random", _STYLES["random weights"]),
    ):
        levels = (
            LayerValue(int(row["layer"]), row[column], row[f"{column}_low"], row[f"{column}_high"])
            for row in rows
            if row["centred"] == centred
        )
        yield Curve(name, depth, tuple(levels), style)


def _language_table(view: RecordView) -> Grid:
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (Column("ahead", numeric=False, note="surely, of all three"), lambda row: str(row["aligned"])),
        (
            Column("chosen layer, %", note="mean of both directions"),
            lambda row: with_interval(row, "retrieved", in_points, prefix="retrieved_"),
        ),
        *(
            (Column(f"above {what}"), lambda row, name=name: with_interval(row, name, signed_points, prefix=f"{name}_"))
            for name, what in (
                ("above_characters", "n-grams"),
                ("above_random", "random weights"),
                ("above_input", "the input layer"),
            )
        ),
        (Column("unknown pieces"), value("unknown", lambda part: percent(part, 1) if part is not None else "")),
        (Column("test pairs"), value("pairs", count)),
        (Column("texts searched"), value("candidates", count)),
    ]
    return table_of("Every language", fields, view.rows("languages"))


def _systems(view: RecordView) -> Grid:
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (Column("vectors", numeric=False), lambda row: str(row["system"])),
        (Column("from the source, %"), lambda row: with_interval(row, "forward", in_points, prefix="forward_")),
        (Column("to the source, %"), lambda row: with_interval(row, "backward", in_points, prefix="backward_")),
        (Column("by luck"), value("chance", lambda part: percent(part, 2) if part is not None else "")),
    ]
    return table_of("Translations found by every system", fields, view.rows("retrieval"))
