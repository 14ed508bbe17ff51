"""The page of a `relations` record: the best head and the best offset by relation, probes, and accuracy by head."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import heat_map
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.heat_map import HeatCell
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dependency_probes_section import probe_captions, probe_figures
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, exact, interval, share, signed_points
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import signed

_OWN, _OFFSET, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(1, "square"), SeriesStyle(2, "triangle")
_SYSTEMS = (
    (_OWN, "best head", "accuracy", ""),
    (_OFFSET, "best offset", "offset_accuracy", "offset_"),
    (_RANDOM, "random weights", "random_accuracy", "random_"),
)


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `relations` record -> its caption."""
    view = RecordView.of(record)
    pronouns = view.rows("coreference")
    return {
        "relations": _relations_caption(view),
        **probe_captions(view),
        **({"coreference": _coreference_caption(pronouns[0])} if pronouns else {}),
        "heads": _heads_caption(view),
    }


def _relations_caption(view: RecordView) -> Caption:
    numbers = view.verdict
    notes = (
        "Dots with 95 % intervals, the largest lead first. Bold: surely ahead of the offset.",
        "“all” is every word but punctuation, and not counted as a relation.",
    )
    title = f"{numbers['ahead']} of {numbers['relations']} relations: the best head is ahead of the best offset"
    return Caption(title, notes)


def _coreference_caption(row: Row) -> Caption:
    comparison = "is ahead of" if row["ahead"] else "is not surely ahead of"
    ends = interval(row["gap_low"], row["gap_high"], signed_points)
    notes = (
        f"On {row['sentences']:,} sentences of the half that did not choose.",
        f"Head less rule: {signed(row['gap'])} points ({ends}).",
    )
    return Caption(f"For pronouns the best head {comparison} the {row['rule']}", notes)


def _heads_caption(view: RecordView) -> Caption:
    best = _most_accurate(_better_directions(view))
    title = f"Layer {best['layer']}, head {best['head']} finds most syntactic heads, {share(best['accuracy'])}"
    note = "Of all words but punctuation, each head in its better direction, on all sentences: no half chose."
    return Caption(title, (note,))


def page(record: Record) -> str:
    """Return the page of a `relations` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("Relations", [_relations(view)]), ("Heads", [_heads(view)])]
    if probes := probe_figures(view):
        groups.insert(1, ("Probes", probes))
    if pronouns := view.rows("coreference"):
        groups.insert(-1, ("Pronouns", [_coreference(view, pronouns[0])]))
    question = f"Heads that follow syntax · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, question=question)


def _relations(view: RecordView) -> Figure:
    rows = sorted(view.rows("relations"), key=lambda row: -row["gap"])
    chart = DotChart((("", tuple(map(_row, rows))),), "share of words whose head is found", share, legend=True)
    pictures = dot_pictures(chart, "relations")
    return captioned_figure(view, "relations", "Accuracy by relation.", pictures, _table(rows))


def _row(row: Row) -> DotRow:
    dots, described = interval_dots(row, _SYSTEMS, share)
    title = f"{row['relation']}: layer {row['layer']}, head {row['head']}, {row['direction']}"
    return DotRow(str(row["relation"]), dots, described, title=title, strong=bool(row["ahead"]), overlaid=True)


def _table(rows: list[Row]) -> Grid:
    heads = (
        "relation",
        Column("words", note="in the half that did not choose the head"),
        Column("best head", numeric=False),
        "accuracy",
        Column("best offset"),
        Column("random weights"),
        Column("lead", note="over the offset, with its 95 % interval"),
    )
    cells = [
        (
            str(row["relation"]),
            Cell(count(row["words"]), row["words"]),
            Cell(f"{row['layer']}-{row['head']}", detail=str(row["direction"])),
            with_interval(row, "accuracy"),
            Cell(exact(row["offset_accuracy"]), row["offset_accuracy"], detail=f"offset {row['offset']:+d}"),
            Cell(exact(row["random_accuracy"]), row["random_accuracy"]),
            with_interval(row, "gap", prefix="gap_"),
        )
        for row in rows
    ]
    return plain("Relations, the largest lead first; heads as layer-head", heads, cells)


def _better_directions(view: RecordView) -> dict[tuple[int, int], Row]:
    """Return layer and head -> row of the table `heads` in the direction in which the head finds more."""
    better: dict[tuple[int, int], Row] = {}
    for row in view.rows("heads"):
        key = (row["layer"], row["head"])
        if key not in better or row["accuracy"] > better[key]["accuracy"]:
            better[key] = row
    return better


def _most_accurate(heads: Mapping[tuple[int, int], Row]) -> Row:
    return max(heads.values(), key=lambda row: row["accuracy"])


def _heads(view: RecordView) -> Figure:
    """Return the map of layers and heads: how many syntactic heads each finds, in its better direction."""
    better = _better_directions(view)
    best = _most_accurate(better)
    cells = {key: _cell(row, best["accuracy"]) for key, row in better.items()}
    data = heat_map.of_heads(cells, "rows: layers · columns: heads · in percent")
    pictures = drawn(partial(heat_map.draw, data), "heads", height=heat_map.height(data))
    return captioned_figure(view, "heads", "Accuracy by layer and head.", pictures)


def _cell(row: Row, largest: float) -> HeatCell:
    accuracy = float(row["accuracy"])
    return HeatCell(
        strength=accuracy / largest if largest else 0.0,
        style=_OWN,
        text=f"{100 * accuracy:.0f}",
        title=f"layer {row['layer']}, head {row['head']}",
        line=f"{100 * accuracy:.1f} %, {row['direction']}",
    )


def _coreference(view: RecordView, row: Row) -> Figure:
    """Return the chart of how often the best head finds antecedents of pronouns, beside a rule and random weights."""
    systems = (
        (_OWN, f"best head, {row['layer']}-{row['head']}", "accuracy", ""),
        (_OFFSET, str(row["rule"]), "rule_accuracy", "rule_"),
        (_RANDOM, "random weights", "random_accuracy", "random_"),
    )
    chance = (float(row["chance"]), "guessing")
    rows = tuple(DotRow(system[1], *interval_dots(row, (system,), share)) for system in systems)
    chart = DotChart((("", rows),), "share of pronouns whose candidate is found", share, references=(chance,))
    pictures = dot_pictures(chart, "coreference")
    cells = [(name, with_interval(row, column, share, prefix=prefix)) for _, name, column, prefix in systems]
    table = plain("Pronouns whose candidate is found", ("", "share"), cells)
    return captioned_figure(view, "coreference", "Shares of pronouns.", pictures, table)
